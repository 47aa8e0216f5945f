import { once } from 'node:events'
import type { Server } from 'node:http'

/** How long requests in flight may take to finish, in milliseconds. */
const GRACE = 10_000
const SWEEP = 50

/** Closes servers: nothing new is accepted, what is being answered is finished, within a bound. */
export const closeServers = async (servers: readonly Server[], grace = GRACE): Promise<void> => {
  const closed = servers.map((server) => {
    server.close()
    return once(server, 'close')
  })
  // Connections become idle one by one; keep-alive would hold them open.
  const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), SWEEP)
  const cut = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), grace)
  await Promise.all(closed)
  clearInterval(sweep)
  clearTimeout(cut)
}
