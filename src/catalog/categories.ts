/** The nine category values of the contract, in their published order. */
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

export const isCategory = (value: string): value is Category =>
  (CATEGORIES as readonly string[]).includes(value)

/** `Data & Analytics` becomes `data-and-analytics`. */
export const categorySlug = (category: Category): string =>
  category.toLowerCase().replaceAll('&', 'and').replaceAll(' ', '-')
