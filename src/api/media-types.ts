import { API_CATALOG_PATH } from '../documents/paths.ts'

/** Media types of the site's own files, by extension; text is always UTF-8. */
const MEDIA_TYPES: Record<string, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  ndjson: 'application/x-ndjson',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
}

/** Media types of files that their extension does not determine, by file name. */
const EXACT_TYPES: Record<string, string> = {
  'api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  'feed.json': 'application/feed+json',
  'opensearch.xml': 'application/opensearchdescription+xml; charset=utf-8',
}

/** The type of everything unknown. */
export const BYTES = 'application/octet-stream'

/** The media type of one of the site's own files; `BYTES` if neither its name nor its extension is known. */
export const mediaTypeOf = (name: string): string => {
  const last = name.slice(name.lastIndexOf('/') + 1)
  if (Object.hasOwn(EXACT_TYPES, last)) return EXACT_TYPES[last] ?? BYTES
  const extension = /\.([a-z0-9]+)$/i.exec(last)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || BYTES
}

/** Header fields that describe one of the site's own files; RFC 9727 requires a link on the catalog of APIs. */
export const describeFile = (name: string): Readonly<Record<string, string>> => ({
  'Content-Type': mediaTypeOf(name),
  ...(`/${name}`.endsWith(API_CATALOG_PATH) && {
    Link: `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  }),
})

/** Extensions of precompressed files, the smaller form first. */
export const CODED_ENDINGS = ['.br', '.gz'] as const

/**
 * Pages, twins and what they load: no file of a skill, whose folder may have a name like those of coded files, and
 * none of the large tables, which every build writes.
 */
const CODED =
  /^public\/(?:_astro\/[^/]+\.(?:css|js|svg)|skills\/page\/\d+\.(?:html|md)|skills\/[^/]+\.(?:html|md)|(?!skills\/).+\.(?:html|md))$/

/** Whether a build with coded files has them beside this one. */
export const isCoded = (name: string): boolean => CODED.test(name)

/** Whether a name is that of a coded form. */
export const isCodedForm = (name: string): boolean => {
  const ending = CODED_ENDINGS.find((one) => name.endsWith(one))
  return ending !== undefined && isCoded(name.slice(0, -ending.length))
}
