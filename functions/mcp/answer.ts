import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { McpHttpHandler, McpServer } from '@modelcontextprotocol/server'
import { POLICIES } from '../../src/api/policies.ts'
import { answerBytes } from '../answers.ts'
import type { Answer } from '../answers.ts'
import { BODY_LIMIT, MCP_ALLOW, MCP_PATH } from '../posted.ts'
import type { SiteRequest } from '../route.ts'
import type { ServedSite } from '../site.ts'
import { createMcpServer } from './server.ts'

/** Most messages of one batch: each may be answered with a whole file. */
const MOST_MESSAGES = 8

const readBatch = (body: Uint8Array): { method?: unknown }[] => {
  const text = new TextDecoder().decode(body)
  if (!text.trimStart().startsWith('[')) return []
  try {
    return (JSON.parse(text) as unknown[]).map((message) => Object(message) as { method?: unknown })
  } catch {
    // The handler reports what is wrong with it.
    return []
  }
}

const judgeBatch = (batch: ReturnType<typeof readBatch>): string | undefined => {
  if (batch.length > MOST_MESSAGES) return `a batch has at most ${MOST_MESSAGES} messages`
  // The batch would wait forever: a cancelled request gets no answer.
  return batch.some(({ method }) => method === 'notifications/cancelled')
    ? 'a batch cannot cancel its own requests'
    : undefined
}

/** Makes a JSON-RPC 2.0 error. */
const refuseBatch = (problem: string): Answer => {
  const error = { code: -32600, message: `Invalid Request: ${problem}` }
  return answerBytes(JSON.stringify({ jsonrpc: '2.0', error, id: null }), 400, {
    ...POLICIES.mcp.headers,
    'Content-Type': 'application/json',
  })
}

type Handle = McpHttpHandler['fetch']

const handlers = new WeakMap<ServedSite, Promise<Handle>>()

/** Answers the older protocol as JSON; the library itself would always send an event stream. */
const handleOlder = async (request: Request, server: McpServer): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: BODY_LIMIT,
  })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

const openHandler = async (site: ServedSite): Promise<Handle> => {
  const { siteName } = await site.answered()
  const newer = createMcpHandler(() => createMcpServer(site, siteName), {
    // No streams: the site changes only by a build, and each stream would hold a connection.
    maxSubscriptions: 0,
    maxRequestBodySize: BODY_LIMIT,
  })
  return async (request) =>
    request.method === 'POST' && (await isLegacyRequest(request))
      ? handleOlder(request, createMcpServer(site, siteName))
      : newer.fetch(request)
}

const findHandler = (site: ServedSite): Promise<Handle> => {
  const known = handlers.get(site) ?? openHandler(site)
  handlers.set(site, known)
  known.catch(() => handlers.delete(site))
  return known
}

const TAKES_JSON = /(?:application|\*)\/(?:json|\*)/i

/** Adds event streams, which the library requires in Accept although every answer is JSON. */
const widenAccept = (accept = '*/*'): string =>
  TAKES_JSON.test(accept) ? 'application/json, text/event-stream' : accept

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
  const problem = posted?.body && judgeBatch(readBatch(posted.body))
  if (problem) return refuseBatch(problem)
  const handle = await findHandler(site)
  const response = await handle(
    new Request(site.origin + MCP_PATH, {
      method: method === 'HEAD' ? 'GET' : method,
      headers: { ...posted?.headers, accept: widenAccept(posted?.headers['accept']) },
      ...(posted?.body ? { body: posted.body } : {}),
    }),
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('Content-Type')
  return answerBytes(bytes, response.status, {
    ...POLICIES.mcp.headers,
    ...(type === null ? {} : { 'Content-Type': type }),
    ...(response.status === 405 ? { Allow: MCP_ALLOW } : {}),
  })
}
