import { join } from 'node:path'
import { renderRecord, writeWhole } from '../store/write.ts'
import { A_DAY } from './judge.ts'
import { MEMORY_FILE } from './memory.ts'
import type { Memory, SourceMemory } from './memory.ts'
import type { Clock } from './pacer.ts'

/** Keeps what a run learns, so that the next one knows it, also where this one is killed. */
export interface Keeper {
  recall(address: string): SourceMemory
  /** Says whether a run that was stopped settled this source already. */
  isSettled(address: string): boolean
  /** Keeps what is to be remembered of a source; `isSettled` where the run need not ask it again. */
  settle(address: string, memory: SourceMemory, isSettled: boolean): void
  /** Ends the run; sources that are no longer there are forgotten. */
  finish(addresses: ReadonlySet<string>): void
}

/** Milliseconds between two writings of the memory: a kill costs no more than this time's questions. */
const WRITE_EVERY = 1_000

/** Makes the keeper of a run. One that was stopped less than a day ago is taken up again. */
export const createKeeper = (
  content: string,
  { run, sources }: Memory,
  clock: Clock,
  dryRun: boolean,
): Keeper => {
  const isOpen = run !== undefined && clock.now() - Date.parse(run.started) < A_DAY
  const started = isOpen ? run.started : new Date(clock.now()).toISOString()
  const before = new Set(isOpen ? run.settled : [])
  const settled = new Set(before)
  const kept = new Map(Object.entries(sources))
  let writtenAt = 0
  const write = (memory: Memory): void => {
    if (!dryRun) writeWhole(join(content, MEMORY_FILE), renderRecord(memory))
    writtenAt = clock.now()
  }
  const listSources = (isWanted: (address: string) => boolean): Memory['sources'] =>
    Object.fromEntries(
      [...kept]
        .filter(([address, memory]) => isWanted(address) && Object.keys(memory).length > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  return {
    recall: (address) => kept.get(address) ?? {},
    isSettled: (address) => before.has(address),
    settle: (address, memory, isSettled) => {
      kept.set(address, memory)
      if (isSettled) settled.add(address)
      if (clock.now() - writtenAt < WRITE_EVERY) return
      write({ run: { started, settled: [...settled] }, sources: listSources(() => true) })
    },
    finish: (addresses) => write({ sources: listSources((address) => addresses.has(address)) }),
  }
}
