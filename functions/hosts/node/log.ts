import { write as writeToDescriptor } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chooseForm } from '../../negotiate.ts'

/** Most characters that wait to be written; a reader of the log that stalls costs lines, not memory. */
const WAITING = 4 * 1024 * 1024

/** Milliseconds until a full pipe is tried again, and until the last lines are given up. */
const [AGAIN, GIVE_UP] = [20, 1_000]

const write = promisify(writeToDescriptor)

/**
 * Writes lines to a file descriptor without ever waiting for it: a full pipe would stop a server that writes through
 * process.stdout, whose pipes are synchronous. A stream of Node would end at a pipe that is full.
 */
export class LineSink {
  readonly #descriptor
  #batch = ''
  #left = 0
  #written: Promise<void> | undefined
  #isClosed = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  add(line: string): void {
    if (this.#isClosed || this.#left + this.#batch.length >= WAITING) return
    this.#batch += `${line}\n`
    this.#written ??= this.#writeBatches()
  }

  /** Takes no more lines; resolves when those taken so far are written, have failed or cannot be written. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.race([this.#written, wait(GIVE_UP, undefined, { ref: false })])
  }

  async #writeBatches(): Promise<void> {
    // The lines of one turn of the event loop are one write.
    await nextTurn()
    while (this.#batch !== '') {
      const bytes = Buffer.from(this.#batch)
      this.#batch = ''
      await this.#writeAll(bytes)
    }
    this.#written = undefined
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      this.#left = bytes.length - at
      try {
        const { bytesWritten } = await write(this.#descriptor, bytes, at)
        at += bytesWritten
      } catch (error) {
        // A descriptor that is closed costs lines, not the process.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') break
        await wait(AGAIN)
      }
    }
    this.#left = 0
  }
}

/** The client and the id of a request. */
interface Caller {
  id: string
  client: string
}

/** Longest address and user agent in the log, in characters. */
const PATH_SHOWN = 2_048
const AGENT_SHOWN = 200

/** Writes one line of JSON, whatever bytes a request holds. */
const addEntry = (sink: Pick<LineSink, 'add'>, entry: object): void =>
  sink.add(JSON.stringify({ time: new Date().toISOString(), ...entry }))

const isOutside = (cause: unknown): boolean => {
  if (!(cause instanceof Error)) return false
  const { code } = cause as { code?: unknown }
  return (typeof code === 'string' && !code.startsWith('ERR_')) || isOutside(cause.cause)
}

/** Errors of the system or a database take one line: a stack trace of our code would not explain them. */
const describeCause = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return isOutside(cause) ? cause.message : (cause.stack ?? cause.message)
}

/** The log of a server: a line for each request and each failure of ours. */
export class RequestLog {
  readonly #errors
  readonly #requests

  /** Without `requests`, only our own failures are logged. */
  constructor(errors: Pick<LineSink, 'add'>, requests?: Pick<LineSink, 'add'>) {
    this.#errors = errors
    this.#requests = requests
  }

  /** Follows a request to its end. */
  follow(request: IncomingMessage, outgoing: ServerResponse, { id, client }: Caller): void {
    const requests = this.#requests
    if (!requests) return
    const start = performance.now()
    const { method, url = '', headers, socket } = request
    const { bytesWritten } = socket
    outgoing.once('close', () =>
      addEntry(requests, {
        method,
        path: url.slice(0, PATH_SHOWN),
        status: outgoing.statusCode,
        bytes: socket.bytesWritten - bytesWritten,
        ms: Math.round((performance.now() - start) * 10) / 10,
        form: chooseForm(headers.accept),
        agent: headers['user-agent']?.slice(0, AGENT_SHOWN),
        remote: client,
        id,
        ...(outgoing.writableFinished ? {} : { aborted: true }),
      }),
    )
  }

  /** Writes the cause of a failure of ours. */
  readonly report = (cause: unknown, caller?: Caller): void => {
    addEntry(this.#errors, { error: describeCause(cause), id: caller?.id })
  }
}
