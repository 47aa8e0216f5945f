import { SLUG_LIMIT, isSlug } from '../../../src/catalog/schema.ts'

/** Longest slug made from a name; longer ones are hard to read in an address. */
const NAME_SLUG_LIMIT = 60

const cutSlug = (text: string, limit: number): string => text.slice(0, limit).replace(/-+$/, '')

/** Gives the words of a text as a slug would have them: a-z and 0-9 joined by single hyphens. */
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

/** What a slug is made from. */
export interface Named {
  name: string
  folderName: string
  author: string
  id: number
}

/** Joins words to a slug and cuts the first, never the last: that is what tells two slugs apart. */
const extendSlug = (base: string, ending: string): string =>
  `${cutSlug(base, SLUG_LIMIT - ending.length - 1)}-${ending}`

const baseSlug = ({ name, folderName, id }: Named): string => {
  const words = slugify(name) || slugify(folderName) || `skill-${id}`
  // A page of the site or a device of Windows has that name.
  return isSlug(words) ? words : `${words}-skill`
}

/** Chooses a free slug: the name, else with the author, else counted on from 2. */
export const chooseSlug = (named: Named, isTaken: (slug: string) => boolean): string => {
  const base = baseSlug(named)
  if (!isTaken(base)) return base
  const withAuthor = extendSlug(base, slugify(named.author) || 'author')
  if (!isTaken(withAuthor)) return withAuthor
  let count = 2
  while (isTaken(extendSlug(withAuthor, String(count)))) count += 1
  return extendSlug(withAuthor, String(count))
}
