import { expect, test } from 'vitest'
import { openSite } from '../../functions/site.ts'
import { createStore } from '../../functions/store.ts'
import { sendInProcess } from '../../testing/contract/requests.ts'
import { failOn } from '../../testing/contract/tests.ts'
import { ORIGIN, writeFixture } from '../../testing/fixture.ts'
import { describeApi } from '../api/openapi.ts'
import { ERRORS } from '../api/errors.ts'
import { LISTING_PARAMETERS, SEARCH_PARAMETERS } from '../api/query.ts'
import { writeApiDocument } from './api-page.ts'
import type { ApiDescription } from './api-page.ts'
import { renderTwin } from './prose/markdown.ts'

const API = describeApi({ name: 'N', description: 'D', origin: ORIGIN }) as ApiDescription
const DOCUMENT = writeApiDocument(API, { updated: '2026-01-02', skill: 12, isPrivate: false })
const TWIN = renderTwin(DOCUMENT)

const codeOf = (language: string): string[] =>
  Array.from(TWIN.matchAll(/^```(\w+)\n([^]*?)\n```$/gm))
    .filter(([, lang]) => lang === language)
    .map(([, , code = '']) => code)

const REQUESTS = codeOf('sh').map((line) => /"(.*)"$/.exec(line)![1]!.slice(ORIGIN.length))

const FILES = writeFixture('one')

test.each(REQUESTS)('the example request %s has the expected status and a body', async (target) => {
  const site = await openSite(createStore((name) => FILES[name]))
  const { status, body } = await sendInProcess(site, failOn)({ line: `GET ${target}`, headers: {} })
  expect(status).toBe(target.includes('sort=best') ? 400 : 200)
  expect(body.length).toBeGreaterThan(20)
})

test('every parameter and every error has a row', () => {
  const rows = Array.from(TWIN.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name)
  const parameters = [...Object.keys(LISTING_PARAMETERS), ...Object.keys(SEARCH_PARAMETERS), 'id']
  expect(rows.slice(0, parameters.length)).toEqual(parameters)
  expect(rows.slice(parameters.length).toSorted()).toEqual(Object.keys(ERRORS).toSorted())
})

test.each([
  [true, /^Private, read-only; scripts/],
  [false, /^Public, read-only, no key; scripts/],
])('the lead for isPrivate = %s', (isPrivate, lead) => {
  const document = writeApiDocument(API, { updated: '2026-01-02', skill: 12, isPrivate })
  expect(String(document.lead.markdown)).toMatch(lead)
})
