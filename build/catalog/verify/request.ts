import { request as requestHttp } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Guard } from './guard.ts'

/** What a source answered: its status, its header fields, and the beginning of its body. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  head: Buffer
}

/** How one request is made. */
export interface RequestOptions {
  guard: Guard
  /** Milliseconds for everything, from the look-up of the name to the last byte wanted. */
  timeout: number
  headers: Readonly<Record<string, string>>
  /** Bytes of the body that are wanted; no more are read, and nothing is unpacked. */
  bodyLimit: number
}

/** Header fields of an answer, in bytes, at most. */
const HEADER_LIMIT = 32 * 1024

const AGENT = 'skill-registry-verify/1 (checks that the sources of listed skills are still there)'

const readHead = (incoming: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = (): void => resolve(Buffer.concat(chunks).subarray(0, limit))
    if (limit === 0) finish()
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= limit) finish()
    })
    incoming.on('end', finish)
    incoming.on('error', reject)
  })

/** Makes one GET to an allowed address, and hangs up when what is wanted is there. */
export const requestOnce = async (url: URL, options: RequestOptions): Promise<Answer> => {
  const { guard, timeout, headers, bodyLimit } = options
  guard.check(url)
  const signal = AbortSignal.timeout(timeout)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const outgoing = send(url, {
    method: 'GET',
    headers: { 'User-Agent': AGENT, 'Accept-Encoding': 'identity', ...headers },
    lookup: guard.lookup,
    agent: false,
    signal,
    maxHeaderSize: HEADER_LIMIT,
  })
  try {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve)
      // Stays after the answer: hanging up is no error of anybody's.
      outgoing.on('error', reject)
      outgoing.end()
    })
    const head = await readHead(incoming, bodyLimit)
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, head }
  } catch (error) {
    // An answer that is cut off by the clock looks like one that was hung up.
    throw signal.aborted ? signal.reason : error
  } finally {
    outgoing.destroy()
  }
}
