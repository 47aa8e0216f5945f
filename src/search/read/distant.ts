import { HEADER_SIZE, InvalidIndexError, readHeader } from '../format/layout.ts'
import type { ReadBytes } from '../format/layout.ts'
import { PackedIndex, openIndex } from './open.ts'
import type { SearchBackend } from './open.ts'

/** Part of a remote file, and the size of the whole file in bytes. */
interface DistantPart {
  bytes: Uint8Array
  size: number
}

/** Reads the bytes from `from` up to but not including `to`, or fewer at the end; undefined if there is no such file. */
export type ReadDistant = (from: number, to: number) => Promise<DistantPart | undefined>

/** Bytes of a block, the unit that is fetched and cached. */
const BLOCK = 8 * 1024

/** Blocks at most this far apart are fetched in one read: another read costs more than the blocks between. */
const NEAR = 16

/** Blocks in the cache: 6 MiB. */
const KEPT = 768

/** An index up to this size is fetched whole. */
const SMALL = 8 * 2 ** 20

/** Thrown by a read of bytes that are not in memory. */
const NOT_HERE = new Error('the bytes are not here yet')

/** Reads part of a file of a known size. Throws InvalidIndexError if the read fails or the file was replaced meanwhile. */
const readAll = async (
  readDistant: ReadDistant,
  from: number,
  to: number,
  size: number,
): Promise<Uint8Array> => {
  const part = await readDistant(from, to).catch((cause: unknown) => {
    throw new InvalidIndexError('a part of it could not be read', { cause })
  })
  if (part?.size !== size || part.bytes.length !== to - from)
    throw new InvalidIndexError('it was replaced while it was read')
  return part.bytes
}

/**
 * A remote file with a cache of blocks. `ask` runs a question that reads synchronously; if bytes are missing, it fetches
 * them together with those announced by `expect`, and runs the question again.
 */
export class DistantFile {
  readonly size: number
  readonly #readDistant: ReadDistant
  readonly #mostReads: number
  /** The cache, least recently used first. */
  readonly #kept = new Map<number, Uint8Array>()
  /** Blocks of the current question, never evicted before it is answered. */
  #here = new Map<number, Uint8Array>()
  readonly #missing = new Set<number>()

  /** A question that needs more than `mostReads` reads, which some platforms limit, throws InvalidIndexError. */
  constructor(size: number, readDistant: ReadDistant, mostReads = Infinity) {
    this.size = size
    this.#readDistant = readDistant
    this.#mostReads = mostReads
  }

  /** Reads bytes synchronously; `expect` announces a range that will be read. */
  readonly read: ReadBytes = Object.assign(
    (from: number, to: number): Uint8Array => {
      const [first, last] = [Math.floor(from / BLOCK), Math.ceil(to / BLOCK)]
      if (!this.#take(first, last)) throw NOT_HERE
      const start = first * BLOCK
      if (last - first === 1) return this.#here.get(first)!.subarray(from - start, to - start)
      const joined = new Uint8Array((last - first) * BLOCK)
      for (let at = first; at < last; at += 1) joined.set(this.#here.get(at)!, at * BLOCK - start)
      return joined.subarray(from - start, to - start)
    },
    {
      expect: (from: number, to: number): void => {
        this.#take(Math.floor(from / BLOCK), Math.ceil(to / BLOCK))
      },
    },
  )

  /** Runs a question until everything it reads is in memory. The question may run several times, so it must have no side effects. */
  async ask<Answer>(question: () => Answer): Promise<Answer> {
    const here = new Map<number, Uint8Array>()
    let left = this.#mostReads
    for (;;) {
      this.#here = here
      this.#missing.clear()
      try {
        const answer = question()
        this.#keep(here)
        return answer
      } catch (error) {
        if (error !== NOT_HERE) throw error
      }
      if (left < 1)
        throw new InvalidIndexError(`a query needs more than ${this.#mostReads} reads of it`)
      // The rows of a page come last, and are more than what is left for anything else.
      const most = Math.max(1, left === this.#mostReads ? left / 2 : left - 2)
      const runs = joinRuns([...this.#missing], Math.floor(most))
      left -= runs.length
      await Promise.all(runs.map((blocks) => this.#fetch(blocks, here)))
    }
  }

  /** Records which blocks of a range are missing; true if none is. */
  #take(first: number, last: number): boolean {
    let isAll = true
    for (let at = first; at < last; at += 1) {
      const block = this.#here.get(at) ?? this.#kept.get(at)
      if (block) this.#here.set(at, block)
      else this.#missing.add(at)
      isAll &&= block !== undefined
    }
    return isAll
  }

  async #fetch(blocks: readonly number[], here: Map<number, Uint8Array>): Promise<void> {
    const from = blocks[0]! * BLOCK
    const to = Math.min((blocks.at(-1)! + 1) * BLOCK, this.size)
    const bytes = await readAll(this.#readDistant, from, to, this.size)
    // Copied, since a view would keep the whole fetched range in memory.
    for (const at of blocks) here.set(at, bytes.slice(at * BLOCK - from, (at + 1) * BLOCK - from))
  }

  #keep(here: ReadonlyMap<number, Uint8Array>): void {
    for (const [at, block] of here) {
      this.#kept.delete(at)
      this.#kept.set(at, block)
    }
    for (const at of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) return
      this.#kept.delete(at)
    }
  }
}

/** Groups block numbers into ranges, split only at the widest gaps, so that there are at most so many ranges. */
const joinRuns = (blocks: readonly number[], most: number): number[][] => {
  const sorted = blocks.toSorted((a, b) => a - b)
  const gaps = sorted.slice(1).map((block, at) => block - sorted[at]!)
  const near = Math.max(NEAR, gaps.toSorted((a, b) => b - a)[most - 1] ?? 0)
  const runs: number[][] = []
  for (const block of sorted) {
    const run = runs.at(-1)
    if (run && block - run.at(-1)! <= near) run.push(block)
    else runs.push([block])
  }
  return runs
}

/**
 * Opens a remote index: the head is held in memory; postings and rows are fetched for each query, mostly in one round
 * trip each. Rows have their own checksums; postings are not checked, so the transport must deliver them intact.
 * Throws InvalidIndexError if there is no index.
 */
export const openDistantIndex = async (
  readDistant: ReadDistant,
  { small = SMALL, mostReads = Infinity } = {},
): Promise<SearchBackend> => {
  const start = await readDistant(0, HEADER_SIZE)
  if (!start) throw new InvalidIndexError('there is no such file')
  const { bytes, size } = start
  const header = readHeader(bytes, size)
  if (size <= small) return openIndex(await readAll(readDistant, 0, size, size))
  const file = new DistantFile(size, readDistant, mostReads)
  const head = await readAll(readDistant, 0, header.headSize, size)
  const index = new PackedIndex(header, head, file.read, file.read)
  return {
    find: (request) => file.ask(() => index.find(request)),
    findRows: (request) => file.ask(() => index.findRows(request)),
    findPage: (request) => file.ask(() => index.findPage(request)),
    suggestWords: (q) => file.ask(() => index.suggestWords(q)),
  }
}
