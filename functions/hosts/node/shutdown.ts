import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long requests in flight may take to finish, in milliseconds. */
const GRACE = 30_000
const SWEEP = 50

/**
 * Prepares a server to be closed well: nothing new is accepted, what is being answered is finished,
 * within a bound. To be called before it listens.
 */
export const prepareShutdown = (server: Server, grace = GRACE): (() => Promise<void>) => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeIdle = (): void => {
    server.closeIdleConnections()
    // Browsers connect ahead of need; Node does not count what never asked as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return async () => {
    // A second server of localhost may never have found its family.
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    // Connections become idle one by one; keep-alive would hold them open.
    const sweep = setInterval(closeIdle, SWEEP)
    const cut = setTimeout(() => server.closeAllConnections(), grace)
    await closed
    clearInterval(sweep)
    clearTimeout(cut)
  }
}
