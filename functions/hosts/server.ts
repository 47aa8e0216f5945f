import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { respondToFailure } from '../respond.ts'
import type { SiteSource } from '../serve.ts'
import { serve } from '../serve.ts'
import { answerClientErrors } from './client-error.ts'
import { findFault, hasBody, readIncoming } from './incoming.ts'
import type { RequestLog } from './request-log.ts'
import { sendAnswer } from './send.ts'

/** What one connection may cost: bytes of header fields, milliseconds, and connections at a time. */
const BOUNDS = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const
const IDLE_TIMEOUT = 60_000
const CONNECTIONS = 10_000

/** Makes a server of Node for a site; it does not listen yet. */
export const createSiteServer = (source: SiteSource, log: RequestLog): Server => {
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    log.follow(incoming, outgoing)
    const request = readIncoming(incoming)
    const fault = findFault(incoming)
    // A body is never read, and where one request is broken the next may be too.
    if (fault || hasBody(incoming)) outgoing.shouldKeepAlive = false
    try {
      const answer = fault
        ? respondToFailure(fault, request, source.origin, log.report)
        : await serve(request, source, log.report)
      await sendAnswer(answer, incoming, outgoing)
    } catch (error) {
      log.report(error)
      outgoing.destroy()
    }
  }
  // We say ourselves what a request without Host gets: the envelope under /api.
  const server = createServer({ ...BOUNDS, requireHostHeader: false })
  server.setTimeout(IDLE_TIMEOUT)
  server.maxConnections = CONNECTIONS
  answerClientErrors(server, {
    origin: () => source.origin,
    headerLimit: BOUNDS.maxHeaderSize,
    log: log.note,
  })
  // Expect changes nothing: what would be sent after 100 (Continue) is not read (RFC 9110 10.1.1).
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle)
  return server
}
