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

/** Content codings (RFC 9110 8.4.1), best first. */
const CODINGS = ['br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

/** An element of Accept-Encoding (RFC 9110 12.5.3). Malformed elements are ignored. */
const ELEMENT = /^[ \t]*([^ \t;]+)[ \t]*(?:;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i

/** Chooses the coding with the highest weight. Undefined if `identity`, which means no coding, has a higher weight. */
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
const MIN_COMPRESSED_BYTES = 1_024

/** Whether an answer can be compressed: a whole text whose `Vary` field names Accept-Encoding. */
const isCompressible = ({ status, headers }: Answer): boolean =>
  status === 200 &&
  Number(headers['Content-Length']) >= MIN_COMPRESSED_BYTES &&
  /\bAccept-Encoding\b/.test(headers['Vary'] ?? '') &&
  TEXT.test(headers['Content-Type'] ?? '')

/** A window of 256 KiB holds any page. The default would take 4 MiB for each compressed answer. */
const PARAMETERS = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_LGWIN]: 18,
}

/** Compresses synchronously: bodies in memory are small, and a page takes 0.7 ms. */
const compress = (bytes: Uint8Array, coding: Coding): Uint8Array<ArrayBuffer> =>
  // Copied, because zlib returns a view of a larger buffer, which the view would keep in memory.
  new Uint8Array(
    coding === 'br' ? brotliCompressSync(bytes, { params: PARAMETERS }) : gzipSync(bytes),
  )

const compressStream = (body: ReadableStream<Uint8Array>, coding: Coding): Body =>
  body.pipeThrough(
    Duplex.toWeb(
      coding === 'br' ? createBrotliCompress({ params: PARAMETERS }) : createGzip(),
    ) as ReadableWritablePair<Uint8Array, Uint8Array>,
  )

/** Size of the cache of compressed answers, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024

/** Compresses an answer as Accept-Encoding allows. An answer to HEAD gets the fields of GET (RFC 9110 9.3.2). */
type CompressAnswer = (answer: Answer, accepted: string | undefined) => Answer

/** Makes a function that compresses answers, and caches each result that has an ETag. */
export const createCompressor = (): CompressAnswer => {
  const cache = new Recent<Uint8Array<ArrayBuffer>>(KEPT_BYTES)
  const compressCached = (
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
    const coding = isCompressible(answer) ? chooseCoding(accepted) : undefined
    if (coding === undefined) return answer
    const { body } = answer
    const { 'Content-Length': _, ...fields } = answer.headers
    const headers = { ...fields, 'Content-Encoding': coding }
    if (body instanceof ReadableStream)
      return { ...answer, headers, body: compressStream(body, coding) }
    const coded = compressCached(body, fields['ETag'], coding)
    // An answer to HEAD can omit an unknown length (RFC 9110 8.6).
    if (!coded) return { ...answer, headers }
    return {
      ...answer,
      headers: { ...headers, 'Content-Length': String(coded.length) },
      body: body && coded,
    }
  }
}
