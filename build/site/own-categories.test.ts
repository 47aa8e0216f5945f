import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWN_RECORD, SITE, skillMd } from '../../src/catalog/testing/content.ts'
import { writeFiles } from '../../src/catalog/testing/content.ts'
import { startSiteServer } from '../../testing/contract/requests.ts'
import { makeSampleFolder, removeFolders } from '../../testing/sample-folders.ts'
import { buildFor } from '../catalog/testing/build-for.ts'

const NAMES = [
  'Payments',
  '決済',
  'Data & Analytics',
  ...Array.from({ length: 9 }, (_, at) => `C ${at}`),
]
const categories = NAMES.map((name) => ({ name, description: `About ${name}.` }))

let folder = ''
let server: Awaited<ReturnType<typeof startSiteServer>>
beforeAll(async () => {
  const content = makeSampleFolder()
  writeFiles(content, {
    'site.json': { ...SITE, categories },
    'skills/refund/skill.json': { ...OWN_RECORD, id: 1, category: 'Payments' },
    'skills/refund/SKILL.md': skillMd('refund'),
    'skills/ledger/skill.json': { ...OWN_RECORD, id: 2, category: '決済' },
    'skills/ledger/SKILL.md': skillMd('ledger'),
    'skills/last/skill.json': { ...OWN_RECORD, id: 3, category: 'C 8' },
    'skills/last/SKILL.md': skillMd('last'),
  })
  folder = makeSampleFolder()
  await buildFor(content, folder)
  server = await startSiteServer(folder)
})
afterAll(async () => {
  await server.stop()
  removeFolders()
})

const ask = (path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, init)

const askJson = async (path: string) => (await ask(path)).json()

test('the parameter cat accepts own categories; its error lists them and suggests the nearest', async () => {
  const found = async (cat: string): Promise<string[]> =>
    (await askJson(`/api/v1/skills?cat=${encodeURIComponent(cat)}`)).skills.map(
      ({ slug }: { slug: string }) => slug,
    )
  expect(await found('Payments')).toEqual(['refund'])
  expect(await found('決済,C 8')).toEqual(['last', 'ledger'])
  expect(await found('Data & Analytics')).toEqual([])
  const refused = await ask('/api/v1/skills?cat=payment')
  expect(refused.status).toBe(400)
  const { error } = await refused.json()
  expect(error).toMatchObject({ code: 'INVALID_CATEGORY' })
  expect(error.hint).toContain(`Did you mean "Payments"?`)
  expect(error.hint).toContain(`Allowed values: ${NAMES.join(', ')}.`)
  expect((await askJson('/api/v1/skills?cat=Coding')).error.code).toBe('INVALID_CATEGORY')
})

test('each own category has a page, a feed and a hue; the nine standard categories are gone', async () => {
  const page = await (await ask('/categories/6c7a6e08')).text()
  expect(page).toContain('>決済</h1>')
  expect(page).toContain('About 決済.')
  const style = /href="(\/_astro\/site\.[^"]+)"/.exec(page)?.[1] ?? ''
  const hues = await (await ask(style)).text()
  expect(hues).toContain("[data-hue='payments'] { --hue: light-dark(#3b6ea5, #7fa8d6); }")
  expect(hues).toContain("[data-hue='c-6'] { --hue: light-dark(#3b6ea5, #7fa8d6); }")
  for (const path of [
    '/categories/c-8',
    '/categories/payments/feed.atom',
    '/previews/payments.png',
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 200])
  expect((await ask('/categories/coding')).status).toBe(404)
  const all = await (await ask('/categories.md')).text()
  expect([...all.matchAll(/\(\/categories\/([^)]+)\)/g)].map(([, slug]) => slug)).toEqual([
    'payments',
    '6c7a6e08',
    'c-8',
  ])
  const search = await (await ask('/skills?q=ledger')).text()
  expect(search).toContain('value="決済"')
})

test('openapi.json and MCP list the own categories, and no other category of the contract', async () => {
  const api = JSON.stringify(await askJson('/openapi.json'))
  expect(api.split(JSON.stringify(NAMES))).toHaveLength(3)
  expect(api).not.toContain('"Coding"')
  expect(api).not.toContain('Planning')
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const answer = await ask('/mcp', { method: 'POST', headers, body: JSON.stringify(call) })
  expect(await answer.text()).toContain(`separated by commas: ${NAMES.join(', ')}`)
})

test('the search index has the categories of its skills', () => {
  const index = readFileSync(join(folder, 'current/private/search.index'))
  expect(index.includes('C 8,Payments,決済')).toBe(true)
})
