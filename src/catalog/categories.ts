/** The nine category values of the contract (registry-api 2.2), in their published order. */
export const CATEGORIES = [
  'Coding',
  'Communication',
  'Data & Analytics',
  'Design',
  'Planning',
  'Productivity',
  'Research',
  'Security',
  'Writing',
] as const

export type Category = (typeof CATEGORIES)[number]

/** Says whether a value is exactly one of the nine; other case or blanks are not. */
export const isCategory = (value: string): value is Category =>
  (CATEGORIES as readonly string[]).includes(value)

/** Gives the address form of a category: `Data & Analytics` is `data-and-analytics`. */
export const categorySlug = (category: Category): string =>
  category.toLowerCase().replaceAll('&', 'and').replaceAll(' ', '-')
