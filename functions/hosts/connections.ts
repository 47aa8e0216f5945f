import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TARGET_LIMIT } from '../../src/api/endpoints.ts'

/** What has to be known of a connection to answer when its parser fails. */
export interface Connection {
  /** The bytes since the last request that was understood, as many as show its first line. */
  head: Buffer | undefined
  /** Answers that are still being written. */
  open: number
  /** Whether the failure of its parser is being answered. */
  isFailed: boolean
}

const keepHead = (connection: Connection, chunk: Buffer): void => {
  const { head } = connection
  if (!head) connection.head = chunk
  else if (head.length <= TARGET_LIMIT && !head.includes(0x0a)) {
    connection.head = Buffer.concat([head, chunk])
  }
}

/**
 * Follows the connections of a server. The parser's error carries only the packet it failed in, and
 * a long address begins in an earlier one.
 */
export const trackConnections = (server: Server): ((socket: Socket) => Connection) => {
  const connections = new WeakMap<Socket, Connection>()
  const find = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known) return known
    const made = { head: undefined, open: 0, isFailed: false }
    connections.set(socket, made)
    return made
  }
  server.on('connection', (socket: Socket) => {
    const connection = find(socket)
    // Before the parser's own listener, which may fail on this very chunk.
    socket.prependListener('data', (chunk: Buffer) => keepHead(connection, chunk))
  })
  const follow = (request: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = find(request.socket)
    connection.head = undefined
    connection.open += 1
    outgoing.once('close', () => (connection.open -= 1))
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, follow)
  return find
}
