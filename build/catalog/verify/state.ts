import { join } from 'node:path'
import { z } from 'zod'
import { readBeside } from '../store/records.ts'
import { renderRecord, writeWhole } from '../store/write.ts'
import type { Clock } from './client.ts'

/** Minimum time between two answers that confirm an absence, in milliseconds. */
export const GONE_AFTER = 24 * 60 * 60 * 1_000

/** Longest validator that is kept, in characters. */
export const VALIDATOR_LIMIT = 1_000

/** Stored beside the records; losing it delays the detection of gone sources by a day. */
const STATE_FILE = 'verify.state.json'

const time = z.iso.datetime()
const validator = z.string().max(VALIDATOR_LIMIT)

const sourceState = z.strictObject({
  /** What the last answer can be told from (RFC 9110 8.8). */
  etag: validator.optional(),
  lastModified: validator.optional(),
  /** Start of the current absence. */
  missingSince: time.optional(),
})

const stateRecord = z.strictObject({
  /** An unfinished run: its start, and the sources already checked. */
  run: z.strictObject({ started: time, settled: z.array(z.string()) }).optional(),
  sources: z.record(z.string(), sourceState),
})

/** What is kept of a source for the next run. */
export type SourceState = z.infer<typeof sourceState>

/** Milliseconds between saves of the state; a kill loses at most the checks of that time. */
const WRITE_EVERY = 1_000

/**
 * Keeps what a run learns, so that the next one knows it, also where this one is killed. A run that
 * was stopped less than a day ago is taken up again.
 */
export class VerifyState {
  readonly #clock: Clock
  /** Where the state is written; undefined for a dry run. */
  readonly #path: string | undefined
  readonly #started: string
  /** What the stopped run settled, and what is settled by now. */
  readonly #before: ReadonlySet<string>
  readonly #settled: Set<string>
  readonly #sources: Map<string, SourceState>
  #writtenAt = 0

  /** Reads what earlier runs left. Throws ContentError. */
  constructor(content: string, clock: Clock, dryRun: boolean) {
    const { run, sources } = readBeside(content, STATE_FILE, stateRecord) ?? { sources: {} }
    const isOpen = run !== undefined && clock.now() - Date.parse(run.started) < GONE_AFTER
    this.#clock = clock
    this.#path = dryRun ? undefined : join(content, STATE_FILE)
    this.#started = isOpen ? run.started : new Date(clock.now()).toISOString()
    this.#before = new Set(isOpen ? run.settled : [])
    this.#settled = new Set(this.#before)
    this.#sources = new Map(Object.entries(sources))
  }

  recall(address: string): SourceState {
    return this.#sources.get(address) ?? {}
  }

  /** Whether a run that was stopped settled this source already. */
  isSettled(address: string): boolean {
    return this.#before.has(address)
  }

  /** Keeps what is known of a source; `isSettled` where the run need not ask it again. */
  settle(address: string, state: SourceState, isSettled: boolean): void {
    this.#sources.set(address, state)
    if (isSettled) this.#settled.add(address)
    if (this.#clock.now() - this.#writtenAt < WRITE_EVERY) return
    this.#write({ started: this.#started, settled: [...this.#settled] })
  }

  /** Ends the run; sources that are no longer there are forgotten. */
  finish(addresses: ReadonlySet<string>): void {
    for (const address of this.#sources.keys()) {
      if (!addresses.has(address)) this.#sources.delete(address)
    }
    this.#write()
  }

  #write(run?: z.infer<typeof stateRecord>['run']): void {
    const known = [...this.#sources]
      .filter(([, state]) => Object.keys(state).length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const text = renderRecord({ ...(run && { run }), sources: Object.fromEntries(known) })
    if (this.#path !== undefined) writeWhole(this.#path, text)
    this.#writtenAt = this.#clock.now()
  }
}
