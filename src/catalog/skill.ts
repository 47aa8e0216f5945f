import type { Category } from './categories.ts'
import type { Needs } from './needs/found.ts'
import type { EditorialParts, PartLines } from './parts.ts'
import type { FindingSeverity } from './safety/rule.ts'
import type { Acceptance, SkillRecord } from './schema.ts'
import type { Touch } from './touches.ts'
import { truncateAtWord } from './text.ts'

/** Name of the one file every skill has. */
export const SKILL_MD = 'SKILL.md'

/** Name of the catalog record, which is never part of a zip. */
export const RECORD_FILE = 'skill.json'

/** Placeholder for the site's origin in the registry's own skills, which call the site once installed. */
export const REGISTRY_ORIGIN = '{registry-origin}'

/** A licence without a known SPDX expression. */
export const OTHER_LICENCE = 'other licence'

/** A place in a skill's files that a person should look at. */
export interface Finding {
  /** Id of its rule. */
  rule: string
  /** Severity of the rule, lowered by the context: the mark on pages. */
  severity: FindingSeverity
  /** Severity for the decision to hold a version back: no context lowers it where the lines may be run. */
  held: FindingSeverity
  /** The context that lowered the severity, such as "under a warning heading". */
  contexts: string[]
  /** Path inside the skill's folder. */
  file: string
  /** 1-based line and column; column and `length` are in UTF-16 units. */
  line: number
  column: number
  length: number
  /** The line with hidden characters made visible; untrusted text, empty for a finding about a whole file. */
  quote: string
  /** Digest of the lines that the rule examined, or of the file for a finding about a whole file; accepting refers to it. */
  digest: string
  /** Number of equal findings in the file, itself included. */
  count: number
  /** Whether a curator has accepted it. */
  accepted?: Pick<Acceptance, 'by' | 'when' | 'why'>
}

/** A file of a skill, path relative to its folder with `/`. */
export interface SkillFile {
  path: string
  size: number
  /** Set if it is executable: the one bit of a mode that git keeps. */
  isExecutable?: true | undefined
}

/** A skill's zip: its size in bytes, and its SHA-256 in hex. */
export interface SkillZip {
  size: number
  sha256: string
}

/** A skill: its record, its counters and the result of scanning its files. */
export interface Skill extends Omit<
  SkillRecord,
  'name' | 'description' | 'difficulty' | 'licence' | 'parts'
> {
  slug: string
  name: string
  description: string
  /** One-sentence summary: its author's, else the first sentence of the description. */
  summary: string
  /** Counters, 0 if unknown. */
  views: number
  installs: number
  difficulty: NonNullable<SkillRecord['difficulty']>
  /** Whether a finding needs a human review, or all that did were accepted. Never "Safe": the scan cannot know that. */
  safety: 'Review' | 'Accepted' | 'No findings'
  findings: Finding[]
  /** Findings that no page shows, since their context makes them notes, but that hold a version back. */
  asides?: Finding[] | undefined
  /** SPDX expression or OTHER_LICENCE; undefined if none is stated. */
  licence?: string | undefined
  /** The author's wording of the licence, if it differs. */
  licenceWords?: string | undefined
  /**
   * Estimated tokens of its SKILL.md and bytes of all its files, both rounded to two digits so that small edits change no
   * list. Tokens are undefined if its text is not here.
   */
  tokens?: number | undefined
  size: number
  /** Estimated tokens of all its text files, rounded alike; undefined if its text is not here. */
  allTokens?: number | undefined
  /** Whether its files include a program. */
  hasScripts: boolean
  /** Determines whether it is listed and its files are shown; untraced skills are not loaded. */
  visibility: 'indexable' | 'own' | 'gone'
  /** Set if its SKILL.md breaks the Agent Skills specification. */
  breaksSpecification?: true | undefined
  /**
   * Who may start it, as its front matter says: an agent that finds it fits the task, and its user by its name, or one of
   * them. Undefined if its text is not here.
   */
  startedBy?: 'both' | 'user' | 'agent' | undefined
  /** How many test cases its author keeps beside it; undefined if there are none that can be read. */
  testCases?: number | undefined
  /** What its files need on a machine, in a few words; undefined if its text is not here. */
  touches?: readonly Touch[] | undefined
  /** What its files name; undefined if its text is not here. */
  needs?: Needs | undefined
  /** Whether its own files state a licence; an import takes that of the repository where they do not. */
  statesLicence?: boolean | undefined
  /** Why its SKILL.md could not be read as Markdown, as the end of a sentence; undefined if it was read. */
  unread?: string | undefined
  /** Why its current version is withdrawn; then it has no files, and is gone until there is a newer one. */
  withdrawn?: { id: string; published: string; summary: string } | undefined
  parts: EditorialParts
  partsFrom?: PartLines | undefined
  /** Absolute path of its folder. */
  folder: string
  /** Files in the order of the zip, SKILL.md first. A skill without SKILL.md gets a synthesized one. */
  files: SkillFile[]
}

