import { encodePath } from '../catalog/address.ts'
import type { Category } from '../catalog/categories.ts'
import { categorySlug } from '../catalog/categories.ts'

/** Origin of every absolute address unless SITE_URL says otherwise. */
export const DEFAULT_ORIGIN = 'http://localhost:4321'

/** Returns the path of a site on its host: `/skills` for `https://acme.github.io/skills`, or an empty string. */
export const basePath = (origin: string): string => new URL(origin).pathname.replace(/\/+$/, '')

/** Files that `listSiteFiles` renders besides the pages. The header rules for CDNs are also made from this list. */
export const SITE_FILES = {
  openapi: '/openapi.json',
  llms: '/llms.txt',
  robots: '/robots.txt',
  favicon: '/favicon.svg',
} as const

/** Fixed addresses, and prefixes of other addresses. */
export const PATHS = {
  home: '/',
  skills: '/skills',
  files: '/files',
  categories: '/categories',
  authors: '/authors',
  blog: '/blog',
  about: '/about',
  docs: '/docs',
  apiDocs: '/docs/api',
  safetyDocs: '/docs/safety',
  versionDocs: '/docs/versions',
  directories: '/docs/directories',
  notFound: '/404',
  sitemap: '/sitemap.xml',
  /** A line of JSON for every skill. */
  dump: '/catalog.ndjson',
  /** Digests of all zips, as `sha256sum` writes them. */
  sums: '/sha256sums.txt',
  /** A line of JSON for every published version, if the registry promises versions. */
  versions: '/versions.ndjson',
  /** The withdrawn versions, with reasons. */
  advisories: '/advisories.json',
  listingApi: '/api/v1/skills',
  /** The search API that `npx skills find` calls. */
  searchApi: '/api/search',
  download: '/api/skills/download',
  ...SITE_FILES,
} as const

export const skillPath = (slug: string): string => `${PATHS.skills}/${slug}`

export const skillJsonPath = (slug: string): string => `${skillPath(slug)}.json`

/** Address of a version of a skill. The addresses of its zip and index start with it. */
export const versionPath = (slug: string, name: string): string => `${skillPath(slug)}@${name}`

export const versionZipPath = (slug: string, name: string): string =>
  `${versionPath(slug, name)}.zip`

export const versionsPath = (slug: string): string => `${skillPath(slug)}@versions`

export const versionListPath = (slug: string): string => `${versionsPath(slug)}.json`

/** Address of one file of a skill, each segment percent-encoded. */
export const skillFilePath = (slug: string, file: string): string =>
  `${skillPath(slug)}/${encodePath(file)}`

/**
 * Whether a file of a skill has a raw address. A path with a part that starts with a dot has none: `.well-known`
 * belongs to the registry, and web servers obey `.htaccess`.
 */
export const hasRawAddress = (file: string): boolean => !/(?:^|\/)\./.test(file)

/** Name of a skill's file in a build. Files below `private` have no address. */
export const storedFileName = (slug: string, file: string): string =>
  hasRawAddress(file) ? `public${skillPath(slug)}/${file}` : `private/files/${slug}/${file}`

/** Address of the page about a file of a skill. It ends in `view`, so it can never be the twin of another page. */
export const filePagePath = (slug: string, file: string): string =>
  `${PATHS.files}/${slug}/${encodePath(file)}/view`

export const categoryPath = (category: Category): string =>
  `${PATHS.categories}/${categorySlug(category)}`

/** Address of a feed in a folder: '' for the whole site, or the address of a category. */
export const feedPath = (folder = ''): string => `${folder}/feed.atom`

/** Address of the preview picture for links to a page: of its category, or of the site. */
export const previewPath = (category?: Category): string =>
  `/previews/${category ? categorySlug(category) : 'site'}.png`

export const rulePath = (rule: string): string => `${PATHS.safetyDocs}#${rule}`

/** Address of an author's page, in lower case. */
export const authorPath = (author: string): string => `${PATHS.authors}/${author.toLowerCase()}`

export const postPath = (slug: string): string => `${PATHS.blog}/${slug}`

/** Address of a page of `content/pages`. If its slug starts with `docs-`, it is below /docs. */
export const prosePath = (slug: string): string =>
  slug.startsWith('docs-') ? `/docs/${slug.slice('docs-'.length)}` : `/${slug}`

/** Name of the file below `private/` with the files of a skill that have a page, and the scan findings in each. */
export const pagedFilesName = (slug: string): string => `paged/${slug}.json`

/** Address of a skill's zip. */
export const downloadPath = (id: number): string => `${PATHS.download}/${id}`

/** Address of a page's Markdown twin. */
export const twinPath = (path: string): string => (path === PATHS.home ? '/index.md' : `${path}.md`)
