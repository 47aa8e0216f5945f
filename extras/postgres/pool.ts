import { Pool, escapeIdentifier } from 'pg'
import { ApiError, RETRY_AFTER } from '../../src/api/errors.ts'

/** Limits of one server process: connections, and timeouts in milliseconds. */
const BOUNDS = {
  max: 10,
  connectionTimeoutMillis: 2_000,
  idleTimeoutMillis: 30_000,
  // Without a network, the database cannot report its own timeout.
  query_timeout: 7_000,
} as const
const STATEMENT_TIMEOUT = 5_000

/** Runs one statement and returns its rows. */
export type Ask = <Row extends object>(statement: string, values: unknown[]) => Promise<Row[]>

// Set for each transaction, because a pooler can lend a connection to other clients. Compiling a plan or starting workers
// costs more than most of these statements. The matches of a common word fit into this `work_mem`.
const beginIn = (schema: string): string =>
  `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL search_path TO ${escapeIdentifier(schema)};
  SET LOCAL statement_timeout TO ${STATEMENT_TIMEOUT};
  SET LOCAL jit TO off;
  SET LOCAL max_parallel_workers_per_gather TO 0;
  SET LOCAL work_mem TO '32MB'`

/** Adds a code to the error of a broken connection, so that the log omits the stack. */
const addCode = (cause: unknown): unknown =>
  cause instanceof Error && !('code' in cause)
    ? Object.assign(new Error(`The database of SEARCH_URL: ${cause.message}`), { code: 'BROKEN' })
    : cause

/** Waits for the database. Turns every failure into UNAVAILABLE: the reader can only try again. */
const waitFor = async <Value>(answer: Promise<Value>): Promise<Value> => {
  try {
    return await answer
  } catch (cause) {
    throw new ApiError(
      'UNAVAILABLE',
      'The search is not available: its database does not answer.',
      `Try again in ${RETRY_AFTER} seconds. Operators: check that SEARCH_URL can be reached and that "npm run search:sync" has run.`,
      { cause: addCode(cause) },
    )
  }
}

/** Opens a schema of a database for reading; connects when it is first read. */
export const openDatabase = (url: string, schema: string) => {
  const pool = new Pool({ connectionString: url, ...BOUNDS })
  // The pool drops broken connections, and their running statements report the failure.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const begin = beginIn(schema)
  return {
    /** Runs statements in one transaction: all see the same state of the tables. Throws UNAVAILABLE on failure. */
    read: async <Value>(work: (ask: Ask) => Promise<Value>): Promise<Value> => {
      const client = await waitFor(pool.connect())
      const ask: Ask = async <Row extends object>(statement: string, values: unknown[]) =>
        (await waitFor(client.query<Row>(statement, values))).rows
      let isCommitted = false
      try {
        await waitFor(client.query(begin))
        const value = await work(ask)
        await waitFor(client.query('COMMIT'))
        isCommitted = true
        return value
      } finally {
        // After a failure, the state of the connection is unknown: it is closed, not reused.
        client.release(!isCommitted)
      }
    },
    close: () => pool.end(),
  }
}
