import type { Problem } from '../../src/catalog/problems.ts'
import { SEARCHED_ASKS } from '../../src/catalog/parts.ts'
import { SPECIFICATION } from '../../src/catalog/specification.ts'
import { SAFETY_RULES } from '../../src/catalog/safety/rules.ts'
import type { FindingSeverity } from '../../src/catalog/safety/rule.ts'

interface Rule extends Pick<Problem, 'severity' | 'message' | 'remedy'> {
  /** Set if only `--rule` reports it. */
  isOnRequest?: boolean
  /** Set for skills that registries leave out on purpose: they do not count as skills of their source. */
  isLeftOut?: boolean
}

const ofSeverity =
  (severity: Rule['severity']) =>
  (message: string, remedy: string): Rule => ({ severity, message, remedy })
const error = ofSeverity('error')
const warning = ofSeverity('warning')
const note = ofSeverity('note')
const leaveOut = (message: string, remedy: string): Rule => ({
  ...note(message, remedy),
  isLeftOut: true,
})
const leaveOutFile = (message: string, remedy = 'nothing to do'): Rule =>
  leaveOut(`left out: ${message}`, remedy)

const INCLUDE = 'to import it, name it in include'

/** Largest SKILL.md that the specification recommends. */
export const ADVISED = { lines: 500, tokens: 5_000 } as const

/** The placeholder description that `catalog new` writes. */
export const DRAFT_DESCRIPTION =
  'Say in one sentence what this skill does. Use when … (name the tasks and words that should load it).'

