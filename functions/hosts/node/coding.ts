import { Duplex } from 'node:stream'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import PQueue from 'p-queue'
import type { Answer } from '../../answers.ts'
import { readBody } from '../../store.ts'
import type { Body, StoredFile } from '../../store.ts'

/** Bytes by name, those least recently asked for dropped beyond a bound. */
class KeptBytes {
  readonly #limit
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>()
  #size = 0

  /** `limit` in bytes; 0 keeps nothing. */
  constructor(limit: number) {
    this.#limit = limit
  }

  find(name: string): Uint8Array<ArrayBuffer> | undefined {
    const bytes = this.#kept.get(name)
    if (bytes === undefined) return undefined
    // A Map remembers the order its keys were set in, so the first is the one least recently asked for.
    this.#kept.delete(name)
    this.#kept.set(name, bytes)
    return bytes
  }

  /** Keeps bytes unless they alone would drop many others. */
  keep(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#drop(name)
    if (bytes.length > this.#limit / 8) return
    this.#kept.set(name, bytes)
    this.#size += bytes.length
    for (const first of this.#kept.keys()) {
      if (this.#size <= this.#limit) return
      this.#drop(first)
    }
  }

  #drop(name: string): void {
    this.#size -= this.#kept.get(name)?.length ?? 0
    this.#kept.delete(name)
  }
}

/** Content codings (RFC 9110 8.4.1), the better one first. */
const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

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

/** Bytes of the smallest body that is compressed: smaller ones gain nothing. */
const LEAST = 1_024

/** Whether an answer may be compressed: a whole text. A part or a 304 refers to the bytes as they are stored. */
const isCodable = ({ status, headers }: Answer): boolean => {
  const size = Number(headers['Content-Length'] ?? 0)
  return status === 200 && size >= LEAST && TEXT.test(headers['Content-Type'] ?? '')
}

/** Quality of brotli for bodies that are cached, and for those made for one request. */
const [KEPT_QUALITY, MADE_QUALITY] = [5, 4]

/** A window of 256 KiB holds any page; the default would take 4 MiB for each answer that is compressed. */
const WINDOW_BITS = 18

const brotliParameters = (quality: number, size: number): Record<number, number> => ({
  [constants.BROTLI_PARAM_QUALITY]: quality,
  [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: size,
})

/**
 * Bodies up to this size are compressed at once (.7 ms for a page): a thread would save nothing and cost 50 MiB, since
 * the system keeps what each thread has used.
 */
const AT_ONCE = 64 * 1024

/** A larger body is compressed while it is sent, so that it is never whole in memory. */
const MOST = 16 * 1024 * 1024

const createCompression = (coding: Coding): Transform =>
  coding === 'gzip'
    ? createGzip()
    : createBrotliCompress({ params: brotliParameters(MADE_QUALITY, 0) })

/** Bodies between these two sizes that are compressed at a time. */
const THREADS = 2

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]

const compress = async (
  bytes: Uint8Array,
  coding: Coding,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const isSmall = bytes.length <= AT_ONCE
  const params = brotliParameters(quality, bytes.length)
  const run = {
    br: () => (isSmall ? brotliCompressSync(bytes, { params }) : brotli(bytes, { params })),
    gzip: () => (isSmall ? gzipSync(bytes) : gzipped(bytes)),
  }
  // A copy, since zlib returns a view of a larger buffer, which would stay in memory with it.
  return new Uint8Array(await run[coding]())
}

type Codes = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>

const CODING = 'Accept-Encoding'

/** Names the coding among what the answer depends on (RFC 9110 12.5.5), where its policy does not. */
const varyByCoding = (vary: string | undefined): string =>
  vary === undefined ? CODING : vary.includes(CODING) ? vary : `${vary}, ${CODING}`

/** Compresses bodies, and each one with a tag only once. */
export class Compressor {
  readonly #kept
  readonly #queue = new PQueue({ concurrency: THREADS })
  readonly #underWay = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

  /** `limit` bounds the cache, in bytes. */
  constructor(limit: number) {
    this.#kept = new KeptBytes(limit)
  }

  /** The cached form of a body; `tag` is the ETag of its bytes. */
  find(tag: string | undefined, coding: Coding): Uint8Array<ArrayBuffer> | undefined {
    return tag === undefined ? undefined : this.#kept.find(coding + tag)
  }

  /** Gives an answer the coding that its reader asks for; one to HEAD gets the fields of GET (RFC 9110 9.3.2). */
  async codeAnswer(answer: Answer, accepted: string | undefined): Promise<Answer> {
    if (!isCodable(answer)) return answer
    const { 'Content-Length': length = '', ...fields } = answer.headers
    const headers = { ...fields, Vary: varyByCoding(fields['Vary']) }
    const coding = chooseCoding(accepted)
    if (coding === undefined)
      return { ...answer, headers: { ...headers, 'Content-Length': length } }
    const tag = fields['ETag']
    const coded =
      answer.body === null
        ? this.find(tag, coding)
        : await this.code(answer.body, Number(length), tag, coding, answer.file?.coded)
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

  /** Compresses a body of `size` bytes, unless `find` has a precompressed form. */
  async code(
    body: Body,
    size: number,
    tag: string | undefined,
    coding: Coding,
    find?: StoredFile['coded'],
  ): Promise<Body> {
    if (size > MOST && !(body instanceof Uint8Array)) {
      return body.pipeThrough(Duplex.toWeb(createCompression(coding)) as Codes)
    }
    if (tag === undefined) return this.#compress(body, coding, MADE_QUALITY)
    const kept = this.find(tag, coding) ?? this.#underWay.get(coding + tag)
    if (kept !== undefined) {
      if (!(body instanceof Uint8Array)) await body.cancel()
      return kept
    }
    const made = this.#make(body, coding, find)
    this.#underWay.set(coding + tag, made)
    try {
      const bytes = await made
      this.#kept.keep(coding + tag, bytes)
      return bytes
    } finally {
      this.#underWay.delete(coding + tag)
    }
  }

  async #make(
    body: Body,
    coding: Coding,
    find: StoredFile['coded'],
  ): Promise<Uint8Array<ArrayBuffer>> {
    const found = await find?.(coding)
    if (found === undefined) return this.#compress(body, coding, KEPT_QUALITY)
    if (!(body instanceof Uint8Array)) await body.cancel()
    return found
  }

  #compress(body: Body, coding: Coding, quality: number): Promise<Uint8Array<ArrayBuffer>> {
    if (body instanceof Uint8Array && body.length <= AT_ONCE) return compress(body, coding, quality)
    return this.#queue.add(async () => compress(await readBody(body), coding, quality))
  }
}
