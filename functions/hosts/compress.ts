import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import compression from 'compression'

type Middleware = (request: IncomingMessage, outgoing: ServerResponse, next: () => void) => void

/** Only whole answers are coded: a part or a 304 speaks of the bytes as they are stored. */
const isCoded = (outgoing: ServerResponse): boolean =>
  outgoing.statusCode === 200 && !outgoing.hasHeader('Content-Range')

/** A window of 256 KiB holds any page; the default of 4 MiB would be taken for each answer under way. */
const WINDOW_BITS = 18

/** What the library's default is: much of the gain for little of the cost. */
const QUALITY = 4

const compressAnswer = compression({
  brotli: {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    },
  },
  filter: (request, outgoing) => isCoded(outgoing) && compression.filter(request, outgoing),
}) as unknown as Middleware

/**
 * Makes an answer compress itself as Accept-Encoding allows; to be called before its header fields
 * are sent. An answer to HEAD gets the fields of GET, else its Content-Length would be a lie
 * (RFC 9110 8.6), so the library is shown a GET; Node drops the body.
 */
export const prepareCompression = (
  request: IncomingMessage,
  outgoing: ServerResponse,
  vary: string | undefined,
): void => {
  // Nothing to code, and the field that says so is there.
  if (request.headers['accept-encoding'] === undefined && vary?.includes('Accept-Encoding')) return
  const asGet = Object.create(request, { method: { value: 'GET' } }) as IncomingMessage
  compressAnswer(asGet, outgoing, () => undefined)
}
