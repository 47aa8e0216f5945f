import type { Document, Section } from './document.ts'
import { escapeMarkdown } from './escape.ts'
import { printCodeSpan, printFence } from './print.ts'
import { API_DOCS_PATH, OPENAPI_PATH } from './paths.ts'
import { linkTo } from './tree.ts'
import { Anchors } from './anchors.ts'

interface Parameter {
  name: string
  in: string
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
  operationId: string
  summary?: string
  description?: string
  parameters?: readonly Parameter[]
  responses: Record<string, Response>
}

/** What the API's page reads of an OpenAPI description. */
export interface ApiDescription {
  openapi: string
  info: { title: string; version: string; description?: string }
  paths: Record<string, Record<string, Operation>>
}

const describeValues = ({ schema = {} }: Parameter): string => {
  const values = schema.enum ?? schema.items?.enum
  if (values) return values.map((value) => printCodeSpan(String(value))).join(', ')
  const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined)
  const type = schema.type ?? 'string'
  return bounds.length > 0 ? `${type}, ${schema.minimum ?? ''} to ${schema.maximum ?? 'any'}` : type
}

const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

const writeParameters = (parameters: readonly Parameter[]): string =>
  [
    '| Parameter | Values | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...parameters.map((parameter) => {
      const fallback = parameter.required ? 'required' : String(parameter.schema?.default ?? 'none')
      return `| \`${parameter.name}\` | ${cell(describeValues(parameter))} | ${fallback} | ${cell(parameter.description ?? '')} |`
    }),
  ].join('\n')

const writeExamples = (status: string, { description, content = {} }: Response): string => {
  const parts = [`### ${status}`, escapeMarkdown(description)]
  for (const [type, { example, examples }] of Object.entries(content)) {
    const named = examples ?? (example === undefined ? {} : { '': { value: example } })
    for (const [name, { value }] of Object.entries(named)) {
      if (type !== 'application/json' || typeof value !== 'object') continue
      if (name !== '') parts.push(`\`${name}\``)
      parts.push(printFence(JSON.stringify(value, null, 2), 'json'))
    }
  }
  return parts.join('\n\n')
}

const writeOperation = (path: string, method: string, operation: Operation): string =>
  [
    operation.summary
      ? `**${escapeMarkdown(operation.summary)}** (\`${operation.operationId}\`)`
      : '',
    operation.description ?? '',
    printFence(`${method.toUpperCase()} ${path}`, 'http'),
    operation.parameters?.length
      ? writeParameters(operation.parameters)
      : 'It takes no parameters.',
    ...Object.entries(operation.responses).map(([status, response]) =>
      writeExamples(status, response),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')

/** Writes the API's page from its OpenAPI description, so that the two cannot disagree. */
export const writeApiDocument = (api: ApiDescription, updated: string): Document => {
  const anchors = new Anchors()
  const sections = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method === 'get')
      .map(([method, operation]): Section => {
        const heading = `${method.toUpperCase()} ${path}`
        return {
          id: anchors.slug(heading),
          heading,
          markdown: writeOperation(path, method, operation),
        }
      }),
  )
  return {
    kind: 'reference',
    path: API_DOCS_PATH,
    heading: 'API',
    lead: [
      'Public, read-only, no key. The whole description: ',
      linkTo('openapi.json', OPENAPI_PATH),
      `, OpenAPI ${api.openapi}, version ${api.info.version}.`,
    ],
    description: `${api.info.title}: search skills and download them, with every parameter, answer and error.`,
    updated,
    isIndexable: true,
    facts: [],
    sections,
  }
}
