import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Answer } from '../../answers.ts'
import { Compressor, chooseCoding, isCodable } from './coding.ts'

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

const CODING = 'Accept-Encoding'

/** Names the coding among what the answer depends on (RFC 9110 12.5.5), where its policy does not. */
const varyByCoding = (vary: string | undefined): string =>
  vary === undefined ? CODING : vary.includes(CODING) ? vary : `${vary}, ${CODING}`

/** Gives an answer the coding that its reader asks for; one to HEAD gets the fields of GET (RFC 9110 9.3.2). */
export const codeAnswer = async (
  answer: Answer,
  accepted: string | undefined,
  compressor: Compressor,
): Promise<Answer> => {
  if (!isCodable(answer)) return answer
  const { 'Content-Length': length = '', ...fields } = answer.headers
  const headers = { ...fields, Vary: varyByCoding(fields['Vary']) }
  const coding = chooseCoding(accepted)
  if (coding === undefined) return { ...answer, headers: { ...headers, 'Content-Length': length } }
  const tag = fields['ETag']
  const coded =
    answer.body === null
      ? compressor.find(tag, coding)
      : await compressor.code(answer.body, Number(length), tag, coding, answer.file?.coded)
  return {
    ...answer,
    headers: {
      ...headers,
      'Content-Encoding': coding,
      // What HEAD does not know it may leave out (RFC 9110 8.6).
      ...(coded instanceof Uint8Array && { 'Content-Length': String(coded.length) }),
    },
    body: answer.body && (coded ?? null),
  }
}

/** What an operator may set of sending. */
export interface SendingBounds {
  /** Bytes of compressed answers that are kept. */
  kept: number
  /** Milliseconds in which a reader has to take the next part of an answer, of at most 256 KiB. */
  patience: number
}

export const SENDING: SendingBounds = { kept: 32 * 1024 * 1024, patience: 60_000 }

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
export const createSender = ({ kept, patience }: SendingBounds = SENDING): Send => {
  const compressor = new Compressor(kept)
  return async (answer, request, outgoing) => {
    const coded = await codeAnswer(answer, request.headers['accept-encoding'], compressor)
    await sendAnswer(coded, outgoing, patience)
  }
}
