import { truncateAtWord } from '../catalog/text.ts'
import { FAVICON_PATH, LISTING_API_PATH, OPENSEARCH_PATH, SKILLS_PATH } from './paths.ts'
import type { Site } from './site.ts'
import { XML_HEAD, cleanLine, escapeXml } from './xml.ts'

/** Most characters that OpenSearch 1.1 allows. */
const LIMITS = { ShortName: 16, LongName: 48, Description: 1024 }

const element = (field: keyof typeof LIMITS, text: string): string =>
  `<${field}>${escapeXml(truncateAtWord(cleanLine(text), LIMITS[field]))}</${field}>`

/** Renders /opensearch.xml, by which a browser adds the search of the site to its own. */
export const renderOpenSearch = ({ catalog, origin }: Pick<Site, 'catalog' | 'origin'>): string => {
  const { name, description } = catalog.site
  const address = (type: string, path: string, rel = 'results'): string =>
    `<Url type="${type}" rel="${rel}" template="${escapeXml(origin)}${path}"/>`
  return [
    XML_HEAD,
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    element('ShortName', name),
    element('LongName', name),
    element('Description', description),
    '<InputEncoding>UTF-8</InputEncoding>',
    `<Image type="image/svg+xml">${escapeXml(origin)}${FAVICON_PATH}</Image>`,
    address('text/html', `${SKILLS_PATH}?q={searchTerms}`),
    address('application/json', `${LISTING_API_PATH}?q={searchTerms}`),
    address('application/opensearchdescription+xml', OPENSEARCH_PATH, 'self'),
    '</OpenSearchDescription>\n',
  ].join('\n')
}
