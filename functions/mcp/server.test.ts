import { beforeAll, describe, expect, test, vi } from 'vitest'
import { failOn } from '../../testing/contract/tests.ts'
import { writeFixture } from '../../testing/fixture.ts'
import { serve } from '../respond.ts'
import { openSite } from '../site.ts'
import type { ServedSite } from '../site.ts'
import { createStore, readBody } from '../store.ts'
import { answerMcp } from './server.ts'

const files = writeFixture()

let site: ServedSite
beforeAll(async () => {
  site = await openSite(createStore((name) => files[name]))
})

const post = async (
  messages: unknown,
  headers = {},
  from = site,
): Promise<{ status: number; type?: string | undefined; text: string }> => {
  const answer = await answerMcp(
    {
      method: 'POST',
      target: '/mcp',
      posted: {
        headers: { 'content-type': 'application/json', ...headers },
        body: new TextEncoder().encode(JSON.stringify(messages)),
      },
    },
    from,
  )
  const type = answer.headers['Content-Type']
  return {
    status: answer.status,
    type,
    text: new TextDecoder().decode(await readBody(answer.body)),
  }
}

interface Called {
  content: [{ text: string }, ...{ text: string }[]]
  isError?: true
  structuredContent?: unknown
}

const call = async (name: string, args: object, from = site): Promise<Called> => {
  const params = { name, arguments: args }
  const { text } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, {}, from)
  return (JSON.parse(text) as { result: Called }).result
}

const LISTED = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test.each([
  {},
  { accept: '*/*' },
  { accept: 'application/json, text/event-stream' },
  { accept: 'application/json', 'mcp-protocol-version': '2025-03-26' },
])('with the header fields %j -> JSON', async (headers) => {
  const { status, type, text } = await post(LISTED, headers)
  expect({ status, type }).toEqual({ status: 200, type: 'application/json' })
  expect(JSON.parse(text)).toMatchObject({ id: 1, result: { tools: [{}, {}] } })
})

test('Accept: text/html -> 406; a notification -> an empty answer; nothing is written to the console', async () => {
  const warn = vi.spyOn(console, 'warn')
  expect(await post(LISTED, { accept: 'text/html' })).toMatchObject({ status: 406 })
  const sent = { jsonrpc: '2.0', method: 'notifications/initialized' }
  expect(await post(sent)).toMatchObject({ status: 202, text: '' })
  // With a newer protocol version, the library could print a warning.
  await post(LISTED, { 'mcp-protocol-version': '2026-07-28' })
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

test.each([
  [undefined, 'public'],
  [true, 'private'],
])('with private: %s the instructions call the registry %s', async (isPrivate, word) => {
  const fixture = writeFixture('one', isPrivate)
  const other = await openSite(createStore((name) => fixture[name]))
  const clientInfo = { name: 'a', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const { text } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, {}, other)
  const { instructions } = JSON.parse(text).result
  expect(instructions).toContain(`A ${word}, read-only registry`)
  expect(instructions).toContain('written by the skills’ authors, not by the registry')
})

test.each([[[]], [[{ jsonrpc: '2.0', id: 1, method: 'ping' }]]])(
  'the batch %j is refused',
  async (messages) => {
    const { status, type, text } = await post(messages)
    expect({ status, type }).toEqual({ status: 400, type: 'application/json' })
    const error = { code: -32600, message: expect.stringContaining('in a separate request') }
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: null, error })
  },
)

describe('search_skills', () => {
  test.each([
    [{ q: 'csv', limit: 5 }, 'q=csv&limit=5'],
    [
      { cat: 'Data & Analytics,Coding', sort: 'name', offset: 3 },
      'cat=Data+%26+Analytics,Coding&sort=name&offset=3',
    ],
  ])(
    '%j returns what the API returns for ?%s, with facts from the JSON of each skill',
    async (args, query) => {
      const target = `/api/v1/skills?${query}`
      const { body } = await serve(
        { method: 'GET', target },
        { origin: '', current: async () => site },
        failOn,
      )
      const answer = await call('search_skills', args)
      const { skills, ...rest } = JSON.parse(new TextDecoder().decode(await readBody(body)))
      const { licence, tokens, safety } = JSON.parse(String(files['public/skills/csv-clean.json']))
      const known = { licence, tokens, safety }
      for (const row of skills) if (row.slug === 'csv-clean') Object.assign(row, known)
      // No structured content: it would be the same text again.
      const text = JSON.stringify({ skills, ...rest })
      expect(answer).toEqual({ content: [{ type: 'text', text }] })
    },
  )

  test.each([
    [{ q: 'clean a grand piano' }, 'Nothing fits. Nearest: csv-clean.'],
    [{ q: 'csw' }, 'Nothing fits.'],
    [{ q: 'csv', cat: 'Security' }, 'Nothing matches in these categories.'],
  ])('%j finds nothing: %s', async (args, says) => {
    const { content } = await call('search_skills', args)
    expect(JSON.parse(content[0].text)).toMatchObject({ skills: [], total: 0 })
    expect(content.slice(1).map(({ text }) => text)).toEqual([says])
  })

  test.each([
    ['the parameter "query"', { query: 'csv' }],
    [
      'a task of 5 KB',
      { query: `I have a folder of CSV files.\n\n${'Clean it up. '.repeat(400)}` },
    ],
  ])('%s -> the skill is found', async (_, args) => {
    const { content } = await call('search_skills', args)
    expect(JSON.parse(content[0].text)).toMatchObject({ skills: [{ slug: 'csv-clean' }] })
  })
})

