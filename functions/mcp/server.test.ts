import { beforeAll, describe, expect, test, vi } from 'vitest'
import { writeFixture } from '../../testing/fixture.ts'
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
  of = site,
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
    of,
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

const batchOf = (count: number): object[] =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))

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

describe('a batch', () => {
  test('that cancels its own request is refused: it would wait for ever', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    expect(await post([readSkill('csv-clean'), cancel])).toMatchObject({ status: 400 })
  })

  test('with a duplicate id is answered', async () => {
    expect(await post([readSkill('csv-clean'), readSkill('skill-13')])).toMatchObject({
      status: 200,
    })
  })

  test.each([[[]], [[null]], [[1, 'a']]])('of %j is answered', async (messages) => {
    expect((await post(messages)).status).toBeLessThan(500)
  })

  test('of a few messages is answered', async () => {
    expect(await post(batchOf(8))).toMatchObject({ status: 200 })
  })

  test.each([9, 100])('of %i is refused: each may ask for a whole file', async (count) => {
    const { status, text } = await post(batchOf(count))
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  })
})

const ask = async (method: string, uri: string) => {
  const { text } = await post({ jsonrpc: '2.0', id: 1, method, params: { uri } })
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
