import type { Category } from './categories.ts'
import type { Language } from './language.ts'
import type { Needs } from './needs/found.ts'
import type { EditorialParts } from './parts.ts'
import type { FindingSeverity } from './safety/rule.ts'
import type { Acceptance, SkillRecord } from './schema.ts'
import type { Touch } from './touches.ts'
import { truncateAtWord } from './text.ts'

/** Name of the file that every skill has. */
export const SKILL_MD = 'SKILL.md'

/** Name of the registry's record of a skill, which is never part of a zip. */
export const RECORD_FILE = 'skill.json'

/** Placeholder for the site's origin in the registry's own skills, which call the site after installation. */
export const REGISTRY_ORIGIN = '{registry-origin}'

/** A licence without a known SPDX expression. */
export const OTHER_LICENCE = 'other licence'

/** A place in a skill's files that a person should look at. */
export interface Finding {
  rule: string
  /** Severity that pages show: the rule's, possibly downgraded by the context. */
  severity: FindingSeverity
  /** Severity that no context lowers, for the policy and for reviews: only a sentence that forbids the command does. */
  held: FindingSeverity
  /** What lowered the severity, such as "in a quotation". */
  contexts: string[]
  /** Path inside the skill's folder. */
  file: string
  /** 1-based line and column; column and `length` are in UTF-16 units. */
  line: number
  column: number
  length: number
  /** The line with hidden characters made visible: untrusted text. Empty for a finding about a whole file. */
  quote: string
  /** Digest of the lines that the rule examined, or of the whole file. An acceptance refers to it. */
  digest: string
  /** Number of equal findings in the file, including this one. */
  count: number
  /** Set if a curator has accepted the finding. */
  accepted?: Pick<Acceptance, 'by' | 'when' | 'why' | 'hosts'>
}

export interface SkillFile {
  /** Relative to the skill's folder, with `/`. */
  path: string
  /** Bytes. */
  size: number
  /** Set if the file is executable: the only mode bit that git stores. */
  isExecutable?: true | undefined
}

/** A skill's zip: size in bytes and SHA-256 in hex. */
export interface SkillZip {
  size: number
  sha256: string
}

/** A skill: its record, its counters, and what was found in its files. */
export interface Skill extends Omit<
  SkillRecord,
  'name' | 'description' | 'difficulty' | 'licence' | 'parts'
> {
  slug: string
  name: string
  description: string
  /** One-sentence summary: from the record, or see `summarize`. */
  summary: string
  /** Counters, 0 if unknown. */
  views: number
  installs: number
  difficulty: NonNullable<SkillRecord['difficulty']>
  /** `Review`: a finding needs human review. `Accepted`: all such findings were accepted. No scan can say "Safe". */
  safety: 'Review' | 'Accepted' | 'No findings'
  /** Open before accepted ones, and then the most severe first. */
  findings: Finding[]
  /** SPDX expression or OTHER_LICENCE; undefined if none is stated. */
  licence?: string | undefined
  /** The author's wording of the licence, if it differs. */
  licenceWords?: string | undefined
  /**
   * Estimated tokens of SKILL.md, and bytes of all files, rounded to two digits so that small edits do not change
   * lists. Tokens are undefined for a listed-only skill, whose text is not in the catalog.
   */
  tokens?: number | undefined
  size: number
  /** Estimated tokens of all text files, rounded to two digits; undefined for a listed-only skill. */
  allTokens?: number | undefined
  /** Decides whether the skill is listed and its files are shown. */
  visibility: 'indexable' | 'own' | 'gone'
  /** Set if SKILL.md breaks the Agent Skills specification. */
  breaksSpecification?: true | undefined
  /** Why `npx skills` and Codex refuse the SKILL.md, as a predicate of its front matter; absent if they accept it. */
  refusal?: string | undefined
  /**
   * Who may start the skill, according to its front matter: an agent (if it fits the task), the user (by name), or
   * both. Undefined for a listed-only skill.
   */
  startedBy?: 'both' | 'user' | 'agent' | undefined
  /** The front matter, for the page of the skill; without the fields that are facts here. */
  front?: Readonly<Record<string, string | undefined>> | undefined
  /** The field `when_to_use` of the front matter, which some clients list after the description. */
  whenToUse?: string | undefined
  /** Number of the author's test cases; undefined if there are none or they cannot be read. */
  testCases?: number | undefined
  /** Kinds of things that the files use on a machine; undefined for a listed-only skill. */
  touches?: readonly Touch[] | undefined
  /** Number of files that its text names and that it lacks. */
  missing?: number | undefined
  /** Language of SKILL.md, if its letters show that it is not English. */
  language?: Language | undefined
  /** Commands, packages, variables and so on that the files name; undefined for a listed-only skill. */
  needs?: Needs | undefined
  /** Whether the skill's own files state a licence; if not, an import uses the repository's licence. */
  statesLicence?: boolean | undefined
  /** Why SKILL.md could not be parsed as Markdown, as a predicate ("is longer than …"); absent if it was parsed. */
  unread?: string | undefined
  /** The advisory that withdrew the current version; the skill is gone, without files, until a newer version exists. */
  withdrawn?: { id: string; published: string; summary: string } | undefined
  parts: EditorialParts
  /** Absolute path of the skill's folder. */
  folder: string
  /** Files in the order of the zip, SKILL.md first. A skill without SKILL.md gets a synthesized one. */
  files: SkillFile[]
}

