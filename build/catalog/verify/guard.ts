import { lookup as resolve } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The IPv6 block of global unicast addresses (RFC 4291 2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'

/**
 * Whether an address of the network is public: in none of the blocks for special purposes (RFC
 * 6890 and its successors), be they private, reserved, for documentation or for tunnels. An IPv4
 * address inside an IPv6 one is none.
 */
export const isPublic = (address: string): boolean => {
  // The library also accepts the legacy form 1.2.3.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** No usable answer, and a retry would not help; the message says why. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
}

/** Restricts requests to public addresses. */
export interface Guard {
  /** Refuses an address before anything is sent. Throws NoAnswerError. */
  check(url: URL): void
  /** Resolves a host for a socket, which then connects only to the checked address. */
  lookup: LookupFunction
}

/** Looks all addresses of a host up; a test may give another. */
export type Resolver = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const resolveAll: Resolver = (host, callback) =>
  resolve(host, { all: true, verbatim: true }, callback)

const forbid = (host: string, address: string): NoAnswerError =>
  new NoAnswerError(
    host === address
      ? `${address} is not a public address`
      : `${host} is at ${address}, which is not a public address`,
  )

const PROTOCOLS = new Set(['http:', 'https:'])

/** With `allowLoopback` this machine may be asked too. */
export const createGuard = (allowLoopback: boolean, resolver: Resolver = resolveAll): Guard => {
  const isAllowed = (address: string): boolean =>
    isPublic(address) || (allowLoopback && isLoopback(address))
  return {
    check: ({ protocol, hostname, username, password }) => {
      if (!PROTOCOLS.has(protocol)) throw new NoAnswerError(`${protocol} is not asked`)
      if (username !== '' || password !== '') {
        throw new NoAnswerError('an address with a user or password is not asked')
      }
      // Sockets do not look up IP addresses, so they are checked here.
      const host = hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isAllowed(host)) throw forbid(host, host)
    },
    lookup: (host, options, callback) => {
      resolver(host, (error, addresses) => {
        if (error) return callback(error, '')
        // A name that mixes public and private addresses is an attack.
        const bad = addresses.find(({ address }) => !isAllowed(address))
        const [first] = addresses
        if (bad) return callback(forbid(host, bad.address), '')
        if (!first) return callback(new Error(`${host} has no address`), '')
        return options.all === true
          ? callback(null, addresses)
          : callback(null, first.address, first.family)
      })
    },
  }
}
