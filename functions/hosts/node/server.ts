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
import { readPosted } from '../../posted.ts'
import { serve } from '../../respond.ts'
import type { SiteSource } from '../../respond.ts'
import { isPosted } from '../../route.ts'
import type { SiteRequest } from '../../route.ts'
import { badRequest, headersTooLarge, requestTimeout } from '../../../src/api/errors.ts'
import type { ApiError } from '../../../src/api/errors.ts'
import { createCoder } from './coding.ts'
import { readRequestId } from './log.ts'
import type { FollowRequest } from './log.ts'
import type { Metrics } from './metrics.ts'
import { answerProbe, isProbe } from './probes.ts'

/** Limits of a connection, in bytes of header fields and milliseconds, and what is left to us. */
const LIMITS = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  // Node would refuse a request without an envelope, and take one with several.
  requireHostHeader: false,
} as const

/** Milliseconds until a connection is closed on which nothing moves, such as that of a reader who takes nothing. */
const IDLE_TIMEOUT = 60_000

const MAX_CONNECTIONS = 10_000

const MAX_REQUESTS_PER_SOCKET = 50

/** Milliseconds in which a client may take its last answers, and see that there are no more. */
const LINGER = 1_000

/** Internals of Node, which has no other way to skip requests. */
interface WithParser {
  parser?: { onIncoming: () => number } | null
}

/** The value by which the parser continues with the next request. */
const GO_ON = 0

/**
 * Takes no more requests of a connection. Node's parser reads a packet to its end, up to 3,600 requests, which would
 * otherwise wait behind the answers before them, each in some 3 KB.
 */
const stopReading = (socket: Socket & WithParser): void => {
  socket.pause()
  if (socket.parser) socket.parser.onIncoming = () => GO_ON
}

/**
 * Closes a connection when its answers are sent. What still comes is read and dropped: a socket that is closed with unread
 * input is reset, and the system then drops what the client has not read yet.
 */
const closeGently = (socket: Socket): void => {
  socket.removeAllListeners('data').on('data', () => undefined)
  socket.resume()
  socket.end(() => {
    const cut = setTimeout(() => socket.destroy(), LINGER)
    socket.once('close', () => clearTimeout(cut))
  })
}

/** Errors of Node's HTTP parser with an answer of their own. */
const REFUSALS: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout(),
  HPE_HEADER_OVERFLOW: headersTooLarge(LIMITS.maxHeaderSize),
}

/** The address of such a request is not known, so it is answered like one below `/api`. */
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

/** Whether a request names one host (RFC 9112 3.2); before HTTP/1.1 it may name none. */
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

/** The server of a site; it does not listen yet. */
export const createSiteServer = (
  source: SiteSource,
  follow: FollowRequest,
  metrics?: Metrics,
): Server => {
  const code = createCoder()
  /** The last answer of each connection that is not sent yet. */
  const underWay = new WeakMap<Socket, Promise<void>>()
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
      const refusal = badRequest('The request has no Host header or several')
      return answerThrown(refusal, request, source.origin, report)
    }
    if (isProbe(request)) return answerProbe(request, source)
    const whole = await withBody(request, incoming, source)
    return code(await serve(whole, source, report), incoming.headers['accept-encoding'])
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
      // A reader who leaves in the middle of a request is not a failure of ours.
      if (!socket.destroyed) report(error)
      outgoing.destroy()
    }
    await sent
  }

  const server = createServer(LIMITS, (incoming, outgoing) => {
    const { socket } = incoming
    // Node says so by itself, but then leaves the connection open.
    if (countRequest(socket) === MAX_REQUESTS_PER_SOCKET) {
      outgoing.setHeader('Connection', 'close')
      stopReading(socket)
      // Node calls it when the last answer is sent.
      socket.destroySoon = () => closeGently(socket)
    }
    // Requests that arrive together are answered one after the other, and those of other connections in between.
    const before = underWay.get(socket)?.then(() => nextTurn())
    const turn = (before ?? Promise.resolve())
      .then(() => respond(incoming, outgoing))
      .finally(() => {
        if (underWay.get(socket) === turn) underWay.delete(socket)
      })
    underWay.set(socket, turn)
  })
  server.timeout = IDLE_TIMEOUT
  server.maxConnections = MAX_CONNECTIONS
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET
  server.on('clientError', ({ code: fault = '' }: NodeJS.ErrnoException, socket) => {
    // What comes after the last request is not read, whatever it is.
    if (counts.get(socket as Socket) === MAX_REQUESTS_PER_SOCKET) return
    // Bytes sent now could land inside the answer under way.
    if (!socket.writable || underWay.has(socket as Socket)) socket.destroy()
    else socket.end(renderRefusal(fault, source.origin))
  })
  return server
}

/** Takes no more requests, and closes the connections when their answers are sent, or after `patience` milliseconds. */
export const drain = async (server: Server, patience: number): Promise<void> => {
  const closed = once(server, 'close')
  server.close()
  const cut = setTimeout(() => server.closeAllConnections(), patience)
  await closed
  clearTimeout(cut)
}
