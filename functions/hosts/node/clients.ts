import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A range of addresses: its first one and the length of its prefix. */
type AddressRange = ReturnType<typeof ipaddr.parseCIDR>

/** Names of the ranges that proxies of one's own are mostly in. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Reads addresses, ranges such as `10.0.0.0/8`, `loopback` and `private`, with commas between; undefined where one is none. */
export const parseRanges = (text: string): AddressRange[] | undefined => {
  const names = text.split(',').map((name) => name.trim())
  const written = names.flatMap((name) => NAMED[name] ?? [name])
  const ranges = written.map((one) => {
    const whole = isIP(one) === 4 ? `${one}/32` : isIP(one) === 6 ? `${one}/128` : one
    return ipaddr.isValidCIDR(whole) ? [ipaddr.parseCIDR(whole)] : []
  })
  return ranges.some((range) => range.length === 0) ? undefined : ranges.flat()
}

const readAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.process(text) : undefined

/** The client of a unix socket, whose peers have no address. */
export const UNIX_CLIENT = 'unix'

/** Identifies clients: the peer of the connection, or the address that the operator's proxies forward. */
export class Clients {
  readonly #proxies

  /** Without proxies, X-Forwarded-For means nothing: any client can send one. */
  constructor(proxies?: readonly AddressRange[]) {
    this.#proxies = proxies
  }

  /** Whether a peer is one of the proxies; one that comes over a unix socket has no address. */
  isProxy(peer: string | undefined): boolean {
    if (this.#proxies === undefined) return false
    const address = peer === undefined ? undefined : readAddress(peer)
    if (address === undefined) return peer === undefined
    return this.#proxies.some(
      ([first, length]) => first.kind() === address.kind() && address.match(first, length),
    )
  }

  /** The address of the client: the right-most one of X-Forwarded-For that is no proxy of ours. */
  find(peer: string | undefined, forwarded: string | undefined): string {
    let client = peer ?? UNIX_CLIENT
    if (forwarded === undefined || !this.isProxy(peer)) return client
    for (const hop of forwarded.split(',').toReversed()) {
      const address = readAddress(hop.trim())?.toString()
      if (address === undefined) return client
      client = address
      if (!this.isProxy(client)) return client
    }
    return client
  }
}

/** Groups IPv6 addresses by network, since a client can choose the remaining bits itself. */
const keyOf = (client: string): string => {
  const address = readAddress(client)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : client
}

/** Burst size, in seconds of the allowed rate. */
const BURST = 10

/** Clients that are remembered, some 100 bytes each. */
const REMEMBERED = 100_000

/** Bounds the requests of each client to a number a second, over `BURST` seconds. */
export class RateLimit {
  readonly #interval
  /** When the requests of a client so far would have been due, had they come evenly. */
  readonly #due = new Map<string, number>()

  constructor(perSecond: number) {
    this.#interval = 1_000 / perSecond
  }

  /** Counts a request at `now`, in milliseconds; returns the seconds to wait if it is one too many, else 0. */
  take(client: string, now: number): number {
    const key = keyOf(client)
    const due = Math.max(this.#due.get(key) ?? 0, now)
    const early = due + this.#interval - now - BURST * 1_000
    if (early > 0) return Math.ceil(early / 1_000)
    this.#due.delete(key)
    this.#due.set(key, due + this.#interval)
    this.#forget(now)
    return 0
  }

  #forget(now: number): void {
    for (const [key, due] of this.#due) {
      if (due > now && this.#due.size <= REMEMBERED) return
      this.#due.delete(key)
    }
  }
}

/** Bounds the connections that each client has at a time. */
export class ConnectionLimit {
  readonly #most
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a connection, unless it is one too many. */
  take(client: string): boolean {
    const key = keyOf(client)
    const open = this.#open.get(key) ?? 0
    if (open >= this.#most) return false
    this.#open.set(key, open + 1)
    return true
  }

  /** Gives back one that was counted. */
  release(client: string): void {
    const key = keyOf(client)
    const open = (this.#open.get(key) ?? 1) - 1
    if (open > 0) this.#open.set(key, open)
    else this.#open.delete(key)
  }
}
