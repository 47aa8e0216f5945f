import type { Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../../src/api/errors.ts'
import {
  addressTooLong,
  badRequest,
  headersTooLarge,
  methodNotAllowed,
  requestTimeout,
} from '../../src/api/errors.ts'
import { TARGET_LIMIT } from '../../src/api/endpoints.ts'
import { readBody } from '../answer.ts'
import type { Answer } from '../answer.ts'
import { answerFailure } from '../answer-failure.ts'
import { fitMethod } from '../respond.ts'
import { findRoute } from '../route.ts'
import { trackConnections } from './connections.ts'
import type { Connection } from './connections.ts'
import { parseRequestLine } from './request-line.ts'
import type { RequestLine } from './request-line.ts'

/** An error of Node's HTTP parser: `rawPacket` is what it failed in, at `bytesParsed`. */
interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer
  bytesParsed?: number
}

/** What is told about a failed connection. */
export interface ClientErrorOptions {
  /** Gives the origin to name in the envelope. */
  origin: () => string
  headerLimit: number
  /** Is told about each answer. */
  log: (line: RequestLine, status: number, socket: Socket) => void
}

/** Time a reader gets to take the answer before the connection is cut, in milliseconds. */
const LINGER = 500

const NO_LINE: RequestLine = { method: '', target: '', isWhole: true }

/** Finds the first line of the request that failed, be it the second in its packet. */
const findLine = ({ head }: Connection, error: ParserError): RequestLine | undefined => {
  if (head) return parseRequestLine(head)
  const { rawPacket = Buffer.alloc(0), bytesParsed = 0 } = error
  const before = rawPacket.lastIndexOf('\r\n\r\n', bytesParsed)
  return parseRequestLine(rawPacket.subarray(before < 0 ? 0 : before + 4))
}

const findRouteFailure = ({ method, target }: RequestLine): ApiError | undefined => {
  try {
    findRoute({ method, target })
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Says what is wrong with a request that could not be parsed, as the route would say it if it can. */
const explain = (
  error: ParserError,
  line: RequestLine | undefined,
  headerLimit: number,
): ApiError => {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const isAddress = line !== undefined && (!line.isWhole || line.target.length > TARGET_LIMIT)
    return isAddress ? addressTooLong() : headersTooLarge(headerLimit)
  }
  return (line && findRouteFailure(line)) ?? badRequest('The request cannot be read as HTTP/1.1')
}

const renderReply = async ({ status, headers, body }: Answer): Promise<Buffer> => {
  const fields = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const date = new Date().toUTCString()
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields}Date: ${date}\r\nConnection: close\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), await readBody(body)])
}

const sendReply = async (socket: Socket, answer: Answer): Promise<void> => {
  const reply = await renderReply(answer)
  if (socket.writable) socket.end(reply)
  // What still arrives is read and dropped, or the reset would overtake the answer.
  socket.resume()
  await wait(LINGER, undefined, { ref: false })
  socket.destroy()
}

const waitForAnswers = async (connection: Connection): Promise<void> => {
  while (connection.open > 0) await wait(5, undefined, { ref: false })
}

/** Answers what Node's parser refuses, and CONNECT, as the routes would: never with silence. */
export const answerClientErrors = (server: Server, options: ClientErrorOptions): void => {
  const findConnection = trackConnections(server)
  const reply = async (error: ApiError, line: RequestLine, socket: Socket): Promise<void> => {
    const answer = answerFailure(error, line.target, { origin: options.origin() })
    options.log(line, answer.status, socket)
    await sendReply(socket, fitMethod(line.method, answer))
  }
  const handleError = async (error: ParserError, socket: Socket): Promise<void> => {
    const connection = findConnection(socket)
    if (connection.isFailed) return
    connection.isFailed = true
    const line = findLine(connection, error)
    // Answers to requests before it on this connection come first (RFC 9112 9.3.2).
    await waitForAnswers(connection)
    // A request with a body ends its connection: where the body is broken, its answer was the last.
    if (!socket.writable) socket.destroy()
    else await reply(explain(error, line, options.headerLimit), line ?? NO_LINE, socket)
  }
  server.on(
    'clientError',
    (error: ParserError, socket) => void handleError(error, socket as Socket),
  )
  server.on('connect', ({ method = '', url = '' }, socket) => {
    socket.on('error', () => socket.destroy())
    const line = { method, target: url, isWhole: true }
    void reply(methodNotAllowed(method), line, socket as Socket)
  })
}
