import { Worker } from 'node:worker_threads'
import { isUnchanged } from './marks.ts'
import type { BuildState } from './state.ts'

/** Skills from which on a thread is worth its start: a look at one takes some ten microseconds. */
const WORTH_A_THREAD = 20_000

/** More threads than this wait for each other in the file system. */
const MOST_THREADS = 4

/** Skills that are looked at in one thread, and how they looked. */
export interface Looks {
  content: string
  /** A line each: the slug, a tab, the signature. One text crosses to another thread as it is. */
  lines: string
}

/** Gives the slugs of those that look other than they did. */
export const listOtherLooks = ({ content, lines }: Looks): string[] =>
  lines.split('\n').flatMap((line) => {
    const end = line.indexOf('\t')
    const slug = line.slice(0, end)
    return isUnchanged(`${content}/skills/${slug}`, line.slice(end + 1)) ? [] : [slug]
  })

const lookInThread = (looks: Looks): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./look-worker.ts', import.meta.url), { workerData: looks })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

/** Finds the skills whose folders may have changed: by size and time alone, nothing is read. */
export const findSuspects = async (
  content: string,
  slugs: readonly string[],
  last: BuildState | undefined,
  workers: number,
  worthAThread = WORTH_A_THREAD,
): Promise<string[]> => {
  const lines = slugs.flatMap((slug) => {
    const row = last?.rows.get(slug)
    return row ? [`${slug}\t${row.signature}`] : []
  })
  if (lines.length === 0) return [...slugs]
  const parts = lines.length < worthAThread ? 1 : Math.min(workers, MOST_THREADS)
  const size = Math.ceil(lines.length / parts)
  const shares = Array.from({ length: parts }, (_, at): Looks => ({
    content,
    lines: lines.slice(at * size, (at + 1) * size).join('\n'),
  })).filter((share) => share.lines !== '')
  const [own, ...others] = shares
  const waiting = others.map(lookInThread)
  // What fails in a thread is heard of below, and not before this one has looked at its share.
  for (const one of waiting) one.catch(() => undefined)
  const found = own ? listOtherLooks(own) : []
  const changed = new Set([...found, ...(await Promise.all(waiting)).flat()])
  return slugs.filter((slug) => changed.has(slug) || !last?.rows.has(slug))
}
