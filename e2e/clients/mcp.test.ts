import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const TOOLS = ['search_skills', 'get_skill']

const site = inject('site')

const addressOf = (): URL => new URL('/mcp', site.origin)

interface Called {
  content: { type: string; text: string }[]
  isError?: boolean
}

describe('a client with the newer protocol', () => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(addressOf()))
  })
  afterAll(() => client.close())

  const call = async (name: string, asked: Record<string, unknown>): Promise<Called> =>
    (await client.callTool({ name, arguments: asked })) as Called

  test('lists the tools with their arguments, all of them read-only', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    for (const { inputSchema, annotations } of tools) {
      expect(inputSchema.type).toBe('object')
      expect(annotations?.readOnlyHint).toBe(true)
    }
  })

  test('search_skills returns the results of the API, in the same order', async () => {
    const listing = await fetch(`${site.origin}/api/v1/skills?q=csv&limit=5`)
    const found = await call('search_skills', { q: 'csv', limit: 5 })
    // Each row also has its licence, tokens and scan.
    expect(JSON.parse(found.content[0]!.text)).toMatchObject(await listing.json())
  })
})

test('a client with the older protocol connects, lists the tools and calls one', async () => {
  const client = new OlderClient({ name: 'test', version: '1.0.0' })
  await client.connect(new OlderTransport(addressOf()) as Parameters<OlderClient['connect']>[0])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOLS)
  const found = (await client.callTool({
    name: 'search_skills',
    arguments: { q: 'csv', limit: 1 },
  })) as Called
  expect(JSON.parse(found.content[0]!.text)).toMatchObject({ skills: [{ slug: 'csv-clean' }] })
  await client.close()
})

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(site.origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })

test('a body above 64 KiB -> 413, and the server still answers', async () => {
  expect((await post('/mcp', 'x'.repeat(2_000_000))).status).toBe(413)
  expect((await post('/mcp', 'x'.repeat(65_537))).status).toBe(413)
  expect((await fetch(`${site.origin}/llms.txt`)).status).toBe(200)
})

test.each(['', '{', '{"jsonrpc":"2.0"}', '\0'])(
  'the body %j is not a message -> an error of JSON-RPC',
  async (body) => {
    const response = await post('/mcp', body, { Accept: 'application/json, text/event-stream' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: {} })
  },
)

test('a client cannot keep a connection open to wait for changes', async () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }
  const response = await post('/mcp', JSON.stringify(message), {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'subscriptions/listen',
  })
  expect(await response.text()).toMatch(/limit reached/i)
})
