import { encodePath } from '../catalog/address.ts'
import type { Category } from '../catalog/categories.ts'
import { categorySlug } from '../catalog/categories.ts'

/** Origin of every absolute address unless SITE_URL says otherwise. */
export const DEFAULT_ORIGIN = 'http://localhost:4321'

/** The path of a site on its host, as `/skills` of `https://acme.github.io/skills`; empty at the root of the host. */
export const basePath = (origin: string): string => new URL(origin).pathname.replace(/\/+$/, '')

/** Files that `listSiteFiles` renders beside the pages; the table of header rules for CDNs reads this list too. */
export const SITE_FILES = {
  openapi: '/openapi.json',
  llms: '/llms.txt',
  robots: '/robots.txt',
  favicon: '/favicon.svg',
  opensearch: '/opensearch.xml',
  apiCatalog: '/.well-known/api-catalog',
} as const

/** Addresses that are fixed, or that others are below. */
export const PATHS = {
  home: '/',
  skills: '/skills',
  files: '/files',
  categories: '/categories',
  authors: '/authors',
  stats: '/stats',
  /** Printed by the function; it leads to bundles. */
  bundles: '/b',
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
  /** A line of JSON for every version that was published, where versions are promised. */
  versions: '/versions.ndjson',
  /** Which versions are withdrawn, and why. */
  advisories: '/advisories.json',
  listingApi: '/api/v1/skills',
  /** Where `skills find` searches. */
  searchApi: '/api/search',
  download: '/api/skills/download',
  ...SITE_FILES,
} as const

/** Endings of the forms of a feed. */
export const FEED_FORMS = ['atom', 'json'] as const

type FeedForm = (typeof FEED_FORMS)[number]

export const skillPath = (slug: string): string => `${PATHS.skills}/${slug}`

/** Address of the short answer about a skill. */
export const skillJsonPath = (slug: string): string => `${skillPath(slug)}.json`

/** Address of a version of a skill; those of its zip and its index begin with it. */
export const versionPath = (slug: string, name: string): string => `${skillPath(slug)}@${name}`

export const versionZipPath = (slug: string, name: string): string =>
  `${versionPath(slug, name)}.zip`

/** Address of the list of a skill's versions. */
export const versionListPath = (slug: string): string => `${skillPath(slug)}@versions.json`

/** Address of one file of a skill, each segment percent-encoded. */
export const skillFilePath = (slug: string, file: string): string =>
  `${skillPath(slug)}/${encodePath(file)}`

/**
 * Whether a file of a skill has a raw address. One with a part that begins with a dot has none: `.well-known` is the
 * registry's, and hosts obey `.htaccess`.
 */
export const hasRawAddress = (file: string): boolean => !/(?:^|\/)\./.test(file)

/** Name of a skill's file in a build; `private` has no addresses. */
export const storedFileName = (slug: string, file: string): string =>
  hasRawAddress(file) ? `public${skillPath(slug)}/${file}` : `private/files/${slug}/${file}`

/** Address of the page of a skill's file. It ends in a name of ours: no file's page can be another's twin. */
export const filePagePath = (slug: string, file: string): string =>
  `${PATHS.files}/${slug}/${encodePath(file)}/view`

export const categoryPath = (category: Category): string =>
  `${PATHS.categories}/${categorySlug(category)}`

/** Address of a feed in a folder: '' for the whole site, or the address of a category. */
export const feedPath = (form: FeedForm, folder = ''): string => `${folder}/feed.${form}`

/** Address of the picture that stands for a page where it is shared: that of its category, or the site's. */
export const previewPath = (category?: Category): string =>
  `/previews/${category ? categorySlug(category) : 'site'}.png`

/** Address of an author's page, in lower case. */
export const authorPath = (author: string): string => `${PATHS.authors}/${author.toLowerCase()}`

/** Skills that one bundle can have. */
export const MOST_BUNDLED = 12

/** Address of some skills together: of its page or twin, and above that of its index. */
export const bundlePath = (slugs: readonly string[], isTwin = false): string =>
  `${PATHS.bundles}/${slugs.map(encodeURIComponent).join('+')}${isTwin ? '.md' : ''}`

export const postPath = (slug: string): string => `${PATHS.blog}/${slug}`

/** Address of a page of `content/pages`; pages about the API or authoring are below /docs. */
export const prosePath = (slug: string): string =>
  slug.startsWith('docs-') ? `/docs/${slug.slice('docs-'.length)}` : `/${slug}`

/** Name below `private/` of what the scan found in the files of a skill. */
export const findingsName = (slug: string): string => `findings/${slug}.json`

/** Address of a skill's zip. */
export const downloadPath = (id: number): string => `${PATHS.download}/${id}`

/** Address of a page's Markdown twin. */
export const twinPath = (path: string): string => (path === PATHS.home ? '/index.md' : `${path}.md`)
