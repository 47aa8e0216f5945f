import { SLUG_LIMIT, isSlug } from '../../../src/catalog/text.ts'

/** Longer slugs are hard to read in an address. */
const NAME_SLUG_LIMIT = 60

const cutSlug = (text: string, limit: number): string => text.slice(0, limit).replace(/-+$/, '')

/** The words of a text, a-z and 0-9, joined by single hyphens; may be empty. */
export const slugify = (text: string): string =>
  cutSlug(
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-/, ''),
    NAME_SLUG_LIMIT,
  )

/** Cuts the base and keeps the ending, which distinguishes slugs. */
const extendSlug = (base: string, ending: string): string =>
  `${cutSlug(base, SLUG_LIMIT - ending.length - 1)}-${ending}`

/** Chooses a free slug: the name, else name and author, else these with a number from 2 on. */
export const chooseSlug = (
  skill: { name: string; folderName: string; author: string; id: number },
  taken: ReadonlySet<string>,
): string => {
  const words = slugify(skill.name) || slugify(skill.folderName) || `skill-${skill.id}`
  // Names of pages of the site and of Windows devices are not allowed as slugs.
  const base = isSlug(words) ? words : `${words}-skill`
  if (!taken.has(base)) return base
  const withAuthor = extendSlug(base, slugify(skill.author) || 'author')
  if (!taken.has(withAuthor)) return withAuthor
  let count = 2
  while (taken.has(extendSlug(withAuthor, String(count)))) count += 1
  return extendSlug(withAuthor, String(count))
}
