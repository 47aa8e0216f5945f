import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ORIGIN, writeFixture } from '../../testing/fixture.ts'
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

const readSkill = (slug: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_skill', arguments: { slug } },
})

describe('what the client accepts', () => {
  const LISTED = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test.each([
    {},
    { accept: 'application/json' },
    { accept: '*/*' },
    { accept: 'application/json, text/event-stream' },
    { accept: 'application/json', 'mcp-protocol-version': '2025-03-26' },
  ])('%j is answered as JSON', async (headers) => {
    const { status, type, text } = await post(LISTED, headers)
    expect({ status, type }).toEqual({ status: 200, type: 'application/json' })
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { tools: [{}, {}, {}] } })
  })

  test.each(['text/event-stream', 'text/html'])('%s alone is refused', async (accept) => {
    expect(await post(LISTED, { accept })).toMatchObject({ status: 406 })
  })

  test('notifications have no answer', async () => {
    const sent = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await post(sent, { accept: 'application/json' })).toMatchObject({
      status: 202,
      text: '',
    })
  })

  test('nothing is written to the console', async () => {
    const warn = vi.spyOn(console, 'warn')
    const fresh = await openSite(createStore((name) => files[name]))
    await answerMcp({ method: 'GET', target: '/mcp' }, fresh)
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})

test.each([
  [undefined, 'public'],
  [true, 'private'],
])('with private: %s the instructions call the registry %s', async (isPrivate, word) => {
  const fixture = writeFixture('one', isPrivate)
  const other = await openSite(createStore((name) => fixture[name]))
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  }
  const asked = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  const { text } = await post(asked, { accept: 'application/json' }, other)
  expect(JSON.parse(text).result.instructions).toContain(`A ${word}, read-only registry`)
})

test.each([[[]], [[null]], [[1, 'a']], [[{ jsonrpc: '2.0', id: 1, method: 'ping' }]]])(
  'the batch %j is refused',
  async (messages) => {
    const { status, type, text } = await post(messages)
    expect({ status, type }).toEqual({ status: 400, type: 'application/json' })
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.stringContaining('a request of its own') },
    })
  },
)

const ask = async (method: string, uri: string, from = site) => {
  const { text } = await post({ jsonrpc: '2.0', id: 1, method, params: { uri } }, {}, from)
  return JSON.parse(text) as { result?: { contents?: { text: string }[] }; error?: unknown }
}

describe('a moved skill by its old address', () => {
  test.each(['SKILL.md', 'references/notes.md'])('%s is read', async (path) => {
    const old = await ask('resources/read', `skill://csv-tidy/${path}`)
    const { result } = await ask('resources/read', `skill://csv-clean/${path}`)
    expect(result?.contents?.[0]?.text.length).toBeGreaterThan(0)
    expect(old.result?.contents?.[0]?.text).toBe(result?.contents?.[0]?.text)
  })

  test('skills/get says where it is now', async () => {
    const { error } = await ask('skills/get', 'skill://csv-tidy/SKILL.md')
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        'skill://csv-tidy/SKILL.md is now skill://csv-clean/SKILL.md',
      ),
    })
  })

  test('a skill that never existed is not found', async () => {
    expect((await ask('resources/read', 'skill://constructor/SKILL.md')).error).toBeDefined()
  })
})

describe('get_skill', () => {
  test('reads a moved skill by its old slug', async () => {
    const { text } = await post(readSkill('csv-tidy'))
    expect(text).toBe((await post(readSkill('csv-clean'))).text)
    expect(text).not.toContain('isError')
  })

  test('takes a slug of any length that a skill may have', async () => {
    const { text } = await post(readSkill('a'.repeat(100)))
    expect(text).toContain('No skill has the slug')
    expect((await post(readSkill('a'.repeat(101)))).text).toContain('1 to 100 of a-z and 0-9')
  })
})

const LIMIT = 512 * 1024

/** The fixture with one file of this size, which begins with `start`. */
const openWith = (path: string, size: number, start = ''): Promise<ServedSite> => {
  const changed = { ...files, [`public/skills/${path}`]: start.padEnd(size, 'x') }
  return openSite(createStore((name) => changed[name]))
}

const referral = (path: string): string =>
  `This file has 524289 bytes; at most 524288 are sent here. Download it from ${ORIGIN}/skills/${path}`

const readSized = async (path: string, size: number): Promise<string | undefined> => {
  const at = await openWith(`csv-clean/${path}`, size)
  const { result } = await ask('resources/read', `skill://csv-clean/${encodeURI(path)}`, at)
  return result?.contents?.[0]?.text
}

describe('a file that is too large to be sent', () => {
  test('resources/read sends 512 KiB, and the address of a larger file', async () => {
    const path = 'references/two words & more.txt'
    expect(await readSized(path, LIMIT)).toBe('x'.repeat(LIMIT))
    const address = 'csv-clean/references/two%20words%20%26%20more.txt'
    expect(await readSized(path, LIMIT + 1)).toBe(referral(address))
  })

  test('get_skill sends the address of a larger page', async () => {
    const { text } = await post(
      readSkill('csv-clean'),
      {},
      await openWith('csv-clean.md', LIMIT + 1),
    )
    expect(JSON.parse(text)).toMatchObject({
      result: { content: [{ type: 'text', text: referral('csv-clean.md') }] },
    })
  })

  test('skills/get finds no skill with a larger SKILL.md', async () => {
    const start = '---\nname: csv-clean\ndescription: Cleans csv files.\n---\n'
    const get = async (size: number) => {
      const at = await openWith('csv-clean/SKILL.md', size, start)
      return ask('skills/get', 'skill://csv-clean/SKILL.md', at)
    }
    expect((await get(LIMIT)).error).toBeUndefined()
    expect((await get(LIMIT + 1)).error).toBeDefined()
  })
})
