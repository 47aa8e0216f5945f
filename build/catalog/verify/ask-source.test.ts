import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuard, parseRetryAfter } from './client.ts'
import { askSource, gatherSources, judge, GONE_AFTER } from './ask-source.ts'
import type { SourceAnswer } from './ask-source.ts'
import { startOddServer, createTestClient, createTestClock } from './testing/odd-server.ts'
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

const askPage = async (address: string, client = createTestClient(createTestClock())) =>
  askSource({ kind: 'web', address, suffix: '' }, {}, client)

const show = (answer: SourceAnswer): string => {
  if (answer.kind === 'unknown') return `unknown: ${answer.reason}`
  if (answer.kind === 'absent') return `absent ${answer.status}`
  if (answer.kind === 'alive' && answer.movedTo !== undefined) {
    return `moved to ${answer.movedTo.replace(server.origin, '')}`
  }
  return answer.kind
}

describe('a page', () => {
  test.each<[string, RegExp]>([
    ['/ok', /^alive$/],
    ['/hang', /^unknown: no answer in 0.5 seconds$/],
    ['/500-once', /^alive$/],
    ['/503-always', /^unknown: it answered 503$/],
    ['/429-seconds', /^alive$/],
    ['/429-date', /^alive$/],
    ['/429-nonsense', /^alive$/],
    ['/429-an-hour', /^unknown: it answered 429$/],
    ['/loop', /^unknown: more than 5 redirects$/],
    ['/loop-of-two', /^unknown: more than 5 redirects$/],
    ['/to-private', /^unknown: 10.0.0.1 is not a public address$/],
    ['/to-metadata', /^unknown: 169.254.169.254 is not a public address$/],
    ['/to-private-v6', /^unknown: fd00::1 is not a public address$/],
    ['/to-mapped', /^unknown: ::ffff:a00:1 is not a public address$/],
    ['/to-decimal', /^unknown: 10.0.0.1 is not a public address$/],
    ['/to-file', /^unknown: file: is not asked$/],
    ['/to-user', /^unknown: an address with a user or password is not asked$/],
    ['/to-nonsense', /^unknown: it leads to no address$/],
    ['/to-nowhere', /^unknown: it answered 302$/],
    ['/moved-301', /^moved to \/ok$/],
    ['/moved-308', /^moved to \/ok$/],
    ['/moved-for-now', /^alive$/],
    ['/moved-in-part', /^alive$/],
    ['/moved-home', /^unknown: it leads to the front page/],
    ['/404', /^absent 404$/],
    ['/410', /^absent 410$/],
    ['/401', /^unknown: it answered 401$/],
    ['/304-unasked', /^unknown: it answered 304$/],
    ['/huge-body', /^alive$/],
    ['/slow-body', /^alive$/],
    ['/wrong-length', /^alive$/],
    ['/bomb', /^alive$/],
    ['/slow-head', /^unknown: /],
    ['/endless-head', /^unknown: header fields without end$/],
    ['/endless-100', /^unknown: bad response$/],
    ['/reset', /^unknown: it hung up without an answer$/],
    ['/reset-once', /^alive$/],
    ['/empty', /^unknown: it hung up without an answer$/],
    ['/garbage', /^unknown: /],
  ])('%s', async (path, wanted) => {
    const client = createTestClient(createTestClock(), { attempts: /hang|100/.test(path) ? 1 : 3 })
    expect(show(await askPage(server.origin + path, client))).toMatch(wanted)
  })

  test('no TLS where TLS is wanted', async () => {
    const address = `https://127.0.0.1:${server.port}/ok`
    expect(show(await askPage(address))).toMatch(/^unknown: no trusted connection/)
  })

  test('nothing listens', async () => {
    const probe = createServer()
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    expect(show(await askPage(`http://127.0.0.1:${port}/`))).toBe('unknown: nothing listens there')
  })

  test('a name that nobody has', async () => {
    expect(show(await askPage('http://nobody.invalid/'))).toMatch(/^unknown: .*host/)
  })

  test.each<[string, string, RegExp]>([
    ['at a private address', '10.0.0.1', /^unknown: host.example is at 10.0.0.1, which is not/],
    ['at this machine, which tests allow', '127.0.0.1', /^alive$/],
  ])('a name %s: asked is the address that was looked up', async (_, address, wanted) => {
    const guard = createGuard(true, (_host, callback) => callback(null, [{ address, family: 4 }]))
    const client = createTestClient(createTestClock(), {}, guard)
    expect(show(await askPage(`http://host.example:${server.port}/ok`, client))).toMatch(wanted)
  })

  test('a validator is sent, and 304 is alive', async () => {
    const address = `${server.origin}/conditional`
    const client = createTestClient(createTestClock())
    const ask = (known: object) => askSource({ kind: 'web', address, suffix: '' }, known, client)
    const one = { kind: 'alive', validators: { etag: '"one"' } }
    expect(await ask({})).toEqual(one)
    expect(await ask({ etag: '"one"' })).toEqual(one)
    expect(await ask({ etag: '"two"' })).toEqual(one)
  })
})

