import { lookup as resolve } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The IPv6 block of global unicast addresses (RFC 4291 2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Whether a network address is public: outside all special-purpose blocks (RFC 6890 and its successors), such as
 * private, reserved, documentation and tunnel addresses. IPv4-mapped IPv6 is not public.
 */
export const isPublic = (address: string): boolean => {
  // The library also accepts the legacy form 1.2.3.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** Whether an address is public or belongs to this machine. */
export const isPublicOrOwn = (address: string): boolean =>
  isPublic(address) || (isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback')

/** Thrown if there is no usable answer, after any retries; the message says why. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
  /** Whether the address itself is refused, so that later requests would fail as well. */
  isFinal = false
  /** Undici retries errors with certain codes; this is not one of them. */
  readonly code = 'NO_ANSWER'
}

/** Restricts requests to certain network addresses. */
export interface Guard {
  /** Refuses an address before anything is sent. Throws NoAnswerError. */
  check(url: URL): void
  /** Resolves a host for a socket, which then connects only to the checked address. */
  lookup: LookupFunction
}

/** Resolves all addresses of a host. */
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

/** Creates a guard that permits requests only to allowed network addresses. */
export const createGuard = (isAllowed = isPublic, resolver: Resolver = resolveAll): Guard => {
  return {
    check: ({ protocol, hostname, username, password }) => {
      if (!PROTOCOLS.has(protocol)) {
        const remedy = 'only http: and https:'
        throw Object.assign(new NoAnswerError(`${protocol} is not supported, ${remedy}`), {
          isFinal: true,
        })
      }
      if (username !== '' || password !== '') {
        throw new NoAnswerError('an address with a user or password is not requested')
      }
      // Sockets do not look up IP addresses, so check them here.
      const host = hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isAllowed(host)) throw forbid(host, host)
    },
    lookup: (host, options, callback) => {
      resolver(host, (error, addresses) => {
        if (error) return callback(error, '')
        // A name with both public and private addresses is an attack.
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
