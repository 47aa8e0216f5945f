import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { bytesAtHand } from '../bytes-at-hand.ts'
import { prepareCompression } from './compress.ts'

/** Bodies up to this size are sent at once, larger ones as a stream. */
const AT_ONCE = 256 * 1024

const isHangUp = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

const streamBody = async (body: ReadableStream, outgoing: ServerResponse): Promise<void> => {
  try {
    await pipeline(Readable.fromWeb(body), outgoing)
  } catch (error) {
    // A reader may leave in the middle; that is no fault of ours.
    if (!isHangUp(error)) throw error
  }
}

/** Sends a web-standard Response through Node's. */
export const sendResponse = async (
  response: Response,
  request: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  prepareCompression(request, outgoing, response.headers.get('Vary'))
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  const bytes = bytesAtHand(response)
  if (bytes) {
    outgoing.end(bytes)
  } else if (!response.body) {
    outgoing.end()
  } else if (Number(response.headers.get('Content-Length')) <= AT_ONCE) {
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  } else {
    await streamBody(response.body as ReadableStream, outgoing)
  }
}
