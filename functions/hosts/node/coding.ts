import { Duplex } from 'node:stream'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
} from 'node:zlib'
import type { Answer } from '../../answers.ts'
import type { Body } from '../../store.ts'
import { Recent } from './recent.ts'

/** Content codings (RFC 9110 8.4.1), the better one first. */
const CODINGS = ['br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

/** An element of Accept-Encoding (RFC 9110 12.5.3); one that is malformed is ignored. */
const ELEMENT = /^[ \t]*([^ \t;]+)[ \t]*(?:;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i

/** Chooses the coding with the highest weight; undefined if no coding at all weighs more. */
export const chooseCoding = (accepted: string | undefined): Coding | undefined => {
  if (accepted === undefined) return undefined
  const weights = new Map<string, number>()
  for (const element of accepted.split(',')) {
    const [, coding, weight = '1'] = ELEMENT.exec(element) ?? []
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight))
  }
  const others = weights.get('*') ?? 0
  const weigh = (coding: Coding): number => weights.get(coding) ?? others
  const best = CODINGS.reduce((a, b) => (weigh(b) > weigh(a) ? b : a))
  return weigh(best) > 0 && weigh(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

const TEXT = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson)\b)/

/** Smaller bodies gain nothing. */
const MIN_CODED_BYTES = 1_024

/** Whether an answer may be compressed: a whole text, of which its policy says that it depends on the coding. */
const isCodable = ({ status, headers }: Answer): boolean =>
  status === 200 &&
  Number(headers['Content-Length']) >= MIN_CODED_BYTES &&
  /\bAccept-Encoding\b/.test(headers['Vary'] ?? '') &&
  TEXT.test(headers['Content-Type'] ?? '')

/** A window of 256 KiB holds any page; the default would take 4 MiB for each answer that is compressed. */
const PARAMETERS = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_LGWIN]: 18,
}

/** Compresses bytes at once: bodies in memory are small, a page takes .7 ms. */
const compress = (bytes: Uint8Array, coding: Coding): Uint8Array<ArrayBuffer> =>
  // A copy, since zlib returns a view of a larger buffer, which would stay in memory with it.
  new Uint8Array(
    coding === 'br' ? brotliCompressSync(bytes, { params: PARAMETERS }) : gzipSync(bytes),
  )

const compressStream = (body: ReadableStream<Uint8Array>, coding: Coding): Body =>
  body.pipeThrough(
    Duplex.toWeb(
      coding === 'br' ? createBrotliCompress({ params: PARAMETERS }) : createGzip(),
    ) as ReadableWritablePair<Uint8Array, Uint8Array>,
  )

/** Bytes of compressed answers that are kept. */
const KEPT_BYTES = 32 * 1024 * 1024

/** Gives an answer the coding that its reader asks for; one to HEAD gets the fields of GET (RFC 9110 9.3.2). */
type CodeAnswer = (answer: Answer, accepted: string | undefined) => Answer

/** Makes a function that compresses each text with an ETag once, until it is dropped from a cache. */
export const createCoder = (): CodeAnswer => {
  const cache = new Recent<Uint8Array<ArrayBuffer>>(KEPT_BYTES)
  const codeBytes = (
    body: Uint8Array | null,
    tag: string | undefined,
    coding: Coding,
  ): Uint8Array<ArrayBuffer> | undefined => {
    const key = coding + tag
    const known = cache.get(key)
    if (known || !body) return known
    const coded = compress(body, coding)
    if (tag !== undefined) cache.set(key, coded, coded.length)
    return coded
  }
  return (answer, accepted) => {
    const coding = isCodable(answer) ? chooseCoding(accepted) : undefined
    if (coding === undefined) return answer
    const { body } = answer
    const { 'Content-Length': _, ...fields } = answer.headers
    const headers = { ...fields, 'Content-Encoding': coding }
    if (body instanceof ReadableStream)
      return { ...answer, headers, body: compressStream(body, coding) }
    const coded = codeBytes(body, fields['ETag'], coding)
    // HEAD may leave out a length that is not known (RFC 9110 8.6).
    if (!coded) return { ...answer, headers }
    return {
      ...answer,
      headers: { ...headers, 'Content-Length': String(coded.length) },
      body: body && coded,
    }
  }
}
