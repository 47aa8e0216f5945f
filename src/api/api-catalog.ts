import {
  API_CATALOG_PATH,
  API_DOCS_PATH,
  LISTING_API_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  twinPath,
} from '../documents/paths.ts'

/** Renders /.well-known/api-catalog: which APIs there are, and what describes them (RFC 9727). */
export const renderApiCatalog = (origin: string): string => {
  const link = (path: string, type: string): { href: string; type: string } => ({
    href: origin + path,
    type,
  })
  const api = origin + LISTING_API_PATH
  const linkset = [
    { anchor: origin + API_CATALOG_PATH, item: [{ href: api }] },
    {
      anchor: api,
      'service-desc': [link(OPENAPI_PATH, 'application/json')],
      'service-doc': [
        link(API_DOCS_PATH, 'text/html'),
        link(twinPath(API_DOCS_PATH), 'text/markdown'),
      ],
      'service-meta': [link(LLMS_PATH, 'text/plain')],
    },
  ]
  return `${JSON.stringify({ linkset }, null, 2)}\n`
}
