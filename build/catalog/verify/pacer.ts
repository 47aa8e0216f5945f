/** Says that a host asked to be left alone for longer than anybody waits. */
export class RestingHost extends Error {
  override name = 'RestingHost'
}

/** Gives each host its requests one after another. */
export interface Pacer {
  /** Waits for the host's next turn. Throws RestingHost where that is too far away. */
  turn(host: string): Promise<void>
  /** Leaves a host alone for so many milliseconds. */
  rest(host: string, wait: number): void
}

/** The clock and its waits; a test has its own. */
export interface Clock {
  now(): number
  wait(milliseconds: number): Promise<void>
}

/** Makes a pacer: so many milliseconds between two requests to one host, and no wait above the limit. */
export const createPacer = (interval: number, longest: number, clock: Clock): Pacer => {
  const next = new Map<string, number>()
  const rests = new Map<string, number>()
  return {
    turn: async (host) => {
      const now = clock.now()
      const rest = rests.get(host) ?? now
      if (rest - now > longest) {
        const seconds = Math.ceil((rest - now) / 1_000)
        throw new RestingHost(`${host} asked to wait ${seconds} seconds`)
      }
      const turn = Math.max(now, rest, next.get(host) ?? now)
      next.set(host, turn + interval)
      if (turn > now) await clock.wait(turn - now)
    },
    rest: (host, wait) => {
      rests.set(host, Math.max(rests.get(host) ?? 0, clock.now() + wait))
    },
  }
}
