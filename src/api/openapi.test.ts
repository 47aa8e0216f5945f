import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { ERRORS } from './errors.ts'
import { SCHEMAS } from './openapi-schemas.ts'
import { describeApi, renderApiCatalog } from './openapi.ts'
import { LISTING_PARAMETERS, SEARCH_PARAMETERS } from './query.ts'
import { CATEGORIES } from '../catalog/categories.ts'

interface Described {
  description: string
  content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
}

interface Operation {
  operationId: string
  parameters: { name: string; in: string; schema: object; example?: unknown }[]
  responses: Record<string, Described>
}

const ORIGIN = 'https://skills.example'
const api = describeApi({ name: 'Fixture', description: 'A fixture.', origin: ORIGIN }) as {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, { get: Operation }>
}
const search = api.paths['/api/v1/skills']?.get as Operation
const find = api.paths['/api/search']?.get as Operation
const download = api.paths['/api/skills/download/{id}']?.get as Operation

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', components: { schemas: SCHEMAS } })
const isValid = (schema: string, value: unknown): boolean =>
  ajv.validate({ $ref: `api#/components/schemas/${schema}` }, value) as boolean

const examplesOf = (response: Described): [string, unknown][] => {
  const { example, examples = {} } = response.content?.['application/json'] ?? {}
  const named = Object.entries(examples).map(([name, { value }]): [string, unknown] => [
    name,
    value,
  ])
  return example === undefined ? named : [['', example], ...named]
}

describe('the OpenAPI description', () => {
  test('is 3.1.0 of API version 1.0.0, with the three operations at the origin', () => {
    expect([api.openapi, api.info.version]).toEqual(['3.1.0', '1.0.0'])
    expect(api.servers).toEqual([{ url: ORIGIN }])
    expect(Object.keys(api.paths)).toHaveLength(3)
    expect([search, find, download].map(({ operationId }) => operationId)).toEqual([
      'searchSkills',
      'findSkills',
      'downloadSkill',
    ])
  })

  test('survives JSON serialization unchanged', () => {
    expect(JSON.parse(JSON.stringify(api))).toEqual(api)
  })

  test('names a contact where the site has one', () => {
    const owner = { name: 'N', description: 'D', origin: ORIGIN, contact: 'https://n.example' }
    expect(describeApi(owner)).toHaveProperty('info.contact', { name: 'N', url: owner.contact })
  })

  test('has every parameter of the parser, with the bounds of registry-api 4.1', () => {
    expect(search.parameters.map(({ name }) => name)).toEqual(Object.keys(LISTING_PARAMETERS))
    expect(find.parameters.map(({ name }) => name)).toEqual(Object.keys(SEARCH_PARAMETERS))
    const schemas = Object.fromEntries(search.parameters.map(({ name, schema }) => [name, schema]))
    expect(schemas['sort']).toMatchObject({
      enum: ['popular', 'installs', 'views', 'name'],
      default: 'popular',
    })
    expect(schemas['limit']).toMatchObject({ minimum: 1, maximum: 100, default: 24 })
    expect(schemas['offset']).toMatchObject({ minimum: 0, default: 0 })
    expect(schemas['cat']).toMatchObject({ items: { enum: CATEGORIES } })
  })

  test('gives examples of parameters that their schemas accept', () => {
    const refused = [search, find, download]
      .flatMap(({ parameters }) => parameters)
      .filter(({ schema, example }) => example !== undefined && !ajv.validate(schema, example))
    expect(refused).toEqual([])
  })

  test('gives an example of every error, under its status, that the schema accepts', () => {
    const examples = [search, find, download]
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, response]) =>
        examplesOf(response).map(([code, value]) => [status, code, value] as const),
      )
      .filter(([, code]) => code !== '')
    const wrong = examples.filter(([status, code, envelope]) => {
      const statuses = ['default', String(ERRORS[code as keyof typeof ERRORS])]
      return !statuses.includes(status) || !isValid('Error', envelope)
    })
    expect(wrong).toEqual([])
    expect(new Set(examples.map(([, code]) => code))).toEqual(new Set(Object.keys(ERRORS)))
  })

  test('gives an example of a page that the schema accepts, and refuses what it does not have', () => {
    const [[, page] = []] = examplesOf(search.responses['200'] as Described)
    expect(isValid('SkillSearchResponse', page)).toBe(true)
    expect(isValid('SkillSearchResponse', { ...(page as object), extra: 1 })).toBe(false)
    expect(isValid('Skill', { id: 1 })).toBe(false)
    const [[, found] = []] = examplesOf(find.responses['200'] as Described)
    expect(isValid('FindSkillsResponse', found)).toBe(true)
    expect(isValid('FindSkillsResponse', { ...(found as object), total: 1 })).toBe(false)
  })

  test.for([
    ['searchSkills', search, '200 304 400 405 408 414 429 431 500 503 default'],
    ['findSkills', find, '200 304 400 405 408 414 429 431 500 503 default'],
    ['downloadSkill', download, '200 206 304 308 400 404 405 408 414 416 429 431 500 503 default'],
  ] as const)('%s describes each status it can answer', ([, operation, statuses]) => {
    expect(Object.keys(operation.responses).join(' ')).toBe(statuses)
  })
})

interface Link {
  href: string
}

test('the catalog of APIs links the API, its description and its documentation', () => {
  const { linkset } = JSON.parse(renderApiCatalog(ORIGIN)) as {
    linkset: (Record<string, Link[]> & { anchor: string })[]
  }
  const [own, listing] = linkset
  expect(own).toEqual({
    anchor: `${ORIGIN}/.well-known/api-catalog`,
    item: [{ href: `${ORIGIN}/api/v1/skills` }],
  })
  expect(listing?.anchor).toBe(own?.['item']?.[0]?.href)
  expect(listing?.['service-desc']?.map(({ href }) => href)).toEqual([`${ORIGIN}/openapi.json`])
  expect(listing?.['service-doc']?.map(({ href }) => href)).toContain(`${ORIGIN}/docs/api`)
})
