import { typeLetters } from './text.ts'

export interface CategoryRecord {
  name: string
  description: string
}

/** The nine default categories, in their published order; a registry can define its own. */
const DEFAULT_CATEGORIES: readonly CategoryRecord[] = [
  { name: 'Coding', description: 'Writing, testing, building and running software.' },
  { name: 'Communication', description: 'Messages and meetings: mail, chat, support, handover.' },
  { name: 'Data & Analytics', description: 'Databases, pipelines, metrics, statistics, plots.' },
  { name: 'Design', description: 'How things look and work: interfaces, type, charts.' },
  { name: 'Planning', description: 'Deciding what to do: strategy, specs, risks, estimates.' },
  { name: 'Productivity', description: 'Documents, files, calendars, sheets, automation.' },
  { name: 'Research', description: 'Literature, sources, users, markets, evidence.' },
  { name: 'Security', description: 'Vulnerabilities, secrets, identity, privacy.' },
  { name: 'Writing', description: 'Docs, articles, release notes, style, translation.' },
]

export type Category = string

/** Names of the nine default categories. */
export const CATEGORIES: readonly Category[] = DEFAULT_CATEGORIES.map(({ name }) => name)

/** A registry's categories, in order. */
export const allCategories = (
  site: { categories?: readonly CategoryRecord[] | undefined } | undefined,
): readonly CategoryRecord[] => site?.categories ?? DEFAULT_CATEGORIES

/** Names of a registry's categories. If it defines none, `CATEGORIES` itself: callers compare the identity. */
export const nameCategories = (site: Parameters<typeof allCategories>[0]): readonly Category[] =>
  site?.categories?.map(({ name }) => name) ?? CATEGORIES

/**
 * Turns `Data & Analytics` into `data-and-analytics`, `Zażółć` into `zazolc`. Letters that are not Latin become code
 * points in hex.
 */
export const categorySlug = (category: Category): string =>
  typeLetters(category.normalize('NFKD').toLowerCase())
    .replaceAll('&', ' and ')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .replace(/(?![a-z0-9])[\p{L}\p{N}\p{M}]/gu, (letter) => letter.codePointAt(0)!.toString(16))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
