import type { Category } from './categories.ts'
import type { EditorialParts } from './parts.ts'
import type { FindingSeverity } from './safety/rule.ts'
import type { Acceptance, SkillRecord } from './schema.ts'
import { truncateAtWord } from './text.ts'

/** Name of the one file every skill has. */
export const SKILL_MD = 'SKILL.md'

/** Name of the catalog record; it is never part of a zip. */
export const RECORD_FILE = 'skill.json'

/** A place in a skill's files that a person should look at. */
export interface Finding {
  /** Id of its rule. */
  rule: string
  /** What its surroundings leave of the rule's own severity. */
  severity: FindingSeverity
  /** What its surroundings are: "under a warning heading". */
  contexts: string[]
  /** Path inside the skill's folder. */
  file: string
  /** 1-based line and column, in UTF-16 units; `length` units of the line are meant. */
  line: number
  column: number
  length: number
  /** The line around what was found, hidden characters made visible; of strangers, and empty for a file as such. */
  quote: string
  /** Of the line, or of the file where it is meant as such: a curator accepts what has this digest. */
  digest: string
  /** Places like it in the file, itself among them. */
  count: number
  /** A curator has read it. */
  accepted?: Pick<Acceptance, 'by' | 'when' | 'why'>
}

/** A file of a skill, path relative to its folder with `/`. */
export interface SkillFile {
  path: string
  size: number
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
  /** One sentence that stands for it: its author's, else the first of the description. */
  summary: string
  /** Counters, 0 when unknown. */
  views: number
  installs: number
  difficulty: NonNullable<SkillRecord['difficulty']>
  /** What the difficulty was judged by; empty where its author states it. */
  difficultySigns: readonly string[]
  /** Whether a finding wants a human's eye. Never "Safe": the scan cannot know that. */
  safety: 'Review' | 'No findings'
  findings: Finding[]
  /** SPDX expression, or OTHER_LICENCE; undefined where none is stated. */
  licence?: string | undefined
  /** What states its licence, where that is worded otherwise. */
  licenceWords?: string | undefined
  /**
   * Tokens of its SKILL.md, estimated, and bytes of all its files, both to two digits: so a small edit changes no
   * list. Tokens are undefined where its text is not here.
   */
  tokens?: number | undefined
  size: number
  /** Whether it brings a program. */
  hasScripts: boolean
  /** Decides where it is listed and its files are shown (decisions, "Visibility"); untraced skills are not loaded. */
  visibility: 'indexable' | 'own' | 'gone'
  parts: EditorialParts
  /** Absolute folder of the files below. */
  folder: string
  /** Files in the order of the zip, SKILL.md first. A skill without SKILL.md gets a synthesized one. */
  files: SkillFile[]
}

/** The fields of a skill that listings, comparisons and the search need: all except its text and files. */
export const FACTS = [
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
  'source',
  'visibility',
] as const satisfies readonly (keyof Skill)[]

export type SkillFacts = Pick<Skill, (typeof FACTS)[number]>

export const pickFacts = (skill: SkillFacts): SkillFacts =>
  Object.fromEntries(FACTS.map((field) => [field, skill[field]])) as unknown as SkillFacts

/** Stands for the day of what has none; the sitemap leaves it out. */
export const UNKNOWN_DAY = '1970-01-01'

/** The day that a sitemap gives a skill's page: of its last change, else of the last look at its source. */
export const pageDayOf = (skill: Pick<Skill, 'updated' | 'source'>): string =>
  skill.updated ?? (skill.source.kind === 'own' ? UNKNOWN_DAY : skill.source.checked)

/** Whether a skill appears in listings, search, the sitemap and comparisons; a gone skill keeps only its page. */
export const isListed = (skill: Pick<Skill, 'visibility'>): boolean => skill.visibility !== 'gone'

/** Longest name that clients install (the specification of skills); a longer one they drop in silence. */
export const INSTALLED_NAME = 64

export const isNamedTooLong = ({ slug }: Pick<Skill, 'slug'>): boolean =>
  slug.length > INSTALLED_NAME

/**
 * Whether clients can install a skill by its address: its own text is here, which an update would else replace by a
 * synthesized SKILL.md, and they take its name.
 */
export const isInstallable = (skill: Pick<Skill, 'slug' | 'tokens'>): boolean =>
  skill.tokens !== undefined && !isNamedTooLong(skill)

/** Longest description of a listing row, in characters, the ellipsis included (decisions, "The API"). */
export const LISTING_DESCRIPTION = 240

/** A skill in an answer of the API: exactly the fields of registry-api 2.1, in that order. */
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

/** What a row of a page shows besides what the API answers with. */
export type SkillCard = Pick<SkillFacts, 'summary' | 'updated' | 'licence' | 'tokens' | 'safety'>

/** `ownSourceUrl` is the address of the registry's copy, for a skill of its own. */
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
