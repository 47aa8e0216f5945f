import type { Sort } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import type { ListedSkill } from '../catalog/skill.ts'

/** Which skills are wanted, whatever else is asked. */
export interface Filter {
  /** Any of these; an empty list is all. */
  categories: readonly Category[]
}

/** What a reader asks of the index, checked: `limit` is at least 1, `offset` at least 0. */
export interface FindRequest extends Filter {
  q?: string | undefined
  /** The order without a query; with one, results are scored. */
  sort: Sort
  limit: number
  offset: number
}

/** A page of skills, and how many there are on all pages (registry-api 2.3). */
export interface Found {
  skills: ListedSkill[]
  total: number
}

/** The listed skills of a registry, opened for search and browsing (registry-api 4.1). */
export interface SkillIndex {
  size: number
  find(request: FindRequest): Found
  /** Finds the same page as JSON in UTF-8, where the rows lie ready as such. */
  findRows?(request: FindRequest): { rows: Uint8Array[]; total: number }
}
