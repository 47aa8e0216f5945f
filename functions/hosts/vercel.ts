import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPosted, readPosted } from '../route.ts'
import { serve } from '../respond.ts'
import { createSender } from './node/send.ts'
import { readIncoming } from './node/server.ts'
import { siteBeside } from './site-beside.ts'

const send = createSender()

/** A Vercel function with the Node launcher, which passes requests and responses of Node's server. */
export default async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const request = readIncoming(incoming)
  const isRead = isPosted(request.method, request.target)
  const fields = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  const posted = isRead ? await readPosted(incoming, fields as [string, string][]) : undefined
  const answer = await serve({ ...request, posted }, siteBeside, console.error)
  await send(answer, incoming, outgoing)
}