/** Fields of a skill for listings, comparisons and search, without its text and files. */
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
  'added',
  'difficulty',
  'safety',
  'licence',
  'tokens',
  'size',
  'touches',
  'missing',
  'language',
  'startedBy',
  'deprecated',
  'owner',
  'source',
  'visibility',
] as const satisfies readonly (keyof Skill)[]

export type SkillFacts = Pick<Skill, (typeof FACTS)[number]>

export const pickFacts = (skill: SkillFacts): SkillFacts =>
  Object.fromEntries(FACTS.map((field) => [field, skill[field]])) as unknown as SkillFacts

/** A skill's owner as a search term: `Payments Team` becomes `payments-team`. */
const readTeam = ({ owner }: Pick<Skill, 'owner'>): string | undefined =>
  (typeof owner === 'string' ? owner : owner?.name)?.toLowerCase().replace(/\s+/g, '-')

/** Placeholder for an unknown day. The sitemap has the latest known day instead. */
export const UNKNOWN_DAY = '1970-01-01'

/** The day of a skill's page in the sitemap: of its last change, or of the last check of its source. */
export const pageDayOf = (skill: Pick<Skill, 'updated' | 'source'>): string =>
  skill.updated ?? (skill.source.kind === 'own' ? UNKNOWN_DAY : skill.source.checked)

/** Whether a skill appears in listings, search, the sitemap and comparisons. A skill that is gone has only its page. */
export const isListed = (skill: Pick<Skill, 'visibility'>): boolean => skill.visibility !== 'gone'

/** Longest name that the specification allows, in characters; clients silently ignore skills with a longer name. */
export const INSTALLED_NAME = 64

export const isNamedTooLong = ({ slug }: Pick<Skill, 'slug'>): boolean =>
  slug.length > INSTALLED_NAME

/** Whether the catalog has the skill's text. If not (listed-only), its zip has only a synthesized SKILL.md. */
export const hasText = ({ tokens }: Pick<Skill, 'tokens'>): boolean => tokens !== undefined

/**
 * Whether clients can install a skill by its address. They must accept its name and its front matter, and its text must
 * be here: otherwise an update would replace an installed skill with the synthesized SKILL.md.
 */
export const isInstallable = (skill: Pick<Skill, 'slug' | 'tokens' | 'refusal'>): boolean =>
  hasText(skill) && !isNamedTooLong(skill) && skill.refusal === undefined

/** Longest description in a listing row, in characters including the ellipsis. */
export const LISTING_DESCRIPTION = 240

/** A skill in an API response: exactly the fields of the API's contract, in its order. */
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

const CARD = [
  'summary',
  'updated',
  'licence',
  'tokens',
  'safety',
  'touches',
  'missing',
  'language',
  'deprecated',
] as const satisfies readonly (keyof SkillFacts)[]

/** Fields of a row on a page, in addition to the API's fields. */
export type SkillCard = Pick<SkillFacts, (typeof CARD)[number]> & {
  /** The owner, from `readTeam`. */
  team?: string | undefined
  /** The result of `listAsks`; absent if there are none. */
  asks?: readonly string[] | undefined
}

export const pickCard = (skill: SkillFacts): SkillCard => ({
  ...(Object.fromEntries(CARD.map((field) => [field, skill[field]])) as unknown as SkillCard),
  team: readTeam(skill),
})

/** `ownSourceUrl` is the address of the registry's copy; used for its own skills. */
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
