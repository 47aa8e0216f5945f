import { Client } from '../client.ts'
import type { Clock, Retries } from '../client.ts'
import { createGuard } from '../guard.ts'

/** A clock that tests turn: a wait takes no time, and is written down. */
export interface TestClock extends Clock {
  waits: number[]
  pass: (milliseconds: number) => void
}

/** Makes a clock that stands at a day's beginning. */
export const createTestClock = (start = Date.UTC(2026, 9, 10)): TestClock => {
  let time = start
  const waits: number[] = []
  return {
    waits,
    now: () => time,
    pass: (milliseconds) => {
      time += milliseconds
    },
    wait: async (milliseconds) => {
      waits.push(milliseconds)
      time += milliseconds
    },
  }
}

/** Makes a client for tests: this machine is allowed, and half a second is a long time. */
export const createTestClient = (
  clock: Clock,
  more: Partial<Retries> = {},
  guard = createGuard(true),
): Client => {
  const retries = { interval: 0, timeout: 500, attempts: 3, backoff: 100, longestWait: 60_000 }
  return new Client(guard, { ...retries, ...more }, clock)
}
