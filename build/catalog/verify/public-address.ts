import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Everything of IPv6 that is given out for use in public lies in here (RFC 4291 2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/** Says whether an address of the network is one of this machine. */
export const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'

/**
 * Says whether an address of the network is public: in none of the blocks for special purposes (RFC
 * 6890 and its successors), be they private, reserved, for documentation or for tunnels. An IPv4
 * address inside an IPv6 one is none.
 */
export const isPublic = (address: string): boolean => {
  // The library reads 1.2.3 too, as old programs did.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}
