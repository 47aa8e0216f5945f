import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuard, isPublicOrOwn } from '../web/guard.ts'
import { querySource, gatherSources } from './query-source.ts'
import type { SourceAnswer } from './query-source.ts'
import { startOddServer, createTestClient } from './testing/odd-server.ts'
import type { OddServer } from './testing/odd-server.ts'

let server: OddServer
const repositories = mkdtempSync(join(tmpdir(), 'skill-registry-git-'))
beforeAll(async () => {
  mkdirSync(join(repositories, 'ada/tools'), { recursive: true })
  execFileSync('git', ['init', '-q', '--bare', join(repositories, 'ada/tools')])
  server = await startOddServer(repositories)
})
afterAll(async () => {
  await server.stop()
  rmSync(repositories, { recursive: true })
})

const queryPage = async (address: string, client = createTestClient()) =>
  querySource({ address, suffix: undefined }, client)

const show = (answer: SourceAnswer): string => {
  if (answer.kind === 'unknown') return `unknown: ${answer.reason}`
  if (answer.kind === 'moved') {
    return `moved to ${answer.movedTo.replace(server.origin, '')}`
  }
  return answer.kind
}

describe('a page', () => {
  test.each<[string, RegExp]>([
    ['/ok', /^alive$/],
    ['/hang', /^unknown: no answer in time$/],
    ['/500-once', /^alive$/],
    ['/503-always', /^unknown: it answered 503$/],
    ['/429-once', /^alive$/],
    ['/loop', /^unknown: more than 5 redirects$/],
    ['/loop-of-two', /^unknown: more than 5 redirects$/],
    ['/to-private', /^unknown: 10.0.0.1 is not a public address$/],
    ['/to-metadata', /^unknown: 169.254.169.254 is not a public address$/],
    ['/to-private-v6', /^unknown: fd00::1 is not a public address$/],
    ['/to-mapped', /^unknown: ::ffff:a00:1 is not a public address$/],
    ['/to-decimal', /^unknown: 10.0.0.1 is not a public address$/],
    ['/to-file', /^unknown: file: is not supported, only http: and https:$/],
    ['/to-user', /^unknown: an address with a user or password is not requested$/],
    ['/to-nonsense', /^unknown: it redirects to an invalid address$/],
    ['/to-nowhere', /^unknown: it answered 302$/],
    ['/moved-301', /^moved to \/ok$/],
    ['/moved-308', /^moved to \/ok$/],
    ['/moved-for-now', /^alive$/],
    ['/moved-in-part', /^alive$/],
    ['/moved-home', /^unknown: it leads to the front page/],
    ['/404', /^absent$/],
    ['/410', /^absent$/],
    ['/401', /^unknown: it answered 401$/],
    ['/huge-body', /^alive$/],
    ['/slow-body', /^alive$/],
    ['/wrong-length', /^alive$/],
    ['/bomb', /^alive$/],
    ['/slow-head', /^unknown: /],
    ['/endless-head', /^unknown: Headers Overflow/],
    ['/endless-100', /^unknown: bad response$/],
    ['/reset', /^unknown: read ECONNRESET$/],
    ['/reset-once', /^alive$/],
    ['/empty', /^unknown: other side closed$/],
    ['/garbage', /^unknown: /],
  ])('%s', async (path, wanted) => {
    const client = createTestClient({ attempts: /hang|100|slow/.test(path) ? 1 : 3 })
    expect(show(await queryPage(server.origin + path, client))).toMatch(wanted)
  })

  test('a server without TLS at an https address', async () => {
    const address = `https://127.0.0.1:${server.port}/ok`
    expect(show(await queryPage(address))).toMatch(/^unknown: no trusted connection/)
  })

  test('a closed port', async () => {
    const probe = createServer()
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    expect(show(await queryPage(`http://127.0.0.1:${port}/`))).toMatch(
      /^unknown: connect ECONNREFUSED/,
    )
  })

  test('a name that does not exist', async () => {
    expect(show(await queryPage('http://nobody.invalid/'))).toMatch(
      /^unknown: getaddrinfo E.* nobody.invalid$/,
    )
  })

  test.each<[string, string, RegExp]>([
    ['with a private address', '10.0.0.1', /^unknown: host.example is at 10.0.0.1, which is not/],
    ['with a loopback address, which tests allow', '127.0.0.1', /^alive$/],
  ])('a name %s: the request goes to the address that was checked', async (_, address, wanted) => {
    const guard = createGuard(isPublicOrOwn, (_host, callback) =>
      callback(null, [{ address, family: 4 }]),
    )
    const client = createTestClient({}, guard)
    expect(show(await queryPage(`http://host.example:${server.port}/ok`, client))).toMatch(wanted)
  })

  test('a host that answers every attempt with 429 -> gets no more requests', async () => {
    const client = createTestClient()
    expect(show(await queryPage(`${server.origin}/429-always`, client))).toMatch(/it answered 429/)
    const before = server.requests.get('/ok')
    expect(show(await queryPage(`${server.origin}/ok`, client))).toMatch(
      /asked for no more requests$/,
    )
    expect(server.requests.get('/ok')).toBe(before)
  })
})

const queryRepository = async (path: string): Promise<string> => {
  const address = server.origin + path
  const client = createTestClient({ attempts: 1 })
  return show(await querySource({ address, suffix: '' }, client))
}

describe('a repository', () => {
  test.each<[string, string, RegExp]>([
    ['that git finds', '/ada/tools', /^alive$/],
    ['that neither git nor a browser finds', '/nobody/nothing', /^deleted$/],
    ['that needs a password and has no page', '/hidden/repository', /^deleted$/],
    ['that needs a password and has a page', '/private/repository', /^unknown: it has a page/],
    ['whose page fails', '/broken/repository', /^unknown: it answered 500$/],
    ['that was renamed', '/renamed/repository', /^moved to \/ada\/tools$/],
    ['that answers 200 to everything', '/soft/repository', /^unknown: its answer is not/],
    ['that redirects to a page', '/buried/repository', /^unknown: its answer is not from a git/],
    ['that answers byte by byte', '/slow/repository', /^unknown: its answer is not from a git/],
    ['that answers with a gzip bomb', '/bomb/repository', /^unknown: its answer is not from a git/],
  ])('%s', async (_, path, wanted) => expect(await queryRepository(path)).toMatch(wanted))

  test('that answers only with the suffix .git', async () => {
    const client = createTestClient({ attempts: 1 })
    const source = { address: `${server.origin}/ada/other`, suffix: '.git' } as const
    expect(show(await querySource(source, client))).toBe('deleted')
    expect(server.requests.get('/ada/other.git/info/refs')).toBe(1)
  })
})

test('upper and lower case mean the same repository on GitHub, but not on other hosts', () => {
  const urls = ['https://github.com/Ada/Tools/tree/a/x', 'https://www.github.com/ada/tools']
  const others = ['https://git.example/Ada/r.git', 'https://git.example/ada/r.git']
  const records = [...urls, ...others].map((url, at) => {
    const source = { kind: 'upstream', url, status: 'alive', checked: '2026-01-01' } as const
    return {
      slug: `s${at}`,
      record: { id: at + 1, author: 'ada', category: 'Coding', source } as const,
    }
  })
  expect(gatherSources(records).map(({ address, skills }) => [address, skills.length])).toEqual([
    ['https://github.com/Ada/Tools', 2],
    ['https://git.example/Ada/r.git', 1],
    ['https://git.example/ada/r.git', 1],
  ])
})
