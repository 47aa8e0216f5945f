/** A category of a registry, and a sentence about it. */
export interface CategoryRecord {
  name: string
  description: string
}

/** The nine categories of the contract, in their published order; a registry may have its own. */
const CONTRACT: readonly CategoryRecord[] = [
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

/** The names of the nine. */
export const CATEGORIES: readonly Category[] = CONTRACT.map(({ name }) => name)

/** The categories of a registry, in their order. */
export const allCategories = (
  site: { categories?: readonly CategoryRecord[] | undefined } | undefined,
): readonly CategoryRecord[] => site?.categories ?? CONTRACT

/** Their names: `CATEGORIES` itself where a registry has none of its own. */
export const nameCategories = (site: Parameters<typeof allCategories>[0]): readonly Category[] =>
  site?.categories?.map(({ name }) => name) ?? CATEGORIES

/** `Data & Analytics` becomes `data-and-analytics`; what is not in the Latin alphabet, its code points. */
export const categorySlug = (category: Category): string =>
  category
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/(?<=[a-z])\p{M}/gu, '')
    .replace(/(?![a-z0-9])[\p{L}\p{N}\p{M}]/gu, (letter) => letter.codePointAt(0)!.toString(16))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
