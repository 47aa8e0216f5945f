import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Report } from '../../answers.ts'
import { chooseForm } from '../../negotiate.ts'

/** Maximum lengths of an address and a user agent in the log, in characters. */
const MAX_PATH = 2_048
const MAX_AGENT = 200

const isExternal = (cause: unknown): boolean => {
  if (!(cause instanceof Error)) return false
  const { code } = cause as { code?: unknown }
  return (typeof code === 'string' && !code.startsWith('ERR_')) || isExternal(cause.cause)
}

/** Describes an error, in one line if it is from the system or a database: our stack trace would not explain it. */
export const describeCause = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return isExternal(cause) ? cause.message : (cause.stack ?? cause.message)
}

/** The request ids that are accepted from a proxy. Other characters could forge a header field. */
const PLAIN = /^[!-~]{1,64}$/

/** Returns the id that a proxy gave a request, or a new id. */
export const readRequestId = ({ headers }: IncomingMessage): string => {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && PLAIN.test(sent) ? sent : randomUUID()
}

/** Logs a request after its answer, with the failures that were reported until then. */
export type FollowRequest = (
  request: IncomingMessage,
  outgoing: ServerResponse,
  id: string,
) => Report

/** Makes a log with a line of JSON for each request; if `isQuiet`, only for requests with a reported failure. */
export const createLog =
  (write: (line: string) => void, isQuiet: boolean): FollowRequest =>
  (request, outgoing, id) => {
    const start = performance.now()
    const { method, url = '', headers, socket } = request
    const { bytesWritten, remoteAddress } = socket
    const errors: string[] = []
    outgoing.once('close', () => {
      if (isQuiet && errors.length === 0) return
      const line = {
        time: new Date().toISOString(),
        method,
        path: url.slice(0, MAX_PATH),
        status: outgoing.statusCode,
        bytes: socket.bytesWritten - bytesWritten,
        ms: Math.round((performance.now() - start) * 10) / 10,
        form: chooseForm(headers.accept),
        agent: headers['user-agent']?.slice(0, MAX_AGENT),
        remote: remoteAddress,
        id,
        ...(outgoing.writableFinished ? {} : { aborted: true }),
        ...(errors.length > 0 ? { error: errors.join('\n') } : {}),
      }
      write(`${JSON.stringify(line)}\n`)
    })
    return (cause) => errors.push(describeCause(cause))
  }