/** The fields of a skill for listings, comparisons and the search: all except its text and files. */
const FACTS = [
  'id',
  'slug',
  'name',
  'author',
  'description',
  'summary',
  'category',
  'views',
  'installs',
  'updated',
  'difficulty',
  'safety',
  'licence',
  'tokens',
  'size',
  'hasScripts',
  'touches',
  'startedBy',
  'deprecated',
  'owner',
  'source',
  'visibility',
] as const satisfies readonly (keyof Skill)[]

export type SkillFacts = Pick<Skill, (typeof FACTS)[number]>

export const pickFacts = (skill: SkillFacts): SkillFacts =>
  Object.fromEntries(FACTS.map((field) => [field, skill[field]])) as unknown as SkillFacts

/** The owner of a skill as searches name it: `Payments Team` becomes `payments-team`. */
export const readTeam = ({ owner }: Pick<Skill, 'owner'>): string | undefined =>
  (typeof owner === 'string' ? owner : owner?.name)?.toLowerCase().replace(/\s+/g, '-')

/** Placeholder for an unknown day, which the sitemap omits. */
export const UNKNOWN_DAY = '1970-01-01'

/** The day of a skill's page in the sitemap: that of its last change, else of the last check of its source. */
export const pageDayOf = (skill: Pick<Skill, 'updated' | 'source'>): string =>
  skill.updated ?? (skill.source.kind === 'own' ? UNKNOWN_DAY : skill.source.checked)

/** Whether a skill appears in listings, search, the sitemap and comparisons; one that is gone keeps only its page. */
export const isListed = (skill: Pick<Skill, 'visibility'>): boolean => skill.visibility !== 'gone'

/** Longest name in the specification; clients silently ignore skills with a longer one. */
export const INSTALLED_NAME = 64

export const isNamedTooLong = ({ slug }: Pick<Skill, 'slug'>): boolean =>
  slug.length > INSTALLED_NAME

/** Whether its text is here; else its zip has only a SKILL.md of the registry's. */
export const hasText = ({ tokens }: Pick<Skill, 'tokens'>): boolean => tokens !== undefined

/**
 * Whether clients can install a skill by its address: its name must be valid and its text here, or an update would
 * replace it by the synthesized SKILL.md.
 */
export const isInstallable = (skill: Pick<Skill, 'slug' | 'tokens'>): boolean =>
  hasText(skill) && !isNamedTooLong(skill)

/** Longest description of a listing row, in characters including the ellipsis. */
export const LISTING_DESCRIPTION = 240

/** A skill in an API answer: exactly the fields of the API's contract, in its order. */
export interface ListedSkill {
  id: number
  slug: string
  name: string
  author: string
  description: string
  category: Category
  views: number
  installs: number
  sourceUrl?: string
}

/** Fields of a row on a page in addition to those of the API. */
export type SkillCard = Pick<
  SkillFacts,
  'summary' | 'updated' | 'licence' | 'tokens' | 'safety' | 'touches' | 'deprecated'
> & {
  /** Of its owner, as `readTeam` reads it. */
  team?: string | undefined
}

/** `ownSourceUrl` is the address of the registry's copy, for its own skills. */
export const listSkill = (skill: SkillFacts, ownSourceUrl: string): ListedSkill => ({
  id: skill.id,
  slug: skill.slug,
  name: skill.name,
  author: skill.author,
  description: truncateAtWord(skill.description, LISTING_DESCRIPTION),
  category: skill.category,
  views: skill.views,
  installs: skill.installs,
  sourceUrl: skill.source.kind === 'own' ? ownSourceUrl : skill.source.url,
})
