import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWN_RECORD, SITE, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { startSiteServer } from '../../testing/contract/requests.ts'
import { makeSampleFolder, removeFolders } from '../../testing/sample-folders.ts'
import { buildFor } from '../catalog/testing/build-for.ts'

const OLD = { since: '2026-03-04', reason: 'One skill does <b>both</b> now', use: 'tidy' }
const OWNER = { name: 'Payments', url: 'https://acme.example/payments' }

let server: Awaited<ReturnType<typeof startSiteServer>>
beforeAll(async () => {
  const [content, out] = [makeSampleFolder(), makeSampleFolder()]
  writeFiles(content, {
    'site.json': { ...SITE, contact: 'https://github.com/acme/skills' },
    'skills/clean/skill.json': { ...OWN_RECORD, id: 1, deprecated: OLD, owner: 'payments-team' },
    'skills/clean/SKILL.md': skillMd('clean').replace('Does clean.', 'Sorts ledgers.'),
    'skills/tidy/skill.json': { ...OWN_RECORD, id: 2, owner: OWNER },
    'skills/tidy/SKILL.md': skillMd('tidy').replace('Does tidy.', 'Sorts ledgers.'),
    'skills/books/skill.json': { ...OWN_RECORD, id: 3 },
    'skills/books/SKILL.md': `${skillMd('books')}\nUse the \`clean\` skill, then the \`tidy\` skill.\n`,
  })
  await buildFor(content, out)
  server = await startSiteServer(out)
})
afterAll(async () => {
  await server.stop()
  removeFolders()
})

const ask = async (path: string, init?: RequestInit): Promise<string> =>
  (await fetch(`http://127.0.0.1:${server.port}${path}`, init)).text()

test('owner and deprecation appear on page and twin, in JSON and in MCP', async () => {
  const page = (await ask('/skills/clean')).replace(/<[^>]+>/g, '')
  expect(page).toContain(
    'Deprecated since 2026-03-04. One skill does &lt;b&gt;both&lt;/b&gt; now. Use tidy instead.',
  )
  expect(page).toContain('owned by payments-team')
  const twin = await ask('/skills/clean.md')
  expect(twin).toContain('**Deprecated since 2026-03-04.** One skill')
  expect(twin).toContain('Use [tidy](/skills/tidy) instead.')
  expect(twin).toContain('owned by payments-team')
  expect(await ask('/skills/tidy.md')).toContain(
    'owned by [Payments](https://acme.example/payments)',
  )
  const json = JSON.parse(await ask('/skills/clean.json'))
  expect(json).toMatchObject({ owner: { name: 'payments-team' }, deprecated: OLD })
  expect(json.install).toBeDefined()
  expect(JSON.parse(await ask('/skills/tidy.json')).owner).toEqual(OWNER)
  const params = { name: 'search_skills', arguments: { q: 'ledgers' } }
  const found = await ask('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { skills } = JSON.parse(JSON.parse(found).result.content[0].text)
  expect(skills).toMatchObject([
    { slug: 'tidy', owner: OWNER },
    { slug: 'clean', deprecated: OLD },
  ])
})

test('a deprecated skill ranks below an equal skill, and lists mark it', async () => {
  const found = JSON.parse(await ask('/api/v1/skills?q=ledgers'))
  expect(found.skills.map(({ slug }: { slug: string }) => slug)).toEqual(['tidy', 'clean'])
  expect(found.skills[1]).not.toHaveProperty('deprecated')
  for (const path of ['/skills?q=ledgers', '/categories/coding']) {
    const all = (await ask(path)).split('<li class="entry"').slice(1)
    const rows = all.filter((row) => !row.includes('/skills/books'))
    const marks = rows.map((row) => [
      /\/skills\/(\w+)/.exec(row)?.[1],
      row.includes('>deprecated<'),
    ])
    expect([path, marks.sort()]).toEqual([
      path,
      [
        ['clean', true],
        ['tidy', false],
      ],
    ])
  }
})

test('among similar skills, a deprecated skill comes after the one that replaces it', async () => {
  const [, similar = ''] = (await ask('/skills/books.md')).split('## How it compares')
  expect(similar.match(/\]\(\/skills\/(\w+)\)/g)).toEqual(['](/skills/tidy)', '](/skills/clean)'])
})

test('llms.txt marks a deprecated skill, and says where agents read about a skill', async () => {
  const llms = await ask('/llms.txt')
  expect(llms).toMatch(/^- \[clean\]\(\S+\/skills\/clean\.md\): .* \(deprecated; use tidy\)$/m)
  expect(llms).toMatch(/^- \[tidy\]\(\S+\/skills\/tidy\.md\): [^(]*$/m)
  expect(llms).toMatch(/Before you choose, ask MCP or read `\S+\/skills\/\{slug\}\.json`/)
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

test('links to report or propose a skill open the form of the repository', async () => {
  const [, report = ''] =
    /\[Report this skill\]\(([^)]+)\)/.exec(await ask('/skills/tidy.md')) ?? []
  const { pathname, searchParams } = new URL(report)
  expect([pathname, searchParams.get('slug')]).toEqual(['/acme/skills/issues/new', 'tidy'])
  expect(searchParams.get('body')).toContain('https://origin.example/skills/tidy\n')
  expect(await ask('/index.md')).toContain(
    'Missing one? [Propose a skill](https://github.com/acme/',
  )
})

test('the feed reports a deprecation once, on its day', async () => {
  const [, report = '', ...others] = (await ask('/feed.atom')).split('<title>Deprecated: ')
  expect(others).toEqual([])
  expect(report).toMatch(/^clean<\/title>\n<updated>2026-03-04T00:00:00Z<\/updated>\n/)
  expect(report.split('</entry>')[0]).toContain('href="https://origin.example/skills/clean"')
})
