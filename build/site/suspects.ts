import { isUnchanged } from './marks.ts'
import { readText, takeOver } from './row-columns.ts'
import type { TextColumn } from './row-columns.ts'
import type { BuildState } from './state.ts'
import { startThread } from './threads.ts'

/** Skills from which on a thread is worth its start: a look at one takes some ten microseconds. */
const WORTH_A_THREAD = 20_000

/** More threads than this wait for each other in the file system. */
const MOST_THREADS = 4

/** Skills that a thread takes at a time. */
const SOME = 500

/** Skills that are looked at by several threads, all in memory that they share. */
export interface Looks {
  content: string
  slugs: TextColumn
  /** How each looked. */
  signatures: TextColumn
  /** How many were taken. */
  taken: Uint32Array
}

/** Takes skills as long as there are any, and gives the slugs of those that look other than they did. */
export const listOtherLooks = ({ content, taken, ...looks }: Looks): string[] => {
  const [slugs, signatures] = [takeOver(looks.slugs), takeOver(looks.signatures)]
  const { length } = slugs.ends
  const others: string[] = []
  for (let from = 0; (from = Atomics.add(taken, 0, SOME)) < length;)
    for (let at = from; at < Math.min(from + SOME, length); at += 1) {
      const slug = readText(slugs, at)
      if (!isUnchanged(`${content}/skills/${slug}`, readText(signatures, at))) others.push(slug)
    }
  return others
}

const lookInThread = (looks: Looks): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const worker = startThread('./look-worker.ts', looks)
    worker.once('message', resolve)
    worker.once('error', reject)
  })

/** Finds the skills that may have changed among those that are there now. */
type FindSuspects = (slugs: readonly string[]) => Promise<string[]>

/**
 * Begins to look for skills whose folders may have changed, by size and time alone: nothing is read. Threads look
 * while who called lists what is there; all look on once that is known.
 */
export const beginLooking = (
  content: string,
  last: Pick<BuildState, 'columns' | 'rows'> | undefined,
  workers: number,
  worthAThread = WORTH_A_THREAD,
): FindSuspects => {
  if (!last) return (slugs) => Promise.resolve([...slugs])
  const { texts, size } = last.columns
  const taken = new Uint32Array(new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT))
  const looks: Looks = { content, slugs: texts.slug, signatures: texts.signature, taken }
  const threads = size < worthAThread ? 0 : Math.min(workers, MOST_THREADS) - 1
  const waiting = Array.from({ length: threads }, () => lookInThread(looks))
  // What fails in a thread is heard of below, and not before this one has found nothing more to look at.
  for (const one of waiting) one.catch(() => undefined)
  return async (slugs) => {
    const found = listOtherLooks(looks)
    const changed = new Set([...found, ...(await Promise.all(waiting)).flat()])
    return slugs.filter((slug) => changed.has(slug) || !last.rows.has(slug))
  }
}
