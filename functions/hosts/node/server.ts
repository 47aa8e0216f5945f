import { once } from 'node:events'
import { STATUS_CODES, createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { answerThrown } from '../../answers.ts'
import type { Answer, Report } from '../../answers.ts'
import { serve } from '../../respond.ts'
import type { SiteSource } from '../../respond.ts'
import { isPosted } from '../../route.ts'
import type { SiteRequest } from '../../route.ts'
import { readPosted } from '../../store.ts'
import { badRequest, headersTooLarge, requestTimeout } from '../../../src/api/errors.ts'
import type { ApiError } from '../../../src/api/errors.ts'
import { createCompressor } from './coding.ts'
import { readRequestId } from './log.ts'
import type { FollowRequest } from './log.ts'
import type { Metrics } from './metrics.ts'
import { answerProbe, isProbe } from './probes.ts'

/** Limits of a connection, in bytes or milliseconds. */
const LIMITS = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  // `hasHost` checks this instead: Node's refusal has no error envelope, and Node accepts several Host fields.
  requireHostHeader: false,
} as const

/** Milliseconds until an idle connection is closed, for example if the client does not read. */
const IDLE_TIMEOUT = 60_000

const MAX_CONNECTIONS = 10_000

const MAX_REQUESTS_PER_SOCKET = 50

/** Milliseconds that a client has to read its last answers and close the connection. */
const LINGER = 1_000

/** Internals of Node, which has no public way to skip requests. */
interface WithParser {
  parser?: { onIncoming: () => number } | null
}

/** The return value that makes the parser continue with the next request. */
const GO_ON = 0

/**
 * Ignores all further requests of a connection. Node's parser reads a packet to its end, which can contain 3,600
 * requests. Each would take some 3 KB while it waits for the answers before it.
 */
const stopReading = (socket: Socket & WithParser): void => {
  socket.pause()
  if (socket.parser) socket.parser.onIncoming = () => GO_ON
}

/**
 * Closes a connection when its answers are sent. Further input is read and ignored: closing a socket with unread input
 * resets the connection, and the system then discards the answers that the client has not read yet.
 */
const closeGently = (socket: Socket): void => {
  socket.removeAllListeners('data').on('data', () => undefined)
  socket.resume()
  socket.end(() => {
    const cut = setTimeout(() => socket.destroy(), LINGER)
    socket.once('close', () => clearTimeout(cut))
  })
}

/** The errors of Node's HTTP parser that are not answered with BAD_REQUEST. */
const REFUSALS: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout(),
  HPE_HEADER_OVERFLOW: headersTooLarge(LIMITS.maxHeaderSize),
}

/** Replaces a request whose address is unreadable, so that the answer is the API's error envelope. */
const UNREAD = { method: 'GET', target: '/api' }

const renderRefusal = (code: string, origin: string): string => {
  const refusal = REFUSALS[code] ?? badRequest('The request cannot be read as HTTP/1.1')
  const { status, headers, body } = answerThrown(refusal, UNREAD, origin, () => undefined)
  const fields = { ...headers, Date: new Date().toUTCString(), Connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${String(Buffer.from(body as Uint8Array))}`
}

/** Reads the parts of a request that an answer depends on; Node has joined repeated fields. */
const readIncoming = ({ method = '', url = '', headers }: IncomingMessage): SiteRequest => {
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

/** Whether a request has exactly one Host field (RFC 9112 3.2). Before HTTP/1.1, it can have none. */
const hasHost = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts === 1 || (hosts === 0 && httpVersion < '1.1')
}

const withBody = async (
  request: SiteRequest,
  incoming: IncomingMessage,
  { mcp }: SiteSource,
): Promise<SiteRequest> => {
  if (!mcp || !isPosted(request.method, request.target)) return request
  const fields = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return { ...request, posted: await readPosted(incoming, Object.fromEntries(fields)) }
}

const send = async (
  { status, headers, body }: Answer,
  id: string,
  outgoing: ServerResponse,
): Promise<void> => {
  outgoing.writeHead(status, { ...headers, 'X-Request-Id': id })
  if (body === null || body instanceof Uint8Array) outgoing.end(body)
  else await pipeline(Readable.fromWeb(body as ReadableStream), outgoing)
}

/** Creates the HTTP server of a site. It does not listen yet. */
export const createSiteServer = (
  source: SiteSource,
  follow: FollowRequest,
  metrics?: Metrics,
): Server => {
  const compress = createCompressor()
  /** For each connection, the last of the answers that are not sent yet. */
  const pending = new WeakMap<Socket, Promise<void>>()
  const counts = new WeakMap<Socket, number>()
  const countRequest = (socket: Socket): number => {
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    return count
  }

  const makeAnswer = async (
    request: SiteRequest,
    incoming: IncomingMessage,
    report: Report,
  ): Promise<Answer> => {
    if (!hasHost(incoming)) {
      const refusal = badRequest('The request has no Host header, or more than one')
      return answerThrown(refusal, request, source.origin, report)
    }
    if (isProbe(request)) return answerProbe(request, source)
    const whole = await withBody(request, incoming, source)
    return compress(await serve(whole, source, report), incoming.headers['accept-encoding'])
  }

  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { socket } = incoming
    if (socket.destroyed) return
    const id = readRequestId(incoming)
    const report = follow(incoming, outgoing, id)
    const request = readIncoming(incoming)
    metrics?.follow(request, outgoing)
    const sent = finished(outgoing).catch(() => undefined)
    try {
      await send(await makeAnswer(request, incoming, report), id, outgoing)
    } catch (error) {
      // A client that disconnects during a request is not a failure of the server.
      if (!socket.destroyed) report(error)
      outgoing.destroy()
    }
    await sent
  }

  const server = createServer(LIMITS, (incoming, outgoing) => {
    const { socket } = incoming
    // Node would also send this field, but would then leave the connection open.
    if (countRequest(socket) === MAX_REQUESTS_PER_SOCKET) {
      outgoing.setHeader('Connection', 'close')
      stopReading(socket)
      // Node calls this method when the last answer is sent.
      socket.destroySoon = () => closeGently(socket)
    }
    // Requests that arrive together are answered one at a time, with a turn for other connections in between.
    const before = pending.get(socket)?.then(() => nextTurn())
    const turn = (before ?? Promise.resolve())
      .then(() => respond(incoming, outgoing))
      .finally(() => {
        if (pending.get(socket) === turn) pending.delete(socket)
      })
    pending.set(socket, turn)
  })
  server.timeout = IDLE_TIMEOUT
  server.maxConnections = MAX_CONNECTIONS
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET
  server.on('clientError', ({ code: fault = '' }: NodeJS.ErrnoException, socket) => {
    // Input after the last answered request is ignored.
    if (counts.get(socket as Socket) === MAX_REQUESTS_PER_SOCKET) return
    // An error answer sent now could end up inside a pending answer.
    if (!socket.writable || pending.has(socket as Socket)) socket.destroy()
    else socket.end(renderRefusal(fault, source.origin))
  })
  return server
}

/** Accepts no more requests, and closes each connection when its answers are sent, or after `timeout` milliseconds. */
export const drain = async (server: Server, timeout: number): Promise<void> => {
  const closed = once(server, 'close')
  server.close()
  const cut = setTimeout(() => server.closeAllConnections(), timeout)
  await closed
  clearTimeout(cut)
}
