import type { Document, Section } from './document.ts'
import { fenced, tabled } from './prose/blocks.ts'
import { PATHS } from './paths.ts'
import {
  bullets,
  inCode,
  joinPhrases,
  linked,
  paragraphs,
  phrase,
  stacked,
  withCode,
} from './prose/phrases.ts'
import type { Phrase } from './prose/phrases.ts'

interface Parameter {
  name: string
  required?: boolean
  /** Words between backticks are code. */
  description?: string
  schema?: {
    type?: string
    enum?: readonly unknown[]
    default?: unknown
    items?: { enum?: readonly unknown[] }
    minimum?: number
    maximum?: number
  }
}

interface Response {
  content?: Record<
    string,
    { example?: unknown; examples?: Record<string, { summary?: string; value?: unknown }> }
  >
}

interface Operation {
  parameters?: readonly Parameter[]
  responses: Record<string, Response | { $ref: string }>
}

/** The parts of the OpenAPI description that the API page shows. */
export interface ApiDescription {
  openapi: string
  info: { title: string; version: string }
  servers: readonly { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response> }
}

const joinCodes = (values: readonly unknown[]): Phrase =>
  joinPhrases(values.map((value) => inCode(String(value))))

const describeValues = ({ schema = {}, required }: Parameter): Phrase => {
  const { type = 'string', minimum, maximum = Infinity, default: fallback } = schema
  const values = schema.enum ?? schema.items?.enum
  // A maximum of `Number.MAX_SAFE_INTEGER` is not worth showing.
  const range = maximum < Number.MAX_SAFE_INTEGER ? `${minimum} to ${maximum}` : `from ${minimum}`
  const allowed = values ? joinCodes(values) : minimum === undefined ? type : `${type}, ${range}`
  if (required) return phrase`${allowed}; required`
  return fallback === undefined
    ? phrase`${allowed}`
    : phrase`${allowed}; default ${joinCodes([fallback])}`
}

const writeParameters = ({ parameters = [] }: Operation): Phrase =>
  tabled(
    ['Parameter', 'Values', 'Meaning'],
    parameters.map((parameter) => [
      inCode(parameter.name),
      describeValues(parameter),
      withCode(parameter.description ?? ''),
    ]),
  )

const writeJson = (value: unknown): Phrase => fenced(JSON.stringify(value, null, 2), 'json')

const writeExample = ({ responses }: Operation): Phrase => {
  const { content } = responses['200'] as Response
  return writeJson(content?.['application/json']?.example)
}

/** An example request. A button on the page sends a request to the same address. */
const writeRequest = (address: string, options = ''): Phrase =>
  fenced(`curl ${options}"${address}"`, 'sh')

interface Failure {
  code: string
  status: string
  when: string
  value: unknown
}

/** Lists every error of the operations once, ordered by status. */
const listFailures = ({ paths, components }: ApiDescription): Failure[] => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const responses = operations.flatMap((operation) => Object.entries(operation.responses))
  const failures = responses.flatMap(([status, response]) => {
    if (!('$ref' in response)) return []
    const { content } = components.responses[response.$ref.split('/').at(-1)!]!
    const examples = Object.entries(content?.['application/json']?.examples ?? {})
    return examples.map(([code, { summary = '', value }]) => ({
      code,
      status: status === 'default' ? '404' : status,
      when: summary,
      value,
    }))
  })
  const byCode = new Map(failures.map((failure) => [failure.code, failure]))
  return [...byCode.values()].sort((a, b) => Number(a.status) - Number(b.status))
}

const writeErrors = (failures: readonly Failure[], address: string): Phrase =>
  stacked([
    paragraphs(
      phrase`Every error under \`/api/\` has the same shape and is never cached: \`code\` never changes, \`message\` names the wrong value, \`hint\` says what is allowed, and \`docs\` links to the OpenAPI description. This request fails:`,
    ),
    writeRequest(`${address}?sort=best`),
    paragraphs(phrase`The response is \`400\` with:`),
    writeJson(failures.find(({ code }) => code === 'INVALID_SORT')?.value),
    tabled(
      ['Code', 'Status', 'When'],
      failures.map(({ code, status, when }) => [inCode(code), phrase`${status}`, withCode(when)]),
    ),
  ])

