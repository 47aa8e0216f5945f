import { createHash } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const TOOLS = ['search_skills', 'get_skill', 'list_categories']

const site = inject('site')

const addressOf = (): URL => new URL('/mcp', site.origin)

interface Called {
  content: { type: string; text: string }[]
  isError?: boolean
  structuredContent?: unknown
}

describe('the client of the newer protocol', () => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(addressOf()))
  })
  afterAll(() => client.close())

  const call = async (name: string, asked: Record<string, unknown>): Promise<Called> =>
    (await client.callTool({ name, arguments: asked })) as Called

  test('lists tools that say what they take and that they only read', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    for (const { inputSchema, annotations } of tools) {
      expect(inputSchema.type).toBe('object')
      expect(annotations?.readOnlyHint).toBe(true)
    }
  })

  test('search_skills finds what the API finds, in its order', async () => {
    const listing = await fetch(`${site.origin}/api/v1/skills?q=csv&limit=5`)
    const { skills, total } = (await listing.json()) as {
      skills: { slug: string }[]
      total: number
    }
    const found = await call('search_skills', { query: 'csv', limit: 5 })
    expect(found.structuredContent).toMatchObject({
      total,
      skills: skills.map(({ slug }) => ({ slug, page: `${site.origin}/skills/${slug}` })),
    })
    expect(JSON.parse(found.content[0]!.text)).toEqual(found.structuredContent)
  })

  test('search_skills without words lists a category', async () => {
    const { structuredContent } = await call('search_skills', { category: 'Writing', limit: 2 })
    expect(structuredContent).toMatchObject({
      skills: [{ category: 'Writing' }, { category: 'Writing' }],
    })
  })

  test.each([
    ['search_skills', { category: 'writing' }],
    ['search_skills', { limit: 0 }],
    ['search_skills', { query: 'x'.repeat(1_001) }],
    ['get_skill', { slug: '../../private/site' }],
    ['get_skill', {}],
  ])('%s refuses %j', async (name, asked) => {
    expect(await call(name, asked)).toMatchObject({ isError: true })
  })

  test('get_skill gives the page in Markdown, and near names for a name that no skill has', async () => {
    const twin = await fetch(`${site.origin}/skills/csv-clean.md`)
    const { content } = await call('get_skill', { slug: 'csv-clean' })
    expect(content[0]!.text).toBe(await twin.text())
    const missed = await call('get_skill', { slug: 'csv-claen' })
    expect(missed).toMatchObject({ isError: true })
    expect(missed.content[0]!.text).toMatch(
      /^No skill has the slug "csv-claen"\. Near it: csv-clean\b/,
    )
  })

  test('list_categories counts all nine', async () => {
    const { structuredContent } = await call('list_categories', {})
    const { categories } = structuredContent as { categories: { skills: number; page: string }[] }
    expect(categories).toHaveLength(9)
    const total = categories.reduce((sum, { skills }) => sum + skills, 0)
    const { skills } = await new SkillsClient(client).list()
    expect(skills).toHaveLength(total)
  })

  test('reads every file of a skill as the server publishes it', async () => {
    const skills = new SkillsClient(client)
    expect(skills.supported).toBe(true)
    const { skill } = await skills.get('skill://csv-clean/SKILL.md')
    const resources = skill.resources as { uri: string; digest: string }[]
    expect(resources.length).toBeGreaterThan(2)
    for (const { uri, digest } of resources) {
      const { bytes, verified } = await skills.read(skill, uri)
      const path = uri.slice('skill://'.length)
      const raw = await fetch(`${site.origin}/skills/${path}`)
      expect(Buffer.from(bytes)).toEqual(Buffer.from(await raw.arrayBuffer()))
      expect(digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      expect(verified).toBe(true)
    }
  })

  test.each([
    'skill://no-such-skill/SKILL.md',
    'skill://csv-clean/../../private/site.json',
    'skill://csv-clean/..%2F..%2Fprivate/site.json',
    'skill://%2e%2e/private/site.json',
    'skill://csv-clean/',
    'skill://csv-clean/%zz',
    'file:///etc/passwd',
  ])('%s is no skill, and nothing to read', async (uri) => {
    await expect(new SkillsClient(client).get(uri)).rejects.toThrow(/skill|URI|resource/i)
    await expect(client.readResource({ uri })).rejects.toThrow(/resource|URI/i)
  })
})

test('the client of the older protocol connects, lists and calls', async () => {
  const client = new OlderClient({ name: 'test', version: '1.0.0' })
  await client.connect(new OlderTransport(addressOf()) as Parameters<OlderClient['connect']>[0])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOLS)
  const found = await client.callTool({
    name: 'search_skills',
    arguments: { query: 'csv', limit: 1 },
  })
  expect(found['structuredContent']).toMatchObject({ skills: [{ slug: 'csv-clean' }] })
  await client.close()
})

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(site.origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })

test('a body above 64 KiB is 413, and every other address takes none', async () => {
  expect((await post('/mcp', 'x'.repeat(2_000_000))).status).toBe(413)
  expect((await post('/mcp', 'x'.repeat(65_537))).status).toBe(413)
  expect((await post('/api/v1/skills', '{}')).status).toBe(405)
  expect((await post('/MCP', '{}')).status).toBe(405)
  expect((await fetch(`${site.origin}/llms.txt`)).status).toBe(200)
})

test.each(['', '{', '[]', '{"jsonrpc":"2.0"}', '[1,2]', '"x"', '\0'])(
  'a body that is no message, %j, is refused as JSON-RPC refuses it',
  async (body) => {
    const response = await post('/mcp', body, { Accept: 'application/json, text/event-stream' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: {} })
  },
)

test('nobody can hold a connection open for changes', async () => {
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