describe('waiting', () => {
  test.each([
    ['/429-seconds', [7_000]],
    ['/429-date', [9_000]],
    ['/429-nonsense', [100]],
    ['/503-always', [100, 200]],
    ['/429-an-hour', []],
  ])('%s waits as it was asked to, or twice as long each time', async (path, waits) => {
    const own = await startOddServer()
    const clock = createTestClock()
    await askPage(own.origin + path, createTestClient(clock))
    await own.stop()
    expect(clock.waits).toEqual(waits)
  })

  test('a host that asks to be left alone for an hour is not asked for anything else', async () => {
    const client = createTestClient(createTestClock())
    await askPage(`${server.origin}/429-an-hour`, client)
    const before = server.asked.get('/ok')
    expect(show(await askPage(`${server.origin}/ok`, client))).toMatch(
      /asked to wait 3600 seconds$/,
    )
    expect(server.asked.get('/ok')).toBe(before)
  })

  test('a host is asked at its pace, another is not kept waiting', async () => {
    const clock = createTestClock()
    const client = createTestClient(clock, { interval: 1_000 })
    await askPage(`${server.origin}/ok`, client)
    await askPage(`${server.origin}/ok`, client)
    await askPage(`http://localhost:${server.port}/ok`, client)
    await askPage(`${server.origin}/ok`, client)
    expect(clock.waits).toEqual([1_000, 1_000])
  })
})

const askRepository = async (path: string): Promise<string> => {
  const address = server.origin + path
  const client = createTestClient(createTestClock(), { attempts: 1 })
  return show(await askSource({ kind: 'git', address, suffix: '' }, {}, client))
}

describe('a repository', () => {
  test.each<[string, string, RegExp]>([
    ['that git finds', '/ada/tools', /^alive$/],
    ['that neither git nor a browser finds', '/nobody/nothing', /^deleted$/],
    ['that wants a password, and has no page', '/hidden/repository', /^deleted$/],
    ['that wants a password, and has a page', '/private/repository', /^unknown: it has a page/],
    ['whose page fails', '/broken/repository', /^unknown: it answered 500$/],
    ['that was renamed', '/renamed/repository', /^moved to \/ada\/tools$/],
    ['that answers 200 to everything', '/soft/repository', /^unknown: it answered what no repo/],
    ['that leads to a page', '/buried/repository', /^unknown: it answered what no repository/],
    ['that drips its answer', '/slow/repository', /^unknown: no answer in 0.5 seconds$/],
    ['that answers with a bomb', '/bomb/repository', /^unknown: it answered what no repository/],
  ])('%s', async (_, path, wanted) => expect(await askRepository(path)).toMatch(wanted))

  test('whose discovery is behind .git is no other repository', async () => {
    const client = createTestClient(createTestClock(), { attempts: 1 })
    const asked = { kind: 'git', address: `${server.origin}/ada/other`, suffix: '.git' } as const
    expect(show(await askSource(asked, {}, client))).toBe('deleted')
    expect(server.asked.get('/ada/other.git/info/refs')).toBe(1)
  })
})

