import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from './client.ts'
import { createGuard, isPublic, isPublicOrOwn } from './guard.ts'
import type { Resolver } from './guard.ts'

describe('a public address', () => {
  test.each(
    '8.8.8.8 1.1.1.1 140.82.112.3 172.32.0.1 192.167.255.255 100.128.0.1 2606:4700:4700::1111 2a00:1450::1'.split(
      ' ',
    ),
  )('%s', (address) => expect(isPublic(address)).toBe(true))
})

/** The blocks of RFC 6890 and of later IANA registries, with one or two addresses each. */
const SPECIAL = [
  '0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.8.9.1',
  '169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1 192.31.196.1',
  '192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1',
  '203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255',
  ':: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 ::8.8.8.8 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 100:0:0:1::1',
  '2001::1 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:db8::1',
  '2002:7f00:1::1 2620:4f:8000::1 3fff::1 5f00::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1',
  '4000::1 example 1.2.3 1.2.3.4.5',
].flatMap((line) => line.split(' '))

describe('a non-public address', () => {
  test.each(SPECIAL)('%s', (address) => expect(isPublic(address)).toBe(false))
})

const resolveTo =
  (...addresses: string[]): Resolver =>
  (_host, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

const lookUp = (resolver: Resolver, isAllowed = isPublic): Promise<unknown> =>
  new Promise((resolve, reject) => {
    createGuard(isAllowed, resolver).lookup('host.example', { all: true }, (error, found) =>
      error ? reject(error) : resolve(found),
    )
  })

describe('a host name', () => {
  test('with public addresses -> all of them, and the socket connects only to them', async () => {
    expect(await lookUp(resolveTo('8.8.8.8', '2606:4700::1'))).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ])
  })

  test.each([
    ['with a private address', ['10.0.0.1']],
    ['with a public and a private address', ['8.8.8.8', '10.0.0.1']],
    ['with an address of this machine', ['127.0.0.1']],
    ['with an IPv6 address of this machine', ['::1']],
    ['with a private address mapped to IPv6', ['::ffff:10.0.0.1']],
  ])('%s -> refused', async (_, addresses) => {
    await expect(lookUp(resolveTo(...addresses))).rejects.toThrow(/not a public address/)
  })

  test('with an address of this machine, if allowed -> accepted', async () => {
    expect(await lookUp(resolveTo('127.0.0.1'), isPublicOrOwn)).toHaveLength(1)
    await expect(lookUp(resolveTo('10.0.0.1'), isPublicOrOwn)).rejects.toThrow(
      /not a public address/,
    )
  })

  test('with any address, in a private registry -> accepted', () => {
    const { check } = createGuard(() => true, resolveTo())
    expect(() => check(new URL('http://10.0.0.1:8080/'))).not.toThrow()
  })

  test('without an address -> refused', async () => {
    await expect(lookUp(resolveTo())).rejects.toThrow(/no address/)
  })

  test('is resolved once per request: a second answer is never used', async () => {
    let asked = 0
    const resolver: Resolver = (host, callback) => {
      asked += 1
      resolveTo(asked === 1 ? '8.8.8.8' : '127.0.0.1')(host, callback)
    }
    expect(await lookUp(resolver)).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(asked).toBe(1)
  })
})

/** Each piece arrives in time, but the body never ends. */
const drip = (response: ServerResponse): void => {
  const timer = setInterval(() => response.write('x\n'), 20)
  response.on('close', () => clearInterval(timer))
}

describe('a request', () => {
  const times = { timeout: 1_000, attempts: 1, backoff: 1, total: 900 }
  const client = new Client(createGuard(isPublicOrOwn), 'a test', times)
  const server = createServer(({ url = '' }, response) => {
    const hops = Number(url.slice(1))
    if (hops === 0) return drip(response)
    setTimeout(() => response.writeHead(302, { Location: `/${hops - 1}` }).end(), 250)
  })
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  test.each([
    ['with a dripping body', 0],
    ['with a dripping body after two slow redirects', 2],
    ['with four redirects', 4],
  ])('%s -> no answer in time', async (_, hops) => {
    const { port } = server.address() as AddressInfo
    const begin = performance.now()
    const answer = client.get(new URL(`http://127.0.0.1:${port}/${hops}`), 1_000_000)
    await expect(answer).rejects.toThrow('no answer in time')
    const took = performance.now() - begin
    expect([took > 800, took < 1_500]).toEqual([true, true])
  })
})

describe('an address', () => {
  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0/',
    'ftp://example.com/',
    'http://user@example.com/',
  ])('%s is refused before anything is sent', (address) => {
    expect(() => createGuard().check(new URL(address))).toThrow(/is not/)
  })

  test('with a host name is accepted until the name is resolved', () => {
    expect(() => createGuard().check(new URL('https://example.com:8443/x'))).not.toThrow()
  })
})
