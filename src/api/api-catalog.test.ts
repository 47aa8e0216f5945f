import { expect, test } from 'vitest'
import { renderApiCatalog } from './api-catalog.ts'

const ORIGIN = 'https://registry.example'

interface Link {
  href: string
}

test('the catalog of APIs links the API, its description and its documentation', () => {
  const { linkset } = JSON.parse(renderApiCatalog(ORIGIN)) as {
    linkset: (Record<string, Link[]> & { anchor: string })[]
  }
  const [own, api] = linkset
  expect(own).toEqual({
    anchor: `${ORIGIN}/.well-known/api-catalog`,
    item: [{ href: `${ORIGIN}/api/v1/skills` }],
  })
  expect(api?.anchor).toBe(own?.['item']?.[0]?.href)
  expect(api?.['service-desc']?.map(({ href }) => href)).toEqual([`${ORIGIN}/openapi.json`])
  expect(api?.['service-doc']?.map(({ href }) => href)).toContain(`${ORIGIN}/docs/api`)
})
