import { write } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { chooseForm } from '../../negotiate.ts'
import type { RequestLine } from './client-error.ts'

/** Takes lines of text and writes them in the background. */
export interface LineSink {
  add(line: string): void
  /** Resolves when everything taken so far is written or has failed. */
  flush(): Promise<void>
}

/** Lines that wait at most; a reader of the log that stands still costs lines, not memory. */
const WAITING = 10_000

/**
 * Writes lines to a file descriptor without ever waiting for it: a full pipe would stop a server
 * that writes through process.stdout, whose pipes are synchronous.
 */
export const openLineSink = (descriptor: number): LineSink => {
  let waiting: string[] = []
  let isWriting = false
  let idle: (() => void)[] = []
  const finish = (): void => {
    isWriting = false
    for (const resolve of idle) resolve()
    idle = []
  }
  const writeAll = (bytes: Buffer): void => {
    write(descriptor, bytes, (error, written) => {
      if (!error && written < bytes.length) writeAll(bytes.subarray(written))
      else writeWaiting()
    })
  }
  const writeWaiting = (): void => {
    if (waiting.length === 0) return finish()
    isWriting = true
    const lines = waiting
    waiting = []
    writeAll(Buffer.from(lines.join('')))
  }
  return {
    add: (line) => {
      if (waiting.length < WAITING) waiting.push(`${line}\n`)
      if (!isWriting) writeWaiting()
    },
    flush: () => (isWriting ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
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

const describeCause = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)

const openReport = (errors: LineSink) => (cause: unknown) =>
  errors.add(JSON.stringify({ time: new Date().toISOString(), error: describeCause(cause) }))

/** Makes a log that takes no notice of requests, only of our own failures. */
export const openQuietLog = (errors: LineSink): RequestLog => ({
  follow: () => undefined,
  note: () => undefined,
  report: openReport(errors),
})

/** Makes the log of a server; JSON escapes whatever bytes a request holds. */
export const openRequestLog = (sink: LineSink, errors: LineSink): RequestLog => {
  const add = (entry: object): void =>
    sink.add(JSON.stringify({ time: new Date().toISOString(), ...entry }))
  return {
    follow: (request, outgoing) => {
      const start = performance.now()
      const { method, url = '', headers, socket } = request
      const { remoteAddress: remote, bytesWritten } = socket
      outgoing.once('close', () =>
        add({
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
      add({
        method: method.slice(0, AGENT_SHOWN),
        path: target.slice(0, PATH_SHOWN),
        status,
        remote,
      }),
    report: openReport(errors),
  }
}
