/** One request of a log, in whatever format it was written. */
export interface Entry {
  method: string
  /** Address as it was asked for: a path with a query, or a whole address. */
  target: string
  status: number
  /** Network address of the reader. */
  reader: string
  /** What the reader calls itself; empty where it says nothing. */
  agent: string
  /** Day of the request in UTC, YYYY-MM-DD. */
  day: string
  /** The answer was not sent to its end. */
  isCut: boolean
}

/** Why a line was not taken. */
export interface Flaw {
  flaw: string
}

/** What a line of a log holds: requests, nothing that concerns us, or nothing we can read. */
export type Reading = Entry[] | Flaw
