import type { Category } from './categories.ts'
import { truncateAtWord } from './text.ts'

/** How much a reader should know before using a skill (decisions, "The skill page"). */
export const DIFFICULTIES = ['Beginner', 'Intermediate', 'Advanced'] as const
export type Difficulty = (typeof DIFFICULTIES)[number]

/** What the scan says: something to look at, or nothing found. Never "Safe". */
export type Safety = 'Review' | 'No findings'

/** Where a skill comes from, and whether that place still answers. */
export type Source =
  | { kind: 'own' }
  | {
      kind: 'upstream'
      /** Address of the folder upstream, GitHub tree form where it is GitHub. */
      url: string
      status: 'alive' | 'gone' | 'untraced'
      /** Day of the last check, YYYY-MM-DD. */
      checked: string
      /** Day the source was last seen alive, YYYY-MM-DD; stays when it is gone. */
      seen?: string | undefined
    }

/** What the registry shows of a skill (decisions, "Visibility"). `untraced` never leaves load. */
export type Visibility = 'indexable' | 'own' | 'gone'

/** The parts of a skill page an author may write; each string is one line or paragraph of Markdown. */
export interface EditorialParts {
  summary?: string | undefined
  activation?: string | undefined
  capabilities?: string[] | undefined
  howItWorks?: string[] | undefined
  inputs?: string[] | undefined
  outputs?: string[] | undefined
  whenToUse?: string[] | undefined
  whenNotToUse?: string[] | undefined
  prerequisites?: string[] | undefined
  limitations?: string[] | undefined
  examples?: string[] | undefined
}

/** One place in a skill's files that wants a human's eye. */
export interface Finding {
  rule: string
  /** Path inside the skill's folder. */
  file: string
  /** 1-based line. */
  line: number
  /** What was found, in one sentence. */
  message: string
}

/** A file of a skill, path relative to its folder with `/`. */
export interface SkillFile {
  path: string
  size: number
}

/** A skill as the registry knows it: its record, its counters and what a scan of its files says. */
export interface Skill {
  id: number
  slug: string
  name: string
  author: string
  description: string
  category: Category
  /** Counters, 0 when unknown. */
  views: number
  installs: number
  /** Day of the last change, YYYY-MM-DD. */
  updated: string
  licence?: string | undefined
  difficulty: Difficulty
  /** True where the difficulty was derived and not written by the author. */
  difficultyDerived: boolean
  safety: Safety
  findings: Finding[]
  source: Source
  visibility: Visibility
  parts: EditorialParts
  /** Absolute folder of the files below. */
  folder: string
  /** Files as they lie in the zip, SKILL.md first; without SKILL.md it is synthesized. */
  files: SkillFile[]
}

/** What lists, comparisons and the search say of a skill: everything but its text and its files. */
export type SkillFacts = Pick<
  Skill,
  | 'id'
  | 'slug'
  | 'name'
  | 'author'
  | 'description'
  | 'category'
  | 'views'
  | 'installs'
  | 'updated'
  | 'difficulty'
  | 'safety'
  | 'source'
  | 'visibility'
>

/** Takes the facts out of a skill, or of what holds more. */
export const factsOfSkill = (skill: SkillFacts): SkillFacts => ({
  id: skill.id,
  slug: skill.slug,
  name: skill.name,
  author: skill.author,
  description: skill.description,
  category: skill.category,
  views: skill.views,
  installs: skill.installs,
  updated: skill.updated,
  difficulty: skill.difficulty,
  safety: skill.safety,
  source: skill.source,
  visibility: skill.visibility,
})

/** Says whether a skill may be listed, searched, mapped and compared. */
export const isListed = (skill: Pick<Skill, 'visibility'>): boolean => skill.visibility !== 'gone'

/** Longest description of a listing row, in characters, the ellipsis included (decisions, "The API"). */
export const LISTING_DESCRIPTION = 240

/** A Skill as the API gives it: exactly the fields of registry-api 2.1, in that order. */
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

/** Turns a catalog skill into its API form; `ownSourceUrl` is the registry's copy of the file. */
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
