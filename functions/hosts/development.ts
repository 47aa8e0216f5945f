import type { IncomingMessage, ServerResponse } from 'node:http'
import { DEFAULT_ORIGIN } from '../../src/documents/paths.ts'
import type { Answer } from '../answers.ts'
import { serve } from '../respond.ts'
import { once, openSite } from '../site.ts'
import { createStore } from '../store.ts'
import { createSender } from './node/send.ts'
import { readIncoming } from './node/server.ts'

/** Makes a file of the output when it is asked for. */
type OutputReader = (name: string) => Promise<string | Uint8Array | undefined>

/** Drops the security policy, which forbids the styles and scripts that a development server adds. */
const loosen = (answer: Answer): Answer => {
  const { 'Content-Security-Policy': _, ...headers } = answer.headers
  return { ...answer, headers }
}

/**
 * Makes a handler for a development server of Node: outputs are made on demand and answered by
 * the rules of production.
 */
export const createDevelopmentHost = (
  read: OutputReader,
): ((incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>) => {
  const send = createSender()
  const current = once(() => openSite(createStore(read)))
  const source = { origin: DEFAULT_ORIGIN, current }
  return async (incoming, outgoing) => {
    const answer = await serve(readIncoming(incoming), source, (cause) => console.error(cause))
    await send(loosen(answer), incoming, outgoing)
  }
}
