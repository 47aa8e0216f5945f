import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Category } from '../../../src/catalog/categories.ts'
import {
  FrontMatterError,
  parseFrontMatter,
  splitSkillMd,
} from '../../../src/catalog/front-matter.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import { isSlug, decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { PARTS } from '../../../src/catalog/parts.ts'
import type { PartName } from '../../../src/catalog/parts.ts'
import { loadSkill, readSkillFile, readSkillMd } from '../../../src/catalog/skill-folder.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { Acceptance } from '../../../src/catalog/schema.ts'
import type { Finding, Skill } from '../../../src/catalog/skill.ts'
import { derivePart } from '../../../src/documents/parts/print.ts'
import { readPartSource } from '../../../src/documents/skill-page.ts'
import { classify, readOwnCategory } from '../classify/classify.ts'

type Classified = ReturnType<typeof classify>
import {
  CONTENT_OPTION,
  CommandError,
  JSON_OPTION,
  UsageError,
  readContentOption,
  renderColumns,
  renderJson,
} from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'

/** The source of a category: the front matter of the SKILL.md, the record, or the skill's words. */
type Decider = 'front matter' | 'record' | 'words'

/** The origin of a part of a skill's page. */
interface ExplainedPart {
  part: PartName
  origin: ReturnType<typeof derivePart>['origin']
  /** First line in the SKILL.md, from 1; only for a part from its text. */
  line?: number
}

interface ExplainedSkill {
  slug: string
  parts: readonly ExplainedPart[]
  category: Category
  decidedBy: Decider
  /** The category by words alone. */
  words: Classified
  /** Findings of the scan, with the digest by which a record accepts them. */
  findings: Finding[]
  /** Rows of `accepted` whose findings no longer exist. */
  stale: Acceptance[]
}

interface OwnText {
  chosen?: Category | undefined
  body?: string
}

const readOwnText = (skill: Skill): OwnText => {
  if (skill.files[0]?.path !== SKILL_MD) return {}
  const text = decodeLoosely(readSkillFile(skill, SKILL_MD))
  try {
    return { chosen: readOwnCategory(parseFrontMatter(text)), body: splitSkillMd(text).body }
  } catch (error) {
    // An unreadable front matter chooses no category.
    if (error instanceof FrontMatterError) return {}
    throw error
  }
}

/** Number of SKILL.md lines above the text that the page reads. */
const countLinesAbove = (skillMd: string, text: string): number => {
  // The text is the end of the file, trimmed and with hidden characters made visible.
  const lines = skillMd.trimEnd().split(/\r\n?|\n/)
  return text === '' ? 0 : Math.max(0, lines.length - text.split('\n').length)
}

const explainParts = (skill: Skill): ExplainedPart[] => {
  const skillMd = readSkillMd(skill)
  const source = readPartSource(skill, skillMd)
  const above = countLinesAbove(decodeLoosely(skillMd), source.text)
  return PARTS.map(({ name }) => {
    const { origin, line } = derivePart(name, source)
    return line === undefined ? { part: name, origin } : { part: name, origin, line: line + above }
  })
}

/** Explains a skill in a content folder. Throws CommandError or ContentError. */
const explainSkill = (content: string, slug: string): ExplainedSkill => {
  if (!isSlug(slug) || !existsSync(join(content, 'skills', slug))) {
    throw new CommandError(
      `No skill ${showValue(slug)} in ${content}; give the name of a folder in skills/.`,
    )
  }
  const { skill, problems } = loadSkill(content, slug, {})
  if (!skill) throw new ContentError(problems)
  const { chosen, body } = readOwnText(skill)
  const { name, description, category } = skill
  const words = classify({ name, description, ...(body === undefined ? {} : { body }) })
  const otherwise = words.category === category ? 'words' : 'record'
  const decidedBy = chosen === category ? 'front matter' : otherwise
  const { findings, accepted = [] } = skill
  const stale = accepted.filter(
    ({ rule, file, digest }) =>
      !findings.some((one) => one.rule === rule && one.file === file && one.digest === digest),
  )
  return { slug, category, decidedBy, words, findings, stale, parts: explainParts(skill) }
}

/** Number of words shown for the runner-up. */
const RUNNER_UP_WORDS = 5

const DECIDED: Readonly<Record<Decider, string>> = {
  'front matter': 'chosen by its author in the front matter of its SKILL.md',
  record: 'chosen in its skill.json, against what its words say',
  words: 'as its words say',
}