const writeSearch = (operation: Operation, address: string): Phrase =>
  stacked([
    paragraphs(
      phrase`With \`q\`, this searches and returns the best match first. Without \`q\`, it lists every skill in the order that \`sort\` names. Skills whose source is gone are left out. A wrong parameter is an error; it is never ignored.`,
    ),
    writeParameters(operation),
    paragraphs('A search for two words:'),
    writeRequest(`${address}?q=clean+csv`),
    paragraphs(phrase`The response is \`200\` with one page of skills and the total number:`),
    writeExample(operation),
    paragraphs(
      phrase`Skills of two categories, by name (write ${inCode('&')} in a name as \`%26\`):`,
    ),
    writeRequest(`${address}?cat=Security,Data+%26+Analytics&sort=name&limit=2`),
    paragraphs(
      phrase`A request whose \`If-None-Match\` has the \`ETag\` of the last answer gets \`304\` if nothing has changed.`,
    ),
  ])

const writeFind = (operation: Operation, address: string): Phrase =>
  stacked([
    paragraphs(
      phrase`\`npx skills find\` sends its searches here if \`SKILLS_API_URL\` is the address of this site. The skills and their order are the same as above, in the shape that the client reads.`,
    ),
    writeParameters(operation),
    writeRequest(`${address}?q=clean+csv&limit=1`),
    writeExample(operation),
  ])

const writeZip = (operation: Operation): Phrase =>
  stacked([
    paragraphs(
      phrase`A zip with SKILL.md at its root. If the source is gone, or the licence forbids copying, SKILL.md is a substitute written from the catalog: it says where to find the original, and models do not invoke it. There are no query parameters.`,
    ),
    writeParameters(operation),
  ])

/** For static hosts, which cannot send our headers. */
const writeZipFile = (operation: Operation, address: string): Phrase =>
  stacked([writeZip(operation), writeRequest(address, '-o skill.zip ')])

const writeDownload = (operation: Operation, address: string): Phrase =>
  stacked([
    writeZip(operation),
    paragraphs('Save it under the file name in the response:'),
    writeRequest(address, '-OJ '),
    bullets([
      phrase`\`200\`: the whole zip; its \`ETag\` is its SHA-256.`,
      phrase`\`206\`: the part named by a single \`Range\`.`,
      phrase`\`304\`: the zip still matches \`If-None-Match\`.`,
      phrase`\`308\`: the skill moved; \`Location\` is the new address of its zip.`,
    ]),
  ])

/** Writes the API page; parameters, examples and errors come from the OpenAPI description. */
export const writeApiDocument = (
  api: ApiDescription,
  { updated, skill, isPrivate }: { updated: string; skill: number; isPrivate: boolean },
): Document => {
  const origin = api.servers[0]?.url ?? ''
  const describe = (
    id: string,
    path: string,
    write: (operation: Operation, address: string) => Phrase,
  ): Section => {
    const operation = api.paths[path]!['get']!
    const address = origin + path.replace('{id}', String(skill))
    return { id, heading: `GET ${path}`, ...write(operation, address) }
  }
  const isStatic = !Object.hasOwn(api.paths, PATHS.listingApi)
  const download = ['get-apiskillsdownloadid', `${PATHS.download}/{id}`] as const
  const sections = isStatic
    ? [describe(...download, writeZipFile)]
    : [
        describe('get-apiv1skills', PATHS.listingApi, writeSearch),
        describe('get-apisearch', PATHS.searchApi, writeFind),
        describe(...download, writeDownload),
        {
          id: 'errors',
          heading: 'Errors',
          ...writeErrors(listFailures(api), origin + PATHS.listingApi),
        },
      ]
  const readers = isStatic
    ? phrase`all skills are in ${linked('catalog.ndjson', PATHS.dump)}, one line of JSON each`
    : phrase`scripts from any origin may read the responses`
  const offers = isStatic ? 'download skills' : 'search skills and download them'
  return {
    kind: 'article',
    path: PATHS.apiDocs,
    heading: 'API',
    lead: phrase`${isPrivate ? 'Private, read-only' : 'Public, read-only, no key'}; ${readers}. Full description: ${linked('openapi.json', PATHS.openapi)}, OpenAPI ${api.openapi}, version ${api.info.version}.`,
    description: `${api.info.title}: ${offers}, with every parameter, response and error.`,
    updated,
    isUnindexed: false,
    sections,
  }
}
