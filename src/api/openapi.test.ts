import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { ALLOW, ERRORS } from './errors.ts'
import { describeApi } from './openapi.ts'
import { DEFAULT_LIMIT, LIMIT, LISTING_PARAMETERS, OFFSET, SEARCH_PARAMETERS } from './query.ts'
import { API_SORTS, DEFAULT_SORT } from '../catalog/browse.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { LISTING_DESCRIPTION } from '../catalog/skill.ts'

const ORIGIN = 'https://skills.example'
const api = describeApi({ name: 'Fixture', description: 'A fixture.', origin: ORIGIN })
const search = api.paths['/api/v1/skills'].get
const find = api.paths['/api/search'].get
const download = api.paths['/api/skills/download/{id}'].get

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', components: api.components })
const isValid = (schema: string, value: unknown): boolean =>
  ajv.validate({ $ref: `api#/components/schemas/${schema}` }, value) as boolean

interface Refusal {
  content: { 'application/json': { examples: Record<string, { value: unknown }> } }
}

/** Lists the error codes in the examples of a response. */
const codesOf = (response: Refusal): (keyof typeof ERRORS)[] =>
  Object.keys(response.content['application/json'].examples) as (keyof typeof ERRORS)[]

const RESPONSES: Readonly<Record<string, Refusal>> = api.components.responses

test('the OpenAPI description has OpenAPI version 3.1.0, API version 1.0.0, and the name and origin of the site', () => {
  expect([api.openapi, api.info.version]).toEqual(['3.1.0', '1.0.0'])
  expect(api.servers).toEqual([{ url: ORIGIN }])
  expect(api.info).toMatchObject({
    title: 'Fixture API',
    description: 'A fixture.\n\nPublic and read-only: no key, token or credential is needed.',
    contact: { name: 'Fixture', url: ORIGIN },
    license: { name: expect.stringContaining('licence'), url: `${ORIGIN}/catalog.ndjson` },
  })
  expect(JSON.stringify(api)).not.toContain('{registry-')
})

test('the OpenAPI description of a private site says so, and has its Cache-Control', () => {
  const own = { name: '"N" {origin}', description: 'D', origin: ORIGIN, isPrivate: true }
  const { info, components } = describeApi({ ...own, contact: 'https://n.example' })
  expect(info).toMatchObject({
    title: '"N" {origin} API',
    description: expect.stringMatching(/^D\n\nPrivate/),
  })
  expect(info).toMatchObject({ contact: { name: own.name, url: 'https://n.example' } })
  expect(components.headers.ListingCache.schema.const).toBe('private, no-store')
})

test('the OpenAPI description has all parameters of the parser, with their bounds', () => {
  expect(search.parameters.map(({ name }) => name)).toEqual(Object.keys(LISTING_PARAMETERS))
  expect(find.parameters.map(({ name }) => name)).toEqual(Object.keys(SEARCH_PARAMETERS))
  const schemas = Object.fromEntries(search.parameters.map(({ name, schema }) => [name, schema]))
  expect(schemas['sort']).toMatchObject({ enum: API_SORTS, default: DEFAULT_SORT })
  expect(schemas['limit']).toMatchObject({ ...LIMIT, default: DEFAULT_LIMIT })
  expect(schemas['offset']).toMatchObject({ ...OFFSET, default: OFFSET.minimum })
  expect(schemas['cat']).toMatchObject({ items: { enum: CATEGORIES } })
  expect(api.components.schemas.Skill.properties.category.enum).toEqual(CATEGORIES)
  expect(api.components.schemas.Skill.properties.description.maxLength).toBe(LISTING_DESCRIPTION)
  expect(api.components.schemas.Error.properties.error.properties.code.enum).toEqual(
    Object.keys(ERRORS),
  )
  expect(api.components.headers.Allow.schema.const).toBe(ALLOW)
})

test('the OpenAPI description has parameter examples that match their schemas', () => {
  const all = [search, find, download].flatMap(({ parameters }): object[] => parameters)
  const examples = all.filter((parameter) => 'example' in parameter) as {
    schema: object
    example: unknown
  }[]
  expect(examples.length).toBeGreaterThan(3)
  expect(examples.filter(({ schema, example }) => !ajv.validate(schema, example))).toEqual([])
})

test('the OpenAPI description has an example of every error', () => {
  for (const { content } of Object.values(RESPONSES))
    for (const [code, { value }] of Object.entries(content['application/json'].examples)) {
      expect(value).toMatchObject({ error: { code } })
      expect(isValid('Error', value)).toBe(true)
    }
  const codes = Object.values(RESPONSES).flatMap(codesOf)
  expect(new Set(codes)).toEqual(new Set(Object.keys(ERRORS)))
})

test('the OpenAPI description has response schemas that accept the examples, and refuse unknown and missing fields', () => {
  const page = search.responses['200'].content['application/json'].example
  expect(isValid('SkillSearchResponse', page)).toBe(true)
  expect(isValid('SkillSearchResponse', { ...page, extra: 1 })).toBe(false)
  expect(isValid('Skill', { id: 1 })).toBe(false)
  const found = find.responses['200'].content['application/json'].example
  expect(isValid('FindSkillsResponse', found)).toBe(true)
  expect(isValid('FindSkillsResponse', { ...found, total: 1 })).toBe(false)
})

test.for([
  [search, '200 304 400 405 408 414 429 431 500 503 default'],
  [find, '200 304 400 405 408 414 429 431 500 503 default'],
  [download, '200 206 304 308 400 404 405 408 410 414 416 429 431 500 503 default'],
] as const)(
  'the OpenAPI description has all statuses of an operation, each with its own errors',
  ([operation, statuses]) => {
    expect(Object.keys(operation.responses).join(' ')).toBe(statuses)
    for (const [status, response] of Object.entries<object>(operation.responses)) {
      if (!('$ref' in response)) continue
      const name = String(response.$ref).split('/').at(-1) ?? ''
      const wanted = status === 'default' ? 404 : Number(status)
      expect([
        name,
        ...codesOf(RESPONSES[name]!).filter((code) => ERRORS[code] !== wanted),
      ]).toEqual([name])
    }
  },
)