const renderRunnerUp = ({ category, score, evidence }: Classified['runnerUp']): string => {
  if (evidence.length === 0) return 'No word speaks for another category.'
  const words = evidence.slice(0, RUNNER_UP_WORDS).map(({ word, weight }) => `${word} ${weight}`)
  const more = evidence.length > RUNNER_UP_WORDS ? ', …' : ''
  return `Next: ${category} with ${score} (${words.join(', ')}${more})`
}

const renderWords = ({ words }: ExplainedSkill): string => {
  if (!words.isFallback) return `By its words: ${words.category} with ${words.score}`
  return words.score > 0
    ? `By its words: undecided, two categories have ${words.score}; the fallback ${words.category} is used`
    : `By its words: undecided, none indicates a category; the fallback ${words.category} is used`
}

const renderParts = (parts: readonly ExplainedPart[]): string[] =>
  renderColumns(
    parts.map(({ part, origin, line }) => [
      `  ${part}`,
      line === undefined ? origin : `${origin}, line ${line}`,
    ]),
  )

const renderFinding = (finding: Finding): string => {
  const { rule, severity, contexts, file, line, digest, count, quote, accepted } = finding
  const more = count > 1 ? ` (${count} places)` : ''
  const reasons = contexts.length > 0 ? `, ${contexts.join('; ')}` : ''
  const read = accepted ? `, accepted by ${accepted.by} on ${accepted.when}` : ''
  return `  ${severity} ${rule} ${file}:${line}${more}, digest ${digest}${reasons}${read}\n    ${quote}`
}

const renderFindings = ({ findings, stale }: ExplainedSkill): string[] => [
  ...(findings.length > 0 ? ['Findings:', ...findings.map(renderFinding)] : []),
  ...stale.map(
    ({ rule, file, digest }) =>
      `Accepted, but no longer found: ${rule} in ${file}, digest ${digest}; remove the row.`,
  ),
]

const renderSkill = (explained: ExplainedSkill): string => {
  const { slug, category, decidedBy, words, parts } = explained
  return [
    `${slug}: ${category}, ${DECIDED[decidedBy]}.`,
    renderWords(explained),
    ...renderColumns(
      words.evidence.map(({ word, place, weight }) => [
        `  ${word}`,
        String(weight).padStart(4),
        `in the ${place}`,
      ]),
    ),
    renderRunnerUp(words.runnerUp),
    'Parts of its page:',
    ...renderParts(parts),
    ...renderFindings(explained),
  ].join('\n')
}

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const { values, switches } = args
  const [slug = ''] = args.positionals
  const content = readContentOption(args)
  const { query } = values
  if (query === undefined) {
    const explained = explainSkill(content, slug)
    return print(switches.has('json') ? renderJson(explained) : renderSkill(explained))
  }
  // A blank query browses (registry-api 4.1), so there is no score to explain.
  if (query.trim() === '') throw new UsageError('--query is blank, so it finds every skill.')
  // Loaded lazily: other reports do not need the search.
  const { explainQuery, renderMatch } = await import('./query.ts')
  const match = explainQuery(content, query, slug)
  print(switches.has('json') ? renderJson(match) : renderMatch(match))
}

export const explainCommand: Command = {
  name: 'explain',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary:
    'Shows why a skill has its category and findings and whence the parts of its page are, or with --query why a query finds it',
  options: {
    query: { value: '<text>', help: 'The query to explain; quote several words' },
    ...CONTENT_OPTION,
    ...JSON_OPTION,
  },
  help: [
    'A word weighs 3 if it almost names the category, 2 if it indicates it, 1 if it hints at it; 2.5 times as much in the name, 1.5 times in the first sentence of the description. The body counts only if name and description are inconclusive. The author’s choice always wins: `category` in the skill.json, or in the front matter of an imported SKILL.md.',
    'Each part of the page comes from `parts` in the skill.json if it is there, otherwise from the text, the front matter or the description of the SKILL.md, in that order; otherwise it is not stated. To correct a part, write it in the skill.json.',
    'A finding has a rule, severity, place and digest. A row of `accepted` in the skill.json (rule, file, digest, by, when, why) accepts it until its line changes.',
    'With --query each line is one thing that was looked for: a word as typed, derived from some by the table of synonyms, completed from the last word, or corrected where too little was found. The score of a line is its weight times what it finds, field by field: how often, of how many distinct words.',
    'A skill is a result when its score reaches the floor, which keeps weak matches of long queries out. The name itself, letter for letter or spelled in another way, comes before all scores.',
  ],
  run,
}
