import { SEARCHED_ASKS } from '../../../src/catalog/parts.ts'
import { SPECIFICATION } from '../../../src/catalog/specification.ts'
import { SAFETY_RULES } from '../../../src/catalog/safety/rules.ts'
import type { FindingSeverity } from '../../../src/catalog/safety/rule.ts'

/** Errors make the build, clients or the reference validator refuse a skill; notes are advice. */
export const DIAGNOSTIC_SEVERITIES = ['error', 'warning', 'note'] as const
type Severity = (typeof DIAGNOSTIC_SEVERITIES)[number]

type Rule = Pick<Diagnostic, 'severity' | 'message' | 'remedy'> & {
  /** Set if only `--rule` reports it. */
  isOnRequest?: true
}

/** Largest SKILL.md that the specification recommends. */
export const ADVISED = { lines: 500, tokens: 5_000 } as const

/** Maximum number of diagnostics per rule and file. */
export const PLACES_PER_RULE = 5

/** The placeholder description that `catalog new` writes. */
export const DRAFT_DESCRIPTION =
  'Say in one sentence what this skill does. Use when … (name the tasks and words that should load it).'

const OWN_RULES = {
  unchecked: {
    message: 'this was not checked',
    remedy: 'simplify the SKILL.md and the files beside it',
  },
  refused: {
    message: 'the build refuses this',
    remedy: 'correct it',
  },
  'left-out': {
    severity: 'note',
    message: 'registries leave this out',
    remedy: 'nothing to do, unless readers need it; then give it another name or place',
  },
  'git-ignored': {
    severity: 'warning',
    message: 'git ignores this file, so other checkouts of the catalog do not have it',
    remedy: 'commit it with git add --force',
  },
  'not-checked-out': {
    severity: 'warning',
    message: 'git tracks this, but it is not on this disk',
    remedy: 'run git restore, or commit its removal',
  },
  'file-name': {
    message: 'a file name that some systems or clients cannot use',
    remedy: 'rename it, and correct the files that mention it',
  },
  'script-crlf': {
    severity: 'warning',
    message: 'a script whose first line ends in CRLF, so Unix systems cannot run it',
    remedy: 'save it with LF line endings, and set eol=lf in .gitattributes',
  },
  'lfs-pointer': {
    message: 'a Git LFS pointer instead of the file',
    remedy: 'commit the file itself: copies contain only the pointer',
  },
  'front-matter': {
    message: 'clients cannot read the front matter',
    remedy:
      'write name and description as YAML between two lines of ---, the first of them on line 1',
  },
  ...SPECIFICATION,
  'unknown-field': {
    severity: 'warning',
    message: 'a field that is not in the specification',
    remedy: 'move it under metadata, unless your clients read it',
  },
  'client-field': {
    severity: 'note',
    message: 'a field that is not in the specification, but some clients read it',
    remedy: 'nothing to do, if you write for these clients',
  },
  'field-value': {
    severity: 'warning',
    message: 'a value of the wrong type',
    remedy: 'write a value of the expected type',
  },
  'tools-notation': {
    severity: 'note',
    message: 'clients read these tools differently',
    remedy:
      'separate tools by blanks, as the specification says, with neither blanks nor commas inside parentheses',
  },
  'tool-unmatched': {
    severity: 'note',
    message: 'a pattern that matches no command',
    remedy: 'write a blank in place of the first colon',
  },
  upload: {
    severity: 'note',
    message: 'the upload of Claude refuses this',
    remedy: 'change it, if you want the skill to be uploaded',
  },
  'value-cut': {
    severity: 'note',
    message: 'the text after " #" is a comment, not part of the value',
    remedy: 'put the value in quotes if that text belongs to it',
  },
  'field-twice': {
    severity: 'warning',
    message: 'a duplicate field; only the last one counts',
    remedy: 'keep one of the two',
  },
  'never-started': {
    severity: 'warning',
    message: 'neither an agent nor a user can invoke it',
    remedy: 'remove disable-model-invocation or user-invocable',
  },
  'name-shared': {
    severity: 'warning',
    message: 'two skills with the same name, of which a client keeps one',
    remedy: 'rename one of them, or retire one',
  },
  internal: {
    severity: 'warning',
    message:
      'metadata.internal asks registries not to list it, but a registry always lists its own skills',
    remedy: 'leave the field out, or keep the skill elsewhere',
  },
  'description-markup': {
    severity: 'warning',
    message: 'an angle bracket in the description, which skill packagers reject',
    remedy: 'write it in words',
  },
  'description-draft': {
    severity: 'warning',
    message: 'the description is still the placeholder of a new skill',
    remedy: 'say what the skill does and when to use it',
  },
  'skill-length': {
    severity: 'note',
    message: `the SKILL.md is longer than the recommended ${ADVISED.lines} lines or ${ADVISED.tokens} tokens`,
    remedy: 'move details into files in references/, which agents read when needed',
  },
  'link-dead': {
    severity: 'warning',
    message: 'the link leads to a file that an installed skill does not have',
    remedy:
      'add the file, correct the path (relative to the skill’s folder), or link to its web address',
  },
  'source-unfollowed': {
    severity: 'warning',
    message:
      'no row of sources.json follows the source of this skill, so nobody notices if it is gone',
    remedy:
      'add its repository (npm run catalog -- add), or import the skill again from time to time',
  },
  'source-old': {
    message:
      'no row of sources.json follows the source of this skill, which was last seen long ago',
    remedy:
      'add its repository (npm run catalog -- add), import the skill again, or retire it if its source is gone',
  },
  'old-file': {
    severity: 'warning',
    message: 'version 1.0.0 wrote this, and nothing reads it any more',
    remedy: 'remove it',
  },
  'name-spelling': {
    severity: 'warning',
    message: 'the name of a file in another spelling, which many systems do not find',
    remedy: 'spell the name as the file is spelt',
  },
  'acceptance-unused': {
    severity: 'note',
    message:
      'an accepted finding that the scan no longer reports, because its lines or its rule changed',
    remedy: 'remove the row, or accept the current finding',
  },
  'ask-unread': {
    severity: 'note',
    message: `an example prompt after the first ${SEARCHED_ASKS.count}, or longer than ${SEARCHED_ASKS.characters} characters, so it is not searched to its end`,
    remedy: 'shorten it, or leave one out',
  },
  'no-asks': {
    severity: 'note',
    message: 'a record without example prompts, by which people find a skill in their own words',
    remedy: 'write some with the skill describe-a-skill',
    isOnRequest: true,
  },
} as const satisfies Readonly<Record<string, Omit<Rule, 'severity'> & { severity?: Severity }>>

