import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { constants } from 'node:zlib'
import compression from 'compression'
import { mediaTypeOf } from '../../../src/api/media-types.ts'
import type { Answer } from '../../answers.ts'

type Middleware = (request: IncomingMessage, outgoing: ServerResponse, next: () => void) => void

/** Only whole answers are compressed: a part or a 304 refers to the bytes as they are stored. */
const isCoded = (outgoing: ServerResponse): boolean =>
  outgoing.statusCode === 200 && !outgoing.hasHeader('Content-Range')

/** Text under a type that the library does not know. */
const isLinesOfJson = (outgoing: ServerResponse): boolean =>
  outgoing.getHeader('Content-Type') === mediaTypeOf('.ndjson')

/** A window of 256 KiB holds any page; the default would take 4 MiB for each answer in flight. */
const WINDOW_BITS = 18

/** The library's default: much of the gain for little of the cost. */
const QUALITY = 4

const compressAnswer = compression({
  brotli: {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    },
  },
  filter: (request, outgoing) =>
    isCoded(outgoing) && (isLinesOfJson(outgoing) || compression.filter(request, outgoing)),
}) as unknown as Middleware

/**
 * Makes an answer compress itself as Accept-Encoding allows; to be called before its header fields
 * are sent. An answer to HEAD gets the fields of GET, else its Content-Length would be a lie
 * (RFC 9110 8.6), so the library is shown a GET; Node drops the body.
 */
const prepareCompression = (
  request: IncomingMessage,
  outgoing: ServerResponse,
  vary: string | undefined,
): void => {
  // Nothing to compress, and Vary is already complete.
  if (request.headers['accept-encoding'] === undefined && vary?.includes('Accept-Encoding')) return
  const asGet = Object.create(request, { method: { value: 'GET' } }) as IncomingMessage
  compressAnswer(asGet, outgoing, () => undefined)
}

const streamBody = async (body: ReadableStream, outgoing: ServerResponse): Promise<void> => {
  // Nothing can be piped to a reader who has left, and the file would stay open.
  if (outgoing.destroyed) return body.cancel()
  try {
    await pipeline(Readable.fromWeb(body), outgoing)
  } catch (error) {
    // A reader may leave in the middle; that is no failure of ours.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

/** Milliseconds that a reader has to take the last answer of a connection. */
const LINGER = 500

/**
 * Closes a connection in stages (RFC 9112 9.6): what still arrives is read and dropped for a while. Closed at once
 * with bytes unread, the system would send a reset, which can overtake the answer.
 */
export const closeInStages = (socket: Socket): void => {
  socket.end()
  socket.removeAllListeners('data')
  socket.resume()
  const cut = setTimeout(() => socket.destroy(), LINGER).unref()
  socket.once('close', () => clearTimeout(cut))
}

/** Sends an answer through Node's response. */
export const sendAnswer = async (
  { status, headers, body }: Answer,
  request: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  prepareCompression(request, outgoing, headers['Vary'])
  outgoing.writeHead(status, headers)
  if (body === null) outgoing.end()
  else if (body instanceof Uint8Array) outgoing.end(body)
  else await streamBody(body as ReadableStream, outgoing)
}
