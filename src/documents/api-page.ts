import type { Document, Section } from './document.ts'
import { printCodeSpan, printFence } from './print.ts'
import { PATHS } from './paths.ts'
import { linkTo } from './tree.ts'
import { Anchors } from './anchors.ts'

interface Parameter {
  name: string
  required?: boolean
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
  description: string
  content?: Record<
    string,
    { example?: unknown; examples?: Record<string, { summary?: string; value?: unknown }> }
  >
}

interface Operation {
  description?: string
  parameters?: readonly Parameter[]
  responses: Record<string, Response>
}

/** The parts of an OpenAPI description that the API's page shows. */
export interface ApiDescription {
  openapi: string
  info: { title: string; version: string; description?: string }
  servers: readonly { url: string }[]
  paths: Record<string, Record<string, Operation>>
}

/** An example request for the operation at `path`, with its caption. */
interface Example {
  path: string
  /** The path with its parameters filled in, and a query. */
  address: (skill: number) => string
  words: string
}

const EXAMPLES: readonly Example[] = [
  {
    path: '/api/v1/skills',
    address: () => '/api/v1/skills?q=clean+csv',
    words: 'What two words find, the best match first:',
  },
  {
    path: '/api/v1/skills',
    address: () => '/api/v1/skills?cat=Security,Data+%26+Analytics&sort=name&limit=2',
    words: 'Two categories by name; `&` in a name is written `%26`:',
  },
  {
    path: '/api/skills/download/{id}',
    address: (id) => `/api/skills/download/${id}`,
    words: 'A zip, saved under the name that the answer gives it:',
  },
]

/** A request that is refused, as the example of the error envelope. */
const REFUSED = { address: '/api/v1/skills?sort=best', code: 'INVALID_SORT' }

const ZIP = 'application/zip'

const describeValues = ({ schema = {}, required }: Parameter): string => {
  const values = schema.enum ?? schema.items?.enum
  const { type = 'string', minimum, maximum } = schema
  // `Number.MAX_SAFE_INTEGER` is no limit that a reader needs to know.
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  const range = isBounded ? `, ${minimum} to ${maximum}` : `, from ${minimum}`
  const bounds = minimum === undefined ? '' : range
  const allowed = values
    ? values.map((value) => printCodeSpan(String(value))).join(', ')
    : `${type}${bounds}`
  if (required) return `${allowed}; required`
  return schema.default === undefined
    ? allowed
    : `${allowed}; ${printCodeSpan(String(schema.default))} where left out`
}

const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

const writeTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

/** `described` are those of earlier operations. */
const writeParameters = (
  parameters: readonly Parameter[],
  described: readonly Parameter[],
): string =>
  writeTable(
    ['Parameter', 'Values', 'Meaning'],
    parameters.map((parameter) => {
      const { name, description = '' } = parameter
      const isDescribed = described.some(
        (one) => one.name === name && one.description === description,
      )
      return [
        printCodeSpan(name),
        describeValues(parameter),
        isDescribed ? 'As above.' : description,
      ]
    }),
  )

const writeJson = (value: unknown): string => printFence(JSON.stringify(value, null, 2), 'json')

/** A request as a curl command, from which the page's script reads the address. */
const writeCurl = (address: string, isFile: boolean): string =>
  printFence(`curl ${isFile ? '-OJ ' : ''}"${address}"`, 'sh')

const isSuccess = (status: string): boolean => /^[23]/.test(status)

/** A few answers become sentences, many a table. */
const writeAnswers = ({ responses }: Operation): string => {
  const answers = Object.entries(responses).filter(([status]) => isSuccess(status))
  return answers.length > 2
    ? writeTable(
        ['Status', 'Answer'],
        answers.map(([status, { description }]) => [status, description]),
      )
    : answers
        .map(([status, { description }]) => `${printCodeSpan(status)}: ${description}`)
        .join(' ')
}

/** `skill` is the id of an existing skill. */
const writeOperation = (
  path: string,
  operation: Operation,
  { origin, skill, described }: { origin: string; skill: number; described: readonly Parameter[] },
): string => {
  const { content = {} } = operation.responses['200'] ?? {}
  const sample = content['application/json']?.example
  const examples = EXAMPLES.filter((example) => example.path === path).flatMap(
    ({ address, words }, at) =>
      [words, writeCurl(origin + address(skill), content[ZIP] !== undefined)].concat(
        at === 0 && sample !== undefined ? ['It answers, for example:', writeJson(sample)] : [],
      ),
  )
  return [
    operation.description ?? '',
    operation.parameters?.length ? writeParameters(operation.parameters, described) : '',
    writeAnswers(operation),
    ...examples,
  ]
    .filter(Boolean)
    .join('\n\n')
}

interface Failure {
  code: string
  status: string
  when: string
  value: unknown
}

const isErrorCode = (name: string): boolean => /^[A-Z_]+$/.test(name)

/** All failures of the operations, without duplicates. */
const listFailures = (api: ApiDescription): Failure[] => {
  const found = new Map<string, Failure>()
  for (const { responses } of Object.values(api.paths).flatMap((path) => Object.values(path)))
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const [code, { summary = '', value }] of Object.entries(
        content['application/json']?.examples ?? {},
      ))
        if (isErrorCode(code) && !found.has(code))
          found.set(code, {
            code,
            status: status === 'default' ? '404' : status,
            when: summary,
            value,
          })
  return [...found.values()].sort((a, b) =>
    a.status < b.status ? -1 : Number(a.status > b.status),
  )
}

const writeErrors = (api: ApiDescription, origin: string): string => {
  const failures = listFailures(api)
  const refused = failures.find(({ code }) => code === REFUSED.code)
  return [
    'Every failure below `/api/` is one envelope, never cached: a `code` that stays, a `message` that names the bad value, a `hint` with what is allowed, and in `docs` the whole description.',
    writeCurl(origin + REFUSED.address, false),
    writeJson(refused?.value),
    writeTable(
      ['Code', 'Status', 'When'],
      failures.map(({ code, status, when }) => [printCodeSpan(code), status, when]),
    ),
  ].join('\n\n')
}

/** Writes the API's page from its OpenAPI description, so that the two cannot disagree; `skill` is an id for examples. */
export const writeApiDocument = (
  api: ApiDescription,
  { updated, skill, isPrivate }: { updated: string; skill: number; isPrivate: boolean },
): Document => {
  const anchors = new Anchors()
  const origin = api.servers[0]?.url ?? ''
  const operations = Object.entries(api.paths).flatMap(([path, { get }], at): Section[] => {
    if (!get) return []
    const heading = `GET ${path}`
    const before = Object.values(api.paths).slice(0, at)
    const described = before.flatMap(({ get: one }) => one?.parameters ?? [])
    const markdown = writeOperation(path, get, { origin, skill, described })
    return [{ id: anchors.slug(heading), heading, markdown }]
  })
  return {
    kind: 'reference',
    path: PATHS.apiDocs,
    heading: 'API',
    lead: [
      `${isPrivate ? 'Private, read-only' : 'Public, read-only, no key'}; scripts of any origin may read the answers. The whole description: `,
      linkTo('openapi.json', PATHS.openapi),
      `, OpenAPI ${api.openapi}, version ${api.info.version}.`,
    ],
    description: `${api.info.title}: search skills and download them, with every parameter, answer and error.`,
    updated,
    isIndexable: true,
    facts: [],
    sections: [
      ...operations,
      { id: anchors.slug('Errors'), heading: 'Errors', markdown: writeErrors(api, origin) },
    ],
  }
}
