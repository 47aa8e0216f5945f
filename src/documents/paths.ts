import type { Category } from '../catalog/categories.ts'
import { categorySlug } from '../catalog/categories.ts'

/** Origin of every absolute address unless SITE_URL says otherwise. */
export const DEFAULT_ORIGIN = 'http://localhost:4321'

export const HOME_PATH = '/'
export const SKILLS_PATH = '/skills'
export const FILES_PATH = '/files'
export const CATEGORIES_PATH = '/categories'
export const AUTHORS_PATH = '/authors'
export const STATS_PATH = '/stats'
/** Printed by the function. */
export const COMPARE_PATH = '/compare'
/** Printed by the function; it leads to bundles. */
export const BUNDLES_PATH = '/b'
export const BLOG_PATH = '/blog'
export const ABOUT_PATH = '/about'
export const API_DOCS_PATH = '/docs/api'
export const SAFETY_DOCS_PATH = '/docs/safety'
export const DIRECTORIES_PATH = '/docs/directories'
export const NOT_FOUND_PATH = '/404'
export const OPENAPI_PATH = '/openapi.json'
export const LLMS_PATH = '/llms.txt'
export const SITEMAP_PATH = '/sitemap.xml'
export const ROBOTS_PATH = '/robots.txt'
/** Addresses in the shapes of others' registries are below it. */
export const COMPAT_PATH = '/compat'
/** What the ClawHub CLI takes for a registry, and the addresses that it asks of one. */
export const CLAWHUB_PATH = `${COMPAT_PATH}/clawhub`
export const CLAWHUB_API_PATH = `${CLAWHUB_PATH}/api/v1`
/** Where the ClawHub CLI looks for them. */
export const CLAWHUB_FILE_PATH = '/.well-known/clawhub.json'
export const FAVICON_PATH = '/favicon.svg'
export const OPENSEARCH_PATH = '/opensearch.xml'
export const API_CATALOG_PATH = '/.well-known/api-catalog'
/** A line of JSON for every skill. */
export const DUMP_PATH = '/catalog.ndjson'
/** Digests of all zips, as `sha256sum` writes them. */
export const SUMS_PATH = '/sha256sums.txt'
export const LISTING_API_PATH = '/api/v1/skills'
/** Where `skills find` searches. */
export const SEARCH_API_PATH = '/api/search'
export const DOWNLOAD_PATH = '/api/skills/download'

/** Files that `listSiteFiles` renders beside the pages; the table of header rules for CDNs reads this list too. */
export const SITE_FILE_PATHS = [
  OPENAPI_PATH,
  LLMS_PATH,
  ROBOTS_PATH,
  FAVICON_PATH,
  CLAWHUB_FILE_PATH,
  OPENSEARCH_PATH,
  API_CATALOG_PATH,
] as const

/** Files with a line for each zip, which change with every skill. */
export const ZIP_TABLE_PATHS = [DUMP_PATH, SUMS_PATH] as const

/** Endings of the forms of a feed. */
export const FEED_FORMS = ['atom', 'json'] as const

type FeedForm = (typeof FEED_FORMS)[number]

export const skillPath = (slug: string): string => `${SKILLS_PATH}/${slug}`

/** Address of one file of a skill, each segment percent-encoded. */
export const skillFilePath = (slug: string, file: string): string =>
  `${skillPath(slug)}/${file.split('/').map(encodeURIComponent).join('/')}`

/** Address of the page of a skill's file. It ends in a name of ours: no file's page can be another's twin. */
export const filePagePath = (slug: string, file: string): string =>
  `${FILES_PATH}/${slug}/${file.split('/').map(encodeURIComponent).join('/')}/view`

export const categoryPath = (category: Category): string =>
  `${CATEGORIES_PATH}/${categorySlug(category)}`

/** Address of the feed of a category, or of the whole site. */
export const feedPath = (form: FeedForm, category?: Category): string =>
  `${category ? categoryPath(category) : ''}/feed.${form}`

/** Address of the picture that stands for a page where it is shared: that of its category, or the site's. */
export const previewPath = (category?: Category): string =>
  `/previews/${category ? categorySlug(category) : 'site'}.png`

/** Address of the picture of a skill, where skills have their own. */
export const skillPreviewPath = (slug: string): string => `/previews/skills/${slug}.png`

/** Address of an author's page, in lower case. */
export const authorPath = (author: string): string => `${AUTHORS_PATH}/${author.toLowerCase()}`

/** Skills that one page can have side by side. */
export const MOST_COMPARED = 4

/** Address of the page that has some skills side by side. */
export const comparePath = (slugs: readonly string[], isTwin = false): string =>
  `${COMPARE_PATH}${isTwin ? '.md' : ''}?skills=${slugs.map(encodeURIComponent).join(',')}`

/** Skills that one bundle can have. */
export const MOST_BUNDLED = 12

/** Address of some skills together: of its page or twin, and above that of its index. */
export const bundlePath = (slugs: readonly string[], isTwin = false): string =>
  `${BUNDLES_PATH}/${slugs.map(encodeURIComponent).join('+')}${isTwin ? '.md' : ''}`

export const postPath = (slug: string): string => `${BLOG_PATH}/${slug}`

/** Address of a page of `content/pages`; pages about the API or authoring are below /docs. */
export const prosePath = (slug: string): string =>
  slug.startsWith('docs-') ? `/docs/${slug.slice('docs-'.length)}` : `/${slug}`

/** Name below `private/` of what the scan found in the files of a skill. */
export const findingsName = (slug: string): string => `findings/${slug}.json`

/** Name below `private/` of the files of a skill as pages show them: rendered, or in colour. */
export const viewsName = (slug: string): string => `views/${slug}.json`

/** Address of a skill's zip (registry-api 4.2). */
export const downloadPath = (id: number): string => `${DOWNLOAD_PATH}/${id}`

/** Address of a page's Markdown twin (decisions, "Markdown"). */
export const twinPath = (path: string): string => (path === HOME_PATH ? '/index.md' : `${path}.md`)
