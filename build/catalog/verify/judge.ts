import type { SourceMemory } from './memory.ts'
import type { Outcome } from './outcome.ts'

/** Two answers that it is not there count when they are this far apart, in milliseconds. */
export const A_DAY = 24 * 60 * 60 * 1_000

/** What a check says of a source. */
export type Verdict =
  | { kind: 'alive'; movedTo?: string }
  | { kind: 'gone' }
  /** Absent for the first time, or not yet for a day. */
  | { kind: 'missing'; since: string }
  | { kind: 'unknown'; reason: string }

/** A verdict, and what to remember. */
export interface Judgement {
  verdict: Verdict
  memory: SourceMemory
}

/** Judges a source by what it answered, and by what it answered before; `isGone` is what the records say. */
export const judge = (
  outcome: Outcome,
  memory: SourceMemory,
  isGone: boolean,
  now: number,
): Judgement => {
  const since = memory.missingSince ?? new Date(now).toISOString()
  switch (outcome.kind) {
    case 'alive': {
      const { movedTo, validators } = outcome
      const moved = movedTo === undefined ? {} : { movedTo }
      return { verdict: { kind: 'alive', ...moved }, memory: validators }
    }
    case 'deleted':
      return { verdict: { kind: 'gone' }, memory: { missingSince: since } }
    case 'absent': {
      const isSure = isGone || now - Date.parse(since) >= A_DAY
      const verdict: Verdict = isSure ? { kind: 'gone' } : { kind: 'missing', since }
      return { verdict, memory: { missingSince: since } }
    }
    case 'unknown':
      return { verdict: outcome, memory }
  }
}