const NOW = Date.UTC(2026, 9, 10)
const iso = (time: number): string => new Date(time).toISOString()
const ABSENT: SourceAnswer = { kind: 'absent', status: 404 }
const ALIVE: SourceAnswer = { kind: 'alive', validators: { etag: '"x"' } }

describe('a source is', () => {
  test.each<[string, SourceAnswer, string | undefined, boolean, string, string | undefined]>([
    ['missing at the first 404', ABSENT, undefined, false, 'missing', iso(NOW)],
    [
      'missing at a second 404 within the day',
      ABSENT,
      iso(NOW - GONE_AFTER + 1),
      false,
      'missing',
      iso(NOW - GONE_AFTER + 1),
    ],
    [
      'gone at a 404 a day later',
      ABSENT,
      iso(NOW - GONE_AFTER),
      false,
      'gone',
      iso(NOW - GONE_AFTER),
    ],
    ['gone where it was', ABSENT, undefined, true, 'gone', iso(NOW)],
    [
      'gone where its repository is deleted',
      { kind: 'deleted' },
      undefined,
      false,
      'gone',
      iso(NOW),
    ],
    ['alive, and was never missing', ALIVE, iso(NOW - 9 * GONE_AFTER), false, 'alive', undefined],
    [
      'unknown, and as missing as before',
      { kind: 'unknown', reason: 'x' },
      iso(NOW - GONE_AFTER),
      false,
      'unknown',
      iso(NOW - GONE_AFTER),
    ],
  ])('%s', (_, answer, missingSince, isGone, kind, remembered) => {
    const known = missingSince === undefined ? {} : { missingSince }
    const judged = judge(answer, known, isGone, NOW)
    expect([judged.verdict.kind, judged.next.missingSince]).toEqual([kind, remembered])
  })
})

describe('Retry-After', () => {
  test.each<[string | undefined, number | undefined]>([
    ['7', 7_000],
    [' 0 ', 0],
    ['Sat, 10 Oct 2026 00:00:09 GMT', 9_000],
    ['Fri, 09 Oct 2026 00:00:00 GMT', 0],
    ['Sat, 10 Oct 2026 99:00:09 GMT', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['99999999999999999999', undefined],
  ])('%s', (value, wait) => expect(parseRetryAfter(value, NOW)).toBe(wait))
})

describe('a source address', () => {
  test.each<[string, string, string, string]>([
    [
      'https://github.com/Ada/Tools/tree/abc/skills/x',
      'git',
      'https://github.com/Ada/Tools',
      '/tree/abc/skills/x',
    ],
    ['https://www.github.com/ada/tools', 'git', 'https://github.com/ada/tools', ''],
    ['https://github.com/ada', 'web', 'https://github.com/ada', ''],
    [
      'https://gitlab.com/group/sub/tools/-/tree/main/x',
      'git',
      'https://gitlab.com/group/sub/tools',
      '/-/tree/main/x',
    ],
    ['https://git.example/a/b/c.git', 'git', 'https://git.example/a/b/c.git', ''],
    [
      'https://codeberg.org/ada/tools/src/branch/main/x',
      'git',
      'https://codeberg.org/ada/tools',
      '/src/branch/main/x',
    ],
    ['https://skills.example/x/SKILL.md?v=1', 'web', 'https://skills.example/x/SKILL.md?v=1', ''],
  ])('%s', (url, kind, address, rest) => {
    const source = { kind: 'upstream', url, status: 'alive', checked: '2026-01-01' } as const
    const record = { id: 1, author: 'ada', category: 'Coding', source } as const
    const sources = gatherSources([{ slug: 'a', record }])
    expect(sources).toMatchObject([{ kind, address, skills: [{ slug: 'a', url, rest }] }])
  })
})