/** The severity of a diagnostic for each severity of a finding. */
const AS_SEVERITY: Readonly<Record<FindingSeverity, Severity>> = {
  high: 'error',
  medium: 'warning',
  low: 'note',
  note: 'note',
}

/** All rules by id, including those of the safety scan. */
export const RULES: ReadonlyMap<string, Rule> = new Map([
  ...Object.entries(OWN_RULES).map(([id, rule]): [string, Rule] => [
    id,
    { severity: 'error', ...rule },
  ]),
  ...SAFETY_RULES.map(({ id, severity, says, remedy }): [string, Rule] => [
    id,
    { severity: AS_SEVERITY[severity], message: says, remedy },
  ]),
])

export interface Diagnostic {
  file: string
  /** From 1; columns count UTF-16 units, as editors do. */
  line: number
  column: number
  severity: Severity
  rule: string
  message: string
  remedy: string
  /** The digest by which a record accepts the finding; only for findings of the safety scan. */
  digest?: string
}

/** A broken rule and its place; by default the start of the file. */
export interface Violation {
  rule: string
  line?: number | undefined
  column?: number | undefined
  digest?: string
  /** Severity of a finding, which its context can reduce. */
  severity?: FindingSeverity
  detail?: string | undefined
  remedy?: string | undefined
}

export const createDiagnostic = (
  file: string,
  { rule, severity, detail = '', remedy, line = 1, column = 1, digest }: Violation,
): Diagnostic => {
  const found = RULES.get(rule)
  if (found === undefined) throw new Error(`no rule ${rule}`)
  return {
    file,
    line,
    column,
    severity: severity === undefined ? found.severity : AS_SEVERITY[severity],
    rule,
    message: detail === '' ? found.message : `${found.message}: ${detail}`,
    remedy: remedy ?? found.remedy,
    ...(digest === undefined ? {} : { digest }),
  }
}
