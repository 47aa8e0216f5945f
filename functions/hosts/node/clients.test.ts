import { describe, expect, test } from 'vitest'
import { Clients, ConnectionLimit, RateLimit, parseRanges } from './clients.ts'

describe('TRUST_PROXY', () => {
  test.for(['', 'proxy', '10.0.0.0/33', '10.0.0', 'loopback,', '10.0.0.1;10.0.0.2'])(
    '%j is no list of addresses',
    (text) => {
      expect(parseRanges(text)).toBeUndefined()
    },
  )
})

describe('the client of a request', () => {
  const proxied = new Clients(parseRanges('loopback, 10.0.0.0/8,2001:db8::/32'))
  test.for([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['127.0.0.1', '192.0.2.9', '192.0.2.9'],
    ['::ffff:127.0.0.1', '192.0.2.9', '192.0.2.9'],
    ['127.0.0.1', '192.0.2.7, 192.0.2.8 , 10.1.2.3', '192.0.2.8'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['127.0.0.1', '192.0.2.7, forged, 10.0.0.2', '10.0.0.2'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '127.1', '127.0.0.1'],
    ['2001:db8::1', '2001:DB9::1', '2001:db9::1'],
    [undefined, '192.0.2.9', '192.0.2.9'],
    [undefined, undefined, 'unix'],
  ] as const)('of %s with X-Forwarded-For: %s is %s', ([peer, forwarded, client]) => {
    expect(proxied.find(peer, forwarded)).toBe(client)
  })

  test('without proxies is the peer, whatever it says', () => {
    expect(new Clients().find('127.0.0.1', '192.0.2.9')).toBe('127.0.0.1')
    expect(new Clients().find(undefined, '192.0.2.9')).toBe('unix')
  })
})

describe('a limit of requests', () => {
  test('lets ten seconds of them come at once, then one an interval', () => {
    const rate = new RateLimit(2)
    const taken = Array.from({ length: 22 }, () => rate.take('a', 1_000))
    expect(taken).toEqual([...Array.from({ length: 20 }, () => 0), 1, 1])
    expect(rate.take('b', 1_000)).toBe(0)
    expect(rate.take('a', 1_400)).toBe(1)
    expect(rate.take('a', 1_500)).toBe(0)
    expect(rate.take('a', 1_500)).toBe(1)
    expect(rate.take('a', 60_000)).toBe(0)
  })

  test('counts the addresses of one IPv6 network as one client', () => {
    const rate = new RateLimit(1)
    const taken = Array.from({ length: 11 }, (_, at) => rate.take(`2001:db8::${at}`, 0))
    expect(taken.filter((wait) => wait > 0)).toHaveLength(1)
    expect(rate.take('2001:db8:0:1::1', 0)).toBe(0)
  })
})

test('a limit of connections counts those that are open', () => {
  const limit = new ConnectionLimit(2)
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([true, true, false])
  expect(limit.take('b')).toBe(true)
  limit.release('a')
  expect([limit.take('a'), limit.take('a')]).toEqual([true, false])
})
