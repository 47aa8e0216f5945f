import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SettingsError } from './settings.ts'

const IPV4 = '127.0.0.1'
const IPV6 = '::1'

/** What a machine without IPv6 says. */
const NO_FAMILY = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

const REMEDIES: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use; stop the server that has it, or set PORT to another.`,
  EACCES: (host, port) => `Port ${port} on ${host} is not allowed to you; set PORT above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST="${host}" is no address of this machine; set HOST to one that is.`,
  ENOTFOUND: (host) => `HOST="${host}" is no known host; set HOST to an address of this machine.`,
}

const listenOn = async (server: Server, host: string, port: number): Promise<number> => {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const remedy = REMEDIES[code]?.(host, port)
    throw remedy === undefined ? error : new SettingsError(remedy, { cause: error })
  }
  return (server.address() as AddressInfo).port
}

const isFamilyMissing = (error: unknown): boolean =>
  error instanceof SettingsError &&
  NO_FAMILY.has((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '')

/**
 * Listens on a host, or on all of localhost where none is named, and gives the address a reader
 * uses. Throws SettingsError.
 */
export const listen = async (
  createServer: () => Server,
  host: string | undefined,
  port: number,
): Promise<string> => {
  if (host !== undefined && host !== 'localhost') {
    const bound = await listenOn(createServer(), host, port)
    return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
  }
  const first = createServer()
  const bound = await listenOn(first, IPV4, port)
  try {
    await listenOn(createServer(), IPV6, bound)
  } catch (error) {
    if (!isFamilyMissing(error)) {
      first.close()
      throw error
    }
  }
  return `http://localhost:${bound}`
}
