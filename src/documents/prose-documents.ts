import type { Prose } from '../catalog/load.ts'
import type { Document, DocumentKind } from './document.ts'
import { countOf, postEntry } from './entries.ts'
import { escapeMarkdown } from './escape.ts'
import { BLOG_PATH, HOME_PATH, NOT_FOUND_PATH, SKILLS_PATH, postPath } from './paths.ts'
import { shiftHeadings } from './prose.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'

const writeProse = (prose: Prose, kind: DocumentKind, path: string): Document => ({
  kind,
  path,
  heading: prose.title,
  lead: escapeMarkdown(prose.description),
  description: prose.description,
  updated: prose.updated,
  isIndexable: true,
  facts: [],
  sections: [
    {
      id: 'text',
      markdown: shiftHeadings(prose.markdown, 1),
    },
  ],
})

/** Writes a blog post. */
export const writePostDocument = (post: Prose): Document => ({
  ...writeProse(post, 'post', postPath(post.slug)),
  facts: [
    { label: 'Published', value: post.date },
    ...(post.updated === post.date ? [] : [{ label: 'Updated', value: post.updated }]),
  ],
})

/** Address of a page of `content/pages`: what explains the API or authoring lies under /docs. */
export const prosePath = (slug: string): string =>
  slug.startsWith('docs-') ? `/docs/${slug.slice('docs-'.length)}` : `/${slug}`

/** Writes a page of the registry's own, such as `/about`. */
export const writePageDocument = (page: Prose): Document =>
  writeProse(page, 'prose', prosePath(page.slug))

/** Writes the list of blog posts, newest first. */
export const writeBlogDocument = ({ catalog }: Site): Document => ({
  kind: 'blog',
  path: BLOG_PATH,
  heading: 'Blog',
  lead: 'How the registry works, and how to get the most out of it.',
  description: `${countOf(catalog.posts.length, 'post')} about the registry, its search and writing skills that are found.`,
  updated: latestDay(catalog.posts.map((post) => post.updated)),
  isIndexable: true,
  facts: [],
  sections: [
    { id: 'posts', heading: 'Posts', markdown: '', entries: catalog.posts.map(postEntry) },
  ],
})

/** Writes the page that stands where no page is. */
export const writeMissingDocument = ({ catalog }: Site): Document => ({
  kind: 'missing',
  path: NOT_FOUND_PATH,
  heading: 'Page not found',
  lead: 'No page has this address. It may have been mistyped, or the skill was never listed.',
  description: `No page of ${catalog.site.name} has this address.`,
  updated: '1970-01-01',
  isIndexable: false,
  facts: [],
  sections: [
    {
      id: 'where-to-go',
      heading: 'Where to go',
      markdown: `- [Search the skills](${SKILLS_PATH})\n- [Start page](${HOME_PATH})\n- [Blog](${BLOG_PATH})`,
    },
  ],
})
