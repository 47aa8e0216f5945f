import { STATUS_CODES } from 'node:http'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  TARGET_LIMIT,
  addressTooLong,
  badRequest,
  headersTooLarge,
  methodNotAllowed,
  requestTimeout,
} from '../../../src/api/errors.ts'
import { answerThrown } from '../../answers.ts'
import type { Answer } from '../../answers.ts'
import type { SiteSource } from '../../respond.ts'
import { findRoute } from '../../route.ts'
import type { SiteRequest } from '../../route.ts'
import { readBody } from '../../store.ts'
import { UNIX_CLIENT } from './clients.ts'
import type { Connections } from './connections.ts'
import type { RequestLog } from './log.ts'
import { makeRequestId, nameAnswer } from './request-id.ts'
import { closeInStages } from './send.ts'

/** An error of Node's HTTP parser; `bytesParsed` is where it failed in the packet that it was given last. */
type ParserError = NodeJS.ErrnoException & { bytesParsed?: number }

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const NEW_LINE = 0x0a

const encodeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/**
 * Parses the first line of a request, with every byte that may not stand in a target percent-encoded.
 * Undefined where it does not begin with a method and a target.
 */
const parseRequestLine = (head: Buffer): SiteRequest | undefined => {
  const [line = ''] = head.toString('latin1').split(/\r?\n/, 1)
  const blank = line.indexOf(' ')
  const method = line.slice(0, Math.max(blank, 0))
  const target = line.slice(blank + 1).replace(/ HTTP\/[^ ]*$/, '')
  if (!TOKEN.test(method) || target === '') return undefined
  return { method, target: target.replace(/[^!-~]/g, encodeByte) }
}

/** Throws the failure that routing would, if enough of the request is readable. */
const refuse = (
  { code }: ParserError,
  head: Buffer,
  request: SiteRequest | undefined,
  headerLimit: number,
): never => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') throw requestTimeout()
  if (code === 'HPE_HEADER_OVERFLOW') {
    const isAddress = request && (!head.includes(NEW_LINE) || request.target.length > TARGET_LIMIT)
    throw isAddress ? addressTooLong() : headersTooLarge(headerLimit)
  }
  if (request) findRoute(request)
  throw badRequest('The request cannot be read as HTTP/1.1')
}

const sendReply = async (socket: Socket, { status, headers, body }: Answer): Promise<void> => {
  const fields = { ...headers, Date: new Date().toUTCString(), Connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`
  const reply = Buffer.concat([Buffer.from(head, 'latin1'), await readBody(body)])
  if (socket.writable) socket.write(reply)
  closeInStages(socket)
}

/** Answers what Node's parser refuses, and CONNECT, as the routes would, instead of just closing. */
export const answerClientErrors = (
  server: Server,
  connections: Connections,
  source: SiteSource,
  log: RequestLog,
  headerLimit: number,
): void => {
  const reply = async (thrown: unknown, request: SiteRequest, socket: Socket): Promise<void> => {
    const answer = answerThrown(thrown, request, source.origin, log.report)
    const asker = { id: makeRequestId(), client: socket.remoteAddress ?? UNIX_CLIENT }
    log.note(request, answer.status, asker)
    await sendReply(socket, nameAnswer(answer, asker.id))
  }
  const handleError = async (error: ParserError, socket: Socket): Promise<void> => {
    const connection = connections.find(socket)
    if (!connection || connection.isFailed) return
    connection.isFailed = true
    const { head: bytes, isUnderstood } = connection
    // Where the piece began with a request that was understood, the one that failed follows it.
    const end = isUnderstood ? bytes.lastIndexOf('\r\n\r\n', error.bytesParsed) : -1
    const head = bytes.subarray(end < 0 ? 0 : end + 4)
    const request = parseRequestLine(head)
    // Answers to requests before it on this connection come first (RFC 9112 9.3.2).
    while (connection.open > 0) await wait(5, undefined, { ref: false })
    // A request with a body ends its connection: where the body is broken, its answer was the last.
    if (!socket.writable) return void socket.destroy()
    try {
      refuse(error, head, request, headerLimit)
    } catch (thrown) {
      await reply(thrown, request ?? { method: '', target: '' }, socket)
    }
  }
  server.on(
    'clientError',
    (error: ParserError, socket) => void handleError(error, socket as Socket),
  )
  server.on('connect', ({ method = '', url = '' }, socket) => {
    socket.on('error', () => socket.destroy())
    void reply(methodNotAllowed(method), { method, target: url }, socket as Socket)
  })
}
