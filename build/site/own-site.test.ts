import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWN_RECORD, SITE, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { startSiteServer } from '../../testing/contract/requests.ts'
import { makeSampleFolder, removeFolders } from '../../testing/sample-folders.ts'
import { buildFor } from '../catalog/testing/build-for.ts'

const OLD = { since: '2026-03-04', reason: 'One skill does <b>both</b> now', use: 'tidy' }
const OWNER = { name: 'Payments', url: 'https://acme.example/payments' }

const NAMES = ['Payments', '決済', ...Array.from({ length: 10 }, (_, at) => `C ${at}`)]

let out = ''
let server: Awaited<ReturnType<typeof startSiteServer>>
beforeAll(async () => {
  const content = makeSampleFolder()
  out = makeSampleFolder()
  const record = { ...OWN_RECORD, category: 'C 1' }
  writeFiles(content, {
    'site.json': {
      ...SITE,
      contact: 'https://github.com/acme/skills',
      categories: NAMES.map((name) => ({ name, description: `About ${name}.` })),
    },
    'skills/clean/skill.json': { ...record, id: 1, deprecated: OLD, owner: 'payments-team' },
    'skills/clean/SKILL.md': skillMd('clean').replace('Does clean.', 'Sorts ledgers.'),
    'skills/tidy/skill.json': { ...record, id: 2, owner: OWNER },
    'skills/tidy/SKILL.md': skillMd('tidy').replace('Does tidy.', 'Sorts ledgers.'),
    'skills/books/skill.json': { ...record, id: 3 },
    'skills/books/SKILL.md': `${skillMd('books')}\nUse the \`clean\` skill, then the \`tidy\` skill.\n`,
    'skills/refund/skill.json': { ...OWN_RECORD, id: 4, category: 'Payments' },
    'skills/refund/SKILL.md': skillMd('refund'),
    'skills/tax/skill.json': { ...OWN_RECORD, id: 5, category: '決済' },
    'skills/tax/SKILL.md': skillMd('tax'),
    'skills/last/skill.json': { ...OWN_RECORD, id: 6, category: 'C 8' },
    'skills/last/SKILL.md': skillMd('last'),
  })
  await buildFor(content, out)
  server = await startSiteServer(out)
})
afterAll(async () => {
  await server.stop()
  removeFolders()
})

const fetchPath = (path: string, init?: RequestInit): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}${path}`, init)

const ask = async (path: string, init?: RequestInit): Promise<string> =>
  (await fetchPath(path, init)).text()

const callMcp = (method: string, params: object): Promise<string> =>
  ask('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

test('owner and deprecation of a record appear in JSON, which has an install line, and in MCP', async () => {
  const json = JSON.parse(await ask('/skills/clean.json'))
  expect(json).toMatchObject({ owner: { name: 'payments-team' }, deprecated: OLD })
  expect(json.install).toBeDefined()
  const found = await callMcp('tools/call', { name: 'search_skills', arguments: { q: 'ledgers' } })
  const { skills } = JSON.parse(JSON.parse(found).result.content[0].text)
  expect(skills).toMatchObject([
    { slug: 'tidy', owner: OWNER },
    { slug: 'clean', deprecated: OLD },
  ])
})

test('a deprecated skill ranks below an equal skill', async () => {
  const found = JSON.parse(await ask('/api/v1/skills?q=ledgers'))
  expect(found.skills.map(({ slug }: { slug: string }) => slug)).toEqual(['tidy', 'clean'])
  expect(found.skills[1]).not.toHaveProperty('deprecated')
})

test('among similar skills, a deprecated skill comes after the one that replaces it', async () => {
  const [, similar = ''] = (await ask('/skills/books.md')).split('## How it compares')
  const first = similar.match(/\]\(\/skills\/(\w+)\)/g)?.slice(0, 2)
  expect(first).toEqual(['](/skills/tidy)', '](/skills/clean)'])
})

test.each([
  ['team:payments-team', ['clean']],
  ['Team:PAYMENTS', ['tidy']],
  ['sorts ledgers team:payments-team', ['clean']],
  ['team:payment', []],
])('on pages %s finds %j', async (q, slugs) => {
  const twin = await ask(`/skills.md?q=${encodeURIComponent(q)}`)
  const found = [...twin.matchAll(/\]\(\/skills\/(\w+)\)/g)].map(([, slug]) => slug)
  expect(found).toEqual(slugs)
})

test('the parameter cat accepts own categories; its error lists them and suggests the nearest', async () => {
  const found = async (cat: string): Promise<string[]> =>
    JSON.parse(await ask(`/api/v1/skills?cat=${encodeURIComponent(cat)}`)).skills.map(
      ({ slug }: { slug: string }) => slug,
    )
  expect(await found('Payments')).toEqual(['refund'])
  expect(await found('決済,C 8')).toEqual(['last', 'tax'])
  expect(await found('C 0')).toEqual([])
  const refused = await fetchPath('/api/v1/skills?cat=payment')
  expect(refused.status).toBe(400)
  const { error } = await refused.json()
  expect(error).toMatchObject({ code: 'INVALID_CATEGORY' })
  expect(error.hint).toContain(`Did you mean "Payments"?`)
  expect(error.hint).toContain(`Allowed values: ${NAMES.join(', ')}.`)
  expect(await ask('/api/v1/skills?cat=Coding')).toContain('INVALID_CATEGORY')
})

test('each own category has a page, a feed and a hue; the nine standard categories are gone', async () => {
  const page = await ask('/categories/6c7a6e08')
  expect(page).toContain('>決済</h1>')
  expect(page).toContain('About 決済.')
  const style = /href="(\/_astro\/site\.[^"]+)"/.exec(page)?.[1] ?? ''
  const hues = await ask(style)
  expect(hues).toContain("[data-hue='payments'] { --hue: light-dark(#3b6ea5, #7fa8d6); }")
  expect(hues).toContain("[data-hue='c-7'] { --hue: light-dark(#3b6ea5, #7fa8d6); }")
  for (const path of [
    '/categories/c-8',
    '/categories/payments/feed.atom',
    '/previews/payments.png',
  ])
    expect([path, (await fetchPath(path)).status]).toEqual([path, 200])
  expect((await fetchPath('/categories/coding')).status).toBe(404)
  const all = await ask('/categories.md')
  expect([...all.matchAll(/\(\/categories\/([^)]+)\)/g)].map(([, slug]) => slug)).toEqual([
    'payments',
    '6c7a6e08',
    'c-1',
    'c-8',
  ])
  const search = await ask('/skills?q=tax')
  expect(search).toContain('value="決済"')
})

test('openapi.json and MCP list the own categories, and no other category of the contract', async () => {
  const api = JSON.stringify(JSON.parse(await ask('/openapi.json')))
  expect(api.split(JSON.stringify(NAMES))).toHaveLength(3)
  expect(api).not.toContain('"Coding"')
  expect(api).not.toContain('Planning')
  expect(await callMcp('tools/list', {})).toContain(`separated by commas: ${NAMES.join(', ')}`)
})
