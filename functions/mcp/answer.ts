import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { POLICIES } from '../../src/api/policies.ts'
import { answerBytes } from '../answers.ts'
import type { Answer } from '../answers.ts'
import { BODY_LIMIT, MCP_PATH } from '../posted.ts'
import type { SiteRequest } from '../route.ts'
import type { ServedSite } from '../site.ts'

/** Messages of one batch, at most: a single one may be answered with a whole file. */
const MOST_MESSAGES = 8

const countMessages = (body: Uint8Array): number => {
  const text = new TextDecoder().decode(body)
  if (!text.trimStart().startsWith('[')) return 1
  try {
    return (JSON.parse(text) as unknown[]).length
  } catch {
    // The handler says what is wrong with it.
    return 1
  }
}

/** A refusal as JSON-RPC 2.0 has it. */
const refuseBatch = (): Answer => {
  const message = `Invalid Request: a batch has at most ${MOST_MESSAGES} messages`
  return answerBytes(
    JSON.stringify({ jsonrpc: '2.0', error: { code: -32600, message }, id: null }),
    400,
    { ...POLICIES.mcp.headers, 'Content-Type': 'application/json' },
  )
}

const handlers = new WeakMap<ServedSite, Promise<McpHttpHandler>>()

const openHandler = async (site: ServedSite): Promise<McpHttpHandler> => {
  const { siteName } = await site.answered()
  // Loaded here, since the server is only known to be asked for now.
  const { createMcpServer } = await import('./server.ts')
  return createMcpHandler(() => createMcpServer(site, siteName), {
    responseMode: 'json',
    // The site changes only by a build; a stream that says so would hold a connection.
    maxSubscriptions: 0,
    maxRequestBodySize: BODY_LIMIT,
  })
}

const findHandler = (site: ServedSite): Promise<McpHttpHandler> => {
  const known = handlers.get(site) ?? openHandler(site)
  handlers.set(site, known)
  known.catch(() => handlers.delete(site))
  return known
}

/** Answers a request of the Model Context Protocol (streamable HTTP, stateless) from one finished build. */
export const answerMcp = async (
  { method, posted }: SiteRequest,
  site: ServedSite,
): Promise<Answer> => {
  if (posted && posted.body === undefined)
    return answerBytes(
      `The body is larger than ${BODY_LIMIT} bytes.\n`,
      413,
      POLICIES.plain.headers,
    )
  if (posted?.body && countMessages(posted.body) > MOST_MESSAGES) return refuseBatch()
  const handler = await findHandler(site)
  const response = await handler.fetch(
    new Request(site.origin + MCP_PATH, {
      method: method === 'HEAD' ? 'GET' : method,
      headers: { Accept: 'application/json, text/event-stream', ...posted?.headers },
      ...(posted?.body ? { body: posted.body } : {}),
    }),
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('Content-Type')
  const allow = response.headers.get('Allow')
  return answerBytes(bytes, response.status, {
    ...POLICIES.mcp.headers,
    ...(type === null ? {} : { 'Content-Type': type }),
    ...(allow === null ? {} : { Allow: allow }),
  })
}
