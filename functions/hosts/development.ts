import type { IncomingMessage, ServerResponse } from 'node:http'
import { DEFAULT_ORIGIN } from '../../src/documents/paths.ts'
import type { Answer } from '../answer.ts'
import { storeBytes } from '../memory-store.ts'
import { serve } from '../serve.ts'
import { openSite } from '../site.ts'
import type { Site } from '../site.ts'
import { isStoreName } from '../store.ts'
import type { Store } from '../store.ts'
import { readIncoming } from './incoming.ts'
import { sendAnswer } from './send.ts'

/** Makes a file of the output when it is asked for. */
type OutputReader = (name: string) => Promise<string | Uint8Array | undefined>

const openReaderStore = (read: OutputReader): Store => ({
  read: async (name) => {
    const content = isStoreName(name) ? await read(name) : undefined
    return content === undefined ? undefined : storeBytes(new Uint8Array(Buffer.from(content)))
  },
})

/** Drops the policy that forbids what a development server adds to a page: styles, reloading. */
const loosen = (answer: Answer): Answer => {
  const { 'Content-Security-Policy': _, ...headers } = answer.headers
  return { ...answer, headers }
}

/**
 * Makes a handler for a development server of Node: outputs are made when asked for, and answered by
 * the rules of production.
 */
export const createDevelopmentHost = (
  read: OutputReader,
): ((incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>) => {
  const store = openReaderStore(read)
  let opened: Promise<Site> | undefined
  const source = { origin: DEFAULT_ORIGIN, current: () => (opened ??= openSite(store)) }
  return async (incoming, outgoing) => {
    const answer = await serve(readIncoming(incoming), source, (cause) => console.error(cause))
    await sendAnswer(loosen(answer), incoming, outgoing)
  }
}
