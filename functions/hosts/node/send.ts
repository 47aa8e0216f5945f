import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Answer } from '../../answers.ts'
import { Compressor } from './coding.ts'

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

type Send = (answer: Answer, request: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** What an operator may set of sending. */
export const SENDING = {
  /** Bytes of compressed answers that are kept. */
  kept: 32 * 1024 * 1024,
  /** Milliseconds in which a reader has to take the next part of an answer, of at most 256 KiB. */
  patience: 60_000,
}

/** Cuts an answer whose reader takes nothing of it, since what is not taken is held in memory. */
const cutWhenStalled = (outgoing: ServerResponse, patience: number): void => {
  const cut = setTimeout(() => outgoing.destroy(), patience).unref()
  outgoing.on('drain', () => cut.refresh()).once('close', () => clearTimeout(cut))
}

/** Sends an answer as it is. */
export const sendAnswer = async (
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  patience: number,
): Promise<void> => {
  outgoing.writeHead(status, headers)
  if (body === null) return void outgoing.end()
  if (!(body instanceof Uint8Array)) {
    cutWhenStalled(outgoing, patience)
    return streamBody(body as ReadableStream, outgoing)
  }
  outgoing.end(body)
  // Mostly the system took all of it at once.
  if (outgoing.writableLength > 0) cutWhenStalled(outgoing, patience)
}

/** Makes what codes answers and sends them through Node's response. */
export const createSender = ({ kept, patience } = SENDING): Send => {
  const compressor = new Compressor(kept)
  return async (answer, request, outgoing) => {
    const coded = await compressor.codeAnswer(answer, request.headers['accept-encoding'])
    await sendAnswer(coded, outgoing, patience)
  }
}
