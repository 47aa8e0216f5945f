import { createWriteStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { chooseForm } from '../../negotiate.ts'
import type { RequestLine } from './client-error.ts'

/** Takes lines of text and writes them in the background. */
interface LineSink {
  add(line: string): void
  /** Takes no more lines; resolves when those taken so far are written or have failed. */
  close(): Promise<void>
}

/** Characters that wait at most; a reader of the log that stands still costs lines, not memory. */
const WAITING = 4 * 1024 * 1024

/**
 * Writes lines to a file descriptor without ever waiting for it: a full pipe would stop a server
 * that writes through process.stdout, whose pipes are synchronous.
 */
export const openLineSink = (descriptor: number): LineSink => {
  const stream = createWriteStream('', { fd: descriptor, autoClose: false })
  // A descriptor that is closed costs lines, not the process.
  stream.on('error', () => undefined)
  let batch = ''
  const writeBatch = (): void => {
    if (batch !== '') stream.write(batch)
    batch = ''
  }
  return {
    add: (line) => {
      if (stream.writableLength + batch.length >= WAITING) return
      // The lines of one turn of the event loop are one write.
      if (batch === '') setImmediate(writeBatch)
      batch += `${line}\n`
    },
    close: () => {
      writeBatch()
      return new Promise((resolve) => stream.end(() => resolve()))
    },
  }
}

/** Longest address and user agent in the log, in characters. */
const PATH_SHOWN = 2_048
const AGENT_SHOWN = 200

/** Writes one line of JSON a request. */
export interface RequestLog {
  /** Follows a request to its end. */
  follow(request: IncomingMessage, outgoing: ServerResponse): void
  /** Notes the answer to what was no request. */
  note(line: RequestLine, status: number, socket: Socket): void
  /** Writes the cause of a failure of ours. */
  report(cause: unknown): void
}

/** Makes the log of a server; without `requests` it tells only of our own failures. */
export const openLog = (errors: LineSink, requests?: LineSink): RequestLog => {
  // JSON escapes whatever bytes a request holds.
  const add = (sink: LineSink | undefined, entry: object): void =>
    sink?.add(JSON.stringify({ time: new Date().toISOString(), ...entry }))
  return {
    follow: (request, outgoing) => {
      if (!requests) return
      const start = performance.now()
      const { method, url = '', headers, socket } = request
      const { remoteAddress: remote, bytesWritten } = socket
      outgoing.once('close', () =>
        add(requests, {
          method,
          path: url.slice(0, PATH_SHOWN),
          status: outgoing.statusCode,
          bytes: socket.bytesWritten - bytesWritten,
          ms: Math.round((performance.now() - start) * 10) / 10,
          form: chooseForm(headers.accept),
          agent: headers['user-agent']?.slice(0, AGENT_SHOWN),
          remote,
          ...(outgoing.writableFinished ? {} : { aborted: true }),
        }),
      )
    },
    note: ({ method, target }, status, { remoteAddress: remote }) =>
      add(requests, {
        method: method.slice(0, AGENT_SHOWN),
        path: target.slice(0, PATH_SHOWN),
        status,
        remote,
      }),
    report: (cause) => {
      const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
      add(errors, { error })
    },
  }
}
