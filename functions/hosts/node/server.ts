import { randomUUID } from 'node:crypto'
import { STATUS_CODES, createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerThrown } from '../../answers.ts'
import type { Answer } from '../../answers.ts'
import { Clients, ConnectionLimit, RateLimit } from './clients.ts'
import { Compressor } from './coding.ts'
import { Connections, REQUEST_EVENTS } from './connections.ts'
import { KnownAnswers } from './known-answers.ts'
import type { RequestLog } from './log.ts'
import { answerProbe, isProbe } from './monitoring.ts'
import type { Metrics } from './monitoring.ts'
import { closeInStages, sendAnswer } from './send.ts'
import { DEFAULT_BOUNDS } from './settings.ts'
import { isPosted, isTooLong, readPosted } from '../../route.ts'
import type { SiteRequest } from '../../route.ts'
import type { SiteSource } from '../../respond.ts'
import {
  badRequest,
  headersTooLarge,
  requestTimeout,
  tooManyRequests,
} from '../../../src/api/errors.ts'
import type { ApiError } from '../../../src/api/errors.ts'

/** Limits of a connection: bytes of header fields, milliseconds, and connections at a time. */
const BOUNDS = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const
const IDLE_TIMEOUT = 60_000
const CONNECTIONS = 10_000

/** What a proxy may name a request; anything else could forge a line of a log or a header field. */
const PLAIN = /^[!-~]{1,64}$/

/** The name that a proxy gave a request, else a new one. */
const readRequestId = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && PLAIN.test(sent) ? sent : randomUUID()

const nameAnswer = (answer: Answer, id: string): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'X-Request-Id': id },
})

/** Errors of Node's HTTP parser with an answer of their own. */
const REFUSALS: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout(),
  HPE_HEADER_OVERFLOW: headersTooLarge(BOUNDS.maxHeaderSize),
}

/** Bytes of a packet in which the address of its request is looked for. */
const START_BYTES = 4_096

/**
 * Answers what Node's parser refuses by the code of its error alone, and closes the connection. If the packet does not
 * name the address, the answer is the envelope, since the address may be one below `/api`.
 */
const answerRefused = (server: Server, connections: Connections, source: SiteSource): void => {
  type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }
  server.on('clientError', ({ code = '', rawPacket }: ParserError, duplex) => {
    const socket = duplex as Socket
    // Bytes sent now could land inside the answer under way.
    if (!socket.writable || connections.find(socket)?.open !== 0) return void socket.destroy()
    const start = rawPacket?.toString('latin1', 0, START_BYTES) ?? ''
    const [, method = '', target = '/api'] = /^\s*([A-Za-z]+) (\S+)/.exec(start) ?? []
    const refusal = REFUSALS[code] ?? badRequest('The request cannot be read as HTTP/1.1')
    const answer = answerThrown(refusal, { method, target }, source.origin, () => undefined)
    const fields = { ...answer.headers, Date: new Date().toUTCString(), Connection: 'close' }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    const { status, body } = answer
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
    if (body instanceof Uint8Array) socket.write(body)
    closeInStages(socket)
  })
}

const VERSIONS = new Set(['1.0', '1.1'])

/** A host as RFC 3986 3.2.2 writes it, with or without a port. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::[0-9]*)?$/

/** Reads the parts of a request that an answer depends on; Node has joined repeated fields. */
export const readIncoming = ({ method = '', url = '', headers }: IncomingMessage): SiteRequest => {
  const field = (name: string): string | undefined => headers[name]?.toString()
  return {
    method,
    target: url,
    accept: field('accept'),
    ifNoneMatch: field('if-none-match'),
    range: field('range'),
    ifRange: field('if-range'),
  }
}

