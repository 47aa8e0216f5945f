import { CATEGORIES, categorySlug } from '../../src/catalog/categories.ts'
import type { Category } from '../../src/catalog/categories.ts'
import type { FrontMatter } from '../../src/catalog/front-matter.ts'

/**
 * Gives the category that an author chose in the front matter, as `category` or
 * `metadata.category`, in whatever case or as the address has it; other words choose none.
 */
export const readOwnCategory = (front: FrontMatter): Category | undefined => {
  const chosen = (front.category ?? front['metadata.category'])?.trim().toLowerCase()
  return CATEGORIES.find(
    (category) => category.toLowerCase() === chosen || categorySlug(category) === chosen,
  )
}
