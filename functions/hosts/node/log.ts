import { createWriteStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { chooseForm } from '../../negotiate.ts'
import type { SiteRequest } from '../../route.ts'

/** Most characters that wait to be written; a reader of the log that stalls costs lines, not memory. */
const WAITING = 4 * 1024 * 1024

/**
 * Writes lines to a file descriptor without ever waiting for it: a full pipe would stop a server
 * that writes through process.stdout, whose pipes are synchronous.
 */
export class LineSink {
  readonly #stream
  #batch = ''

  constructor(descriptor: number) {
    this.#stream = createWriteStream('', { fd: descriptor, autoClose: false })
    // A descriptor that is closed costs lines, not the process.
    this.#stream.on('error', () => undefined)
  }

  add(line: string): void {
    if (this.#stream.writableLength + this.#batch.length >= WAITING) return
    // The lines of one turn of the event loop are one write.
    if (this.#batch === '') setImmediate(() => this.#write())
    this.#batch += `${line}\n`
  }

  /** Takes no more lines; resolves when those taken so far are written or have failed. */
  close(): Promise<void> {
    this.#write()
    return new Promise((resolve) => this.#stream.end(() => resolve()))
  }

  #write(): void {
    if (this.#batch !== '') this.#stream.write(this.#batch)
    this.#batch = ''
  }
}

/** Whose request it is, and by which name it is found again. */
export interface Asker {
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

/** What the system or a database refused is said in a line: no place in our code explains it. */
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
  follow(request: IncomingMessage, outgoing: ServerResponse, { id, client }: Asker): void {
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

  /** Notes the answer to what Node's parser refused. */
  note({ method, target }: SiteRequest, status: number, { id, client }: Asker): void {
    if (!this.#requests) return
    const path = target.slice(0, PATH_SHOWN)
    addEntry(this.#requests, {
      method: method.slice(0, AGENT_SHOWN),
      path,
      status,
      remote: client,
      id,
    })
  }

  /** Writes the cause of a failure of ours. */
  readonly report = (cause: unknown, asker?: Asker): void => {
    addEntry(this.#errors, { error: describeCause(cause), id: asker?.id })
  }
}