/** Node's `headers` has only the first Host, and building its list of all takes longer than an answer. */
const hasSeveralHosts = (rawHeaders: readonly string[]): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Finds what is wrong with a request that Node's parser lets through (RFC 9112 2.3, 3.2). */
const findProblem = (request: IncomingMessage): ApiError | undefined => {
  const { httpVersion, headers, rawHeaders } = request
  if (!VERSIONS.has(httpVersion)) {
    return badRequest('The version of HTTP is not 1.1 or 1.0', httpVersion)
  }
  const { host = '' } = headers
  if (headers.host === undefined && httpVersion === '1.1') {
    return badRequest('The request has no Host header')
  }
  if (hasSeveralHosts(rawHeaders)) return badRequest('The request has several Host headers')
  return HOST.test(host) ? undefined : badRequest('The Host header is not a host', host)
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Makes an answer the last of its connection, closed in stages; Node's `destroySoon` would close it at once. */
const endConnection = ({ socket }: IncomingMessage, outgoing: ServerResponse): void => {
  outgoing.shouldKeepAlive = false
  socket.destroySoon = () => closeInStages(socket)
}

/** Adds the body to a request for `MCP_PATH`; one that is too large ends the connection. */
const takePosted = async (
  request: SiteRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<SiteRequest> => {
  const { expect, 'content-length': length } = incoming.headers
  if (isTooLong(length)) {
    endConnection(incoming, outgoing)
    return { ...request, posted: { headers: {}, body: undefined } }
  }
  if (expect !== undefined) outgoing.writeContinue()
  const fields = Object.entries(incoming.headers).map(
    ([name, value]) => [name, String(value)] as [string, string],
  )
  // The rest of a body that is too large stays in the connection, which is closed in stages.
  const posted = await readPosted(incoming.iterator({ destroyOnReturn: false }), fields)
  if (posted.body === undefined) endConnection(incoming, outgoing)
  return { ...request, posted }
}

/** Closes connections of a client that has too many; there is no request yet that could be answered. */
const limitConnections = (
  server: Server,
  clients: Clients,
  most: number,
  metrics: Metrics | undefined,
): void => {
  const limit = new ConnectionLimit(most)
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: peer } = socket
    if (peer === undefined || clients.isProxy(peer)) return
    if (limit.take(peer)) socket.once('close', () => limit.release(peer))
    else {
      metrics?.refuse()
      socket.destroy()
    }
  })
}

interface ServerOptions {
  bounds?: typeof DEFAULT_BOUNDS
  metrics?: Metrics | undefined
  /** Shared by the servers of one process. */
  rate?: RateLimit | undefined
}

/** The server of a site and its connections; it does not listen yet. */
export const createSiteServer = (
  source: SiteSource,
  log: RequestLog,
  { bounds = DEFAULT_BOUNDS, metrics, rate }: ServerOptions = {},
): { server: Server; connections: Connections } => {
  const clients = new Clients(bounds.proxies)
  const known = new KnownAnswers(new Compressor(bounds.sending.kept))
  /** Answers a request that Node's parser accepted. */
  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    request: SiteRequest,
    client: string,
    report: (cause: unknown) => void,
  ): Promise<Answer> => {
    const problem = findProblem(incoming)
    const takesBody = source.mcp !== undefined && isPosted(request.method, request.target)
    const isProbed = isProbe(request)
    const delay = isProbed ? 0 : (rate?.take(client, performance.now()) ?? 0)
    const refusal = problem ?? (delay > 0 ? tooManyRequests(delay) : undefined)
    // A body that is not read would be parsed as a request, and after a broken request the next may be broken too.
    if (problem || (hasBody(incoming) && (!takesBody || refusal))) endConnection(incoming, outgoing)
    if (refusal) return answerThrown(refusal, request, source.origin, report)
    if (isProbed) return answerProbe(request, source)
    const whole = takesBody ? await takePosted(request, incoming, outgoing) : request
    return known.answer(whole, incoming.headers['accept-encoding'], source, report)
  }
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { headers, socket } = incoming
    const caller = {
      id: readRequestId(headers['x-request-id']),
      client: clients.find(socket.remoteAddress, headers['x-forwarded-for']?.toString()),
    }
    const report = (cause: unknown): void => log.report(cause, caller)
    const request = readIncoming(incoming)
    log.follow(incoming, outgoing, caller)
    metrics?.follow(request, outgoing)
    try {
      const answered = await answer(incoming, outgoing, request, caller.client, report)
      await sendAnswer(nameAnswer(answered, caller.id), outgoing, bounds.sending.patience)
    } catch (error) {
      // A reader who leaves in the middle of a request is not a failure of ours.
      if (!socket.destroyed) report(error)
      outgoing.destroy()
    }
  }
  // A request without Host gets our own answer: under /api the error envelope.
  const server = createServer({ ...BOUNDS, requireHostHeader: false })
  server.setTimeout(IDLE_TIMEOUT)
  server.maxConnections = CONNECTIONS
  const connections = new Connections(server)
  if (bounds.connections !== undefined) {
    limitConnections(server, clients, bounds.connections, metrics)
  }
  answerRefused(server, connections, source)
  // Expect changes nothing: a body sent after 100 (Continue) would not be read (RFC 9110 10.1.1).
  for (const event of REQUEST_EVENTS) server.on(event, handle)
  return { server, connections }
}