const OWN_RULES = {
  unchecked: error('this was not checked', 'simplify the SKILL.md and the files beside it'),
  refused: error('the build refuses this file', 'correct it'),
  field: error('the build refuses this field', 'correct it'),
  policy: error('it breaks the policy in site.json', 'correct it, or accept the finding'),
  'tool-file': leaveOutFile('a file that belongs to a tool, not to the skill'),
  'system-file': leaveOutFile(
    'a file that the system keeps beside others, not part of the skill',
    'nothing to do, unless readers need it; then give it another name or place',
  ),
  'editor-file': leaveOutFile(
    'a backup or lock file of a program, which can contain unsaved text',
    'rename it if readers need it',
  ),
  'git-attributes': leaveOutFile(
    'git would apply it to the catalog and change the files beside it',
    'rename it to gitattributes.txt if readers need it',
  ),
  cache: leaveOutFile('a cache; its program will recreate it'),
  'environment-file': leaveOutFile('it may contain secrets', 'put an example in .env.example'),
  'empty-folder': leaveOutFile('an empty folder, which git does not store', 'put a file in it'),
  'record-name': leaveOutFile(
    "the name, in any capitalization, is reserved for the registry's own record",
    'give it another name, if readers need it',
  ),
  submodule: leaveOutFile('a submodule, which is another repository', 'add that repository itself'),
  'odd-folder': leaveOut(
    'in a folder of tests, templates, examples or packages',
    'to import it, name that folder in the address, or include it',
  ),
  unfinished: leaveOut('in a folder of unfinished skills', INCLUDE),
  excluded: leaveOut('excluded', INCLUDE),
  'not-included': leaveOut('not included', INCLUDE),
  'other-registry': leaveOut('it belongs to another registry', 'follow its source instead'),
  unlisted: leaveOut(
    'its author marked it as internal (metadata.internal)',
    'nothing to do, or ask its author, who can remove the field to have it listed',
  ),
  untracked: note('left out: git does not track it', 'add it to git if readers need it'),
  'stored-link': note(
    'left out: a symlink that was stored as text',
    'check it out with symlinks (core.symlinks)',
  ),
  link: error('a symlink that is not followed', 'copy the file instead'),
  'file-size': error('a file that is too large', 'make it smaller, or link to it'),
  'file-kind': error('neither a file nor a folder', 'remove it'),
  unreadable: error('it is not readable', 'change its permissions and import again'),
  swallowed: warning(
    'folders with a SKILL.md inside this skill are its files',
    'nothing to do, or add the folders of the others',
  ),
  duplicate: note('a copy of a skill that is imported', 'nothing to do; it is imported once'),
  retired: note(
    'a curator retired this skill',
    'to list it again, remove "source" from its row in retired.json',
  ),
  'internal-kept': warning(
    'its author marked it as internal (metadata.internal), so the catalog keeps the version that it has',
    'retire the skill, or ask its author',
  ),
  'no-category': error(
    'the registry has no category for this skill',
    'name one in its front matter, or set one for its source in sources.json',
  ),
  blank: error(
    'the file is blank',
    'write front matter with name and description, and the instructions',
  ),
  html: error(
    'the file is an HTML page, not Markdown',
    'fetch the raw file instead of the page that shows it',
  ),
  conflict: error(
    'the file contains merge conflict markers',
    'resolve the conflict (<<<<<<<, =======, >>>>>>>) in the source',
  ),
  'not-text': error('not plain text in UTF-8', 'save it as plain text in UTF-8'),
  'too-much': error(
    'more files than clients unpack for one skill',
    'remove files that no agent reads',
  ),
  'odd-parent': warning(
    'it is in a folder from which no new skills are imported',
    'retire it, if you do not want it',
  ),
  'bit-lost': warning(
    'this disk stores no executable bits, so the file may differ from its source',
    'commit it with git add --chmod',
  ),
  adapted: note('not as its author wrote it', 'nothing to do, or correct it in the source'),
  'git-ignored': warning(
    'git ignores this file, so other checkouts of the catalog do not have it',
    'commit it with git add --force',
  ),
  'not-checked-out': warning(
    'git tracks this, but it is not on this disk',
    'run git restore, or commit its removal',
  ),
  'same-name': error(
    'left out: some systems unpack it over another file: their names differ only in case, in the composition of letters, or in characters that are dropped',
    'rename it',
  ),
  'file-name': error(
    'a file name that some systems or clients cannot use',
    'rename it, and correct the files that mention it',
  ),
  'script-crlf': warning(
    'a script whose first line ends in CRLF, so Unix systems cannot run it',
    'save it with LF line endings, and set eol=lf in .gitattributes',
  ),
  'lfs-pointer': error(
    'a Git LFS pointer instead of the file',
    'commit the file itself: copies contain only the pointer',
  ),
  'front-matter': error(
    'clients cannot read the front matter',
    'write name and description as YAML between two lines of ---, the first of them on line 1',
  ),
  ...SPECIFICATION,
  'unknown-field': warning(
    'a field that is not in the specification',
    'move it under metadata, unless your clients read it',
  ),
  'client-field': note(
    'a field that is not in the specification, but some clients read it',
    'nothing to do, if you write for these clients',
  ),
  'field-value': warning('a value of the wrong type', 'write a value of the expected type'),
  'tools-notation': note(
    'clients read these tools differently',
    'separate tools by blanks, as the specification says, with neither blanks nor commas inside parentheses',
  ),
  'tool-unmatched': note(
    'a pattern that matches no command',
    'write a blank in place of the first colon',
  ),
  upload: note(
    'the upload of Claude refuses this',
    'change it, if you want the skill to be uploaded',
  ),
  'value-cut': note(
    'the text after " #" is a comment, not part of the value',
    'put the value in quotes if that text belongs to it',
  ),
  'field-twice': warning('a duplicate field; only the last one counts', 'keep one of the two'),
  'never-started': warning(
    'neither an agent nor a user can invoke it',
    'remove disable-model-invocation or user-invocable',
  ),
  'name-shared': warning(
    'two skills with the same name, of which a client keeps one',
    'rename one of them, or retire one',
  ),
  internal: warning(
    'metadata.internal asks registries not to list it, but a registry always lists its own skills',
    'leave the field out, or keep the skill elsewhere',
  ),
  'description-markup': warning(
    'an angle bracket in the description, which skill packagers reject',
    'write it in words',
  ),
  'description-draft': warning(
    'the description is still the placeholder of a new skill',
    'say what the skill does and when to use it',
  ),
  'skill-length': note(
    `the SKILL.md is longer than the recommended ${ADVISED.lines} lines or ${ADVISED.tokens} tokens`,
    'move details into files in references/, which agents read when needed',
  ),
  'link-dead': warning(
    'the link leads to a file that an installed skill does not have',
    'add the file, correct the path (relative to the skill’s folder), or link to its web address',
  ),
  'source-unfollowed': warning(
    'no row of sources.json follows the source of this skill, so nobody notices if it is gone',
    'add its repository (npm run catalog -- add), or import the skill again from time to time',
  ),
  'source-old': error(
    'no row of sources.json follows the source of this skill, which was last seen long ago',
    'add its repository (npm run catalog -- add), import the skill again, or retire it if its source is gone',
  ),
  'old-file': warning('version 1.0.0 wrote this, and nothing reads it any more', 'remove it'),
  'name-spelling': warning(
    'the name of a file in another spelling, which many systems do not find',
    'spell the name as the file is spelt',
  ),
  'acceptance-unused': note(
    'an accepted finding that the scan no longer reports, because its lines or its rule changed',
    'remove the row, or accept the current finding',
  ),
  'ask-unread': note(
    `an example prompt after the first ${SEARCHED_ASKS.count}, or longer than ${SEARCHED_ASKS.characters} characters, so it is not searched to its end`,
    'shorten it, or leave one out',
  ),
  'no-asks': {
    ...note(
      'a record without example prompts, by which people find a skill in their own words',
      'write some with the skill describe-a-skill',
    ),
    isOnRequest: true,
  },
}

/** The severity of a diagnostic for each severity of a finding. */
const AS_SEVERITY: Readonly<Record<FindingSeverity, Rule['severity']>> = {
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

/** A broken rule and its place; by default the start of the file. */
export interface Violation {
  rule: string
  line?: number | undefined
  column?: number | undefined
  digest?: string
  /** Severity of a finding, which its context can reduce. */
  severity?: FindingSeverity
  /** In place of the rule's message. */
  message?: string
  /** Follows the message. */
  detail?: string | undefined
  remedy?: string | undefined
}

/** Makes a problem of a broken rule. Throws for an unknown rule. */
export const makeProblem = (
  file: string,
  { rule, severity, detail = '', remedy, line = 1, column = 1, digest, ...own }: Violation,
): Problem => {
  const found = RULES.get(rule)
  if (found === undefined) throw new Error(`no rule ${rule}`)
  return {
    file,
    line,
    column,
    severity: severity === undefined ? found.severity : AS_SEVERITY[severity],
    rule,
    message: (own.message ?? found.message) + (detail === '' ? '' : `: ${detail}`),
    remedy: remedy ?? found.remedy,
    ...(digest === undefined ? {} : { digest }),
  }
}