const [SERVED, OLD] = ['a'.repeat(32), 'b'.repeat(32)]

test.each<[string, object, string]>([
  ['search_skills', { q: 'csv', query: 'csv' }, 'The parameter "q" is given twice.'],
  ['search_skills', { category: 'Coding' }, 'no parameter "category". Did you mean "cat"?'],
  ['search_skills', { limit: { a: 1 } }, 'limit "{'],
  ['search_skills', { q: 'a\0b' }, 'control characters'],
  ['search_skills', { q: null }, 'q null is not text'],
  ['search_skills', { q: '\ud800' }, 'q "\\ud800" is not text'],
  [
    'get_skill',
    { slug: 'csv-clean', version: 'd'.repeat(32) },
    `"csv-clean" has no version "${'d'.repeat(32)}". Served: ${SERVED}.`,
  ],
  [
    'get_skill',
    { slug: 'csv-clean', version: '1.0' },
    'version "1.0" is not the name of a version',
  ],
  ['get_skill', { slug: 'csv-claen' }, 'No skill has the slug "csv-claen". Nearest: csv-clean'],
  ['get_skill', { slug: 'a'.repeat(101) }, '1 to 100 characters: words of a-z and 0-9'],
  ['get_skill', { slug: '../../private/site' }, 'is not a slug'],
  ['get_skill', { slug: 'csv-clean', slugs: 1 }, 'no parameter "slugs". Did you mean "slug"?'],
])('%s with %j is refused: %s', async (name, args, says) => {
  const { isError, content } = await call(name, args)
  expect(isError).toBe(true)
  expect(content[0].text).toContain(says)
})

describe('get_skill', () => {
  const JSON_NAME = 'public/skills/csv-clean.json'
  const TEXT_NAME = 'public/skills/csv-clean/SKILL.md'
  const json = JSON.parse(String(files[JSON_NAME])) as object

  /** Opens a site where csv-clean has another SKILL.md. */
  const openWith = (text: string | undefined, more: object = {}): Promise<ServedSite> => {
    const others: Record<string, string | Uint8Array> = {
      ...files,
      [JSON_NAME]: JSON.stringify({ ...json, skillMd: '/raw', ...more }),
    }
    return openSite(createStore((name) => (name === TEXT_NAME ? text : others[name])))
  }

  const page = `https://skills.example/skills/csv-clean@${SERVED}`
  const install = `npx skills add ${page} -y`
  const served = { day: '2026-02-03', page, markdown: `${page}.md`, install }
  const old = { day: '2025-02-03', reason: 'It is no longer kept.' }
  const source = 'https://git.example/skills/12'
  test.each<[string, string | undefined, object]>([
    ['csv-clean', undefined, json],
    ['csv-tidy', undefined, json],
    ['csv-clean', SERVED, { slug: 'csv-clean', name: SERVED, ...served }],
    ['csv-clean', OLD, { slug: 'csv-clean', name: OLD, ...old, source }],
  ])(
    '%s (now csv-clean), version %s -> its JSON, or the row of a version',
    async (slug, version, found) => {
      const { content } = await call('get_skill', { slug, version })
      expect(JSON.parse(content[0].text)).toEqual(found)
    },
  )

  test.each([
    ['# Clean\n\n```sh\ncsv\n```\n', '', '# Clean\n\n```sh\ncsv\n```\n'],
    ['O\u200bne\u202e', '', 'O[U+200B]ne[U+202E]'],
    [
      `${'a'.repeat(24_575)}éb`,
      '; the first 24576 of 24578 bytes. The whole file: /raw',
      'a'.repeat(24_575),
    ],
    ['b'.repeat(24_576), '', 'b'.repeat(24_576)],
  ])(
    'SKILL.md is quoted, with hidden characters spelt out and a long text cut off: %#',
    async (text, part, quoted) => {
      const { content } = await call('get_skill', { slug: 'csv-clean' }, await openWith(text))
      const says = content.slice(1).map((one) => one.text)
      expect(says).toEqual([`Its SKILL.md, written by its author${part}`, quoted])
    },
  )

  test.each([
    ['no SKILL.md', undefined, {}],
    ['a SKILL.md by the registry', '# Not here', { text: false }],
  ])('%s -> only the JSON', async (_, text, more) => {
    const { content } = await call('get_skill', { slug: 'csv-clean' }, await openWith(text, more))
    expect(content).toHaveLength(1)
  })
})
