import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Report } from '../../answers.ts'
import { chooseForm } from '../../negotiate.ts'

/** Longest address and user agent in the log, in characters. */
const PATH_SHOWN = 2_048
const AGENT_SHOWN = 200

const isOutside = (cause: unknown): boolean => {
  if (!(cause instanceof Error)) return false
  const { code } = cause as { code?: unknown }
  return (typeof code === 'string' && !code.startsWith('ERR_')) || isOutside(cause.cause)
}

/** Errors of the system or a database take one line: a stack trace of our code would not explain them. */
export const describeCause = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return isOutside(cause) ? cause.message : (cause.stack ?? cause.message)
}

/** What a proxy may name a request; anything else could forge a header field. */
const PLAIN = /^[!-~]{1,64}$/

/** The name that a proxy gave a request, else a new one. */
export const readRequestId = ({ headers }: IncomingMessage): string => {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && PLAIN.test(sent) ? sent : randomUUID()
}

/** Writes a line when a request is answered; failures that are reported until then are in it. */
export type FollowRequest = (
  request: IncomingMessage,
  outgoing: ServerResponse,
  id: string,
) => Report

/** Makes the log of a server: a line of JSON for each request, or only for those with a failure of ours. */
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
        path: url.slice(0, PATH_SHOWN),
        status: outgoing.statusCode,
        bytes: socket.bytesWritten - bytesWritten,
        ms: Math.round((performance.now() - start) * 10) / 10,
        form: chooseForm(headers.accept),
        agent: headers['user-agent']?.slice(0, AGENT_SHOWN),
        remote: remoteAddress,
        id,
        ...(outgoing.writableFinished ? {} : { aborted: true }),
        ...(errors.length > 0 ? { error: errors.join('\n') } : {}),
      }
      write(`${JSON.stringify(line)}\n`)
    })
    return (cause) => errors.push(describeCause(cause))
  }
