import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import type { Answer } from '../answer.ts'
import { prepareCompression } from './compress.ts'

const isHangUp = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

const streamBody = async (body: ReadableStream, outgoing: ServerResponse): Promise<void> => {
  // To a reader who left before, nothing can be piped, and the file would stay open.
  if (outgoing.destroyed) return body.cancel()
  try {
    await pipeline(Readable.fromWeb(body), outgoing)
  } catch (error) {
    // A reader may leave in the middle; that is no fault of ours.
    if (!isHangUp(error)) throw error
  }
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
