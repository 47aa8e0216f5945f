import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CommandError } from '../../cli/command.ts'
import { CLOCK, createGuard } from '../../verify/client.ts'
import { createTestClient } from '../../verify/testing/odd-server.ts'
import { parseGitAddress } from '../address.ts'
import { resolveLink } from '../find.ts'
import { checkPublicHost, chooseEntries, findRemote } from './clones.ts'
import { Repository, parseTreeLine } from './repository.ts'

const checkAt = (remote: string, address = '8.8.8.8') =>
  checkPublicHost({ argument: remote, remote }, (_host, callback) =>
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]),
  )

test.each([
  ['https://127.0.0.1/o/r', undefined],
  ['https://[::1]/o/r', undefined],
  ['https://169.254.169.254/o/r', undefined],
  ['https://2130706433/o/r', undefined],
  ['https://git.example/o/r', '10.0.0.7'],
  ['https://localhost/o/r', '::1'],
])('%s at %s -> refused, with the value and the remedy', async (remote, address) => {
  const asked = checkAt(remote, address)
  await expect(asked).rejects.toThrow(CommandError)
  await expect(asked).rejects.toThrow(
    /^"https:.*" was not contacted: .* is not a public address\. Name a public host, or .* file:/,
  )
})

test('a public host -> the address for git; a local repository -> left to git; an unknown name -> refused', async () => {
  expect(await checkAt('https://git.example/o/r')).toBe('git.example:443:8.8.8.8')
  expect(await checkAt('https://git.example:8443/o/r', '2606:4700::1')).toBe(
    'git.example:8443:[2606:4700::1]',
  )
  expect(await checkAt('file:///x/y', '127.0.0.1')).toBeUndefined()
  const unknown = checkPublicHost(
    { argument: '', remote: 'https://no.example/o/r' },
    (_host, callback) => callback(new Error('ENOTFOUND'), []),
  )
  await expect(unknown).rejects.toThrow(/its host was not found; correct the address/)
})

/** Of git.example, signed by itself, until 2126. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgb53TBFi059wqguIC
OKE3dhPCqMmv29pcb5eHe80vssahRANCAAQs2S6L1SRLVYpcI4Crp3VW/XFq/Z56
ch7aXl7LQC+8wwu8+8kcvQioqh7MEX2r0lDV6SA2xZRQdtZ9QhImJGlD
-----END PRIVATE KEY-----
`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUPtxIB6BocLXQHrKAQ9qy9d0McncwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZ2l0LmV4YW1wbGUwIBcNMjYxMTIyMjM1ODQ2WhgPMjEyNjEw
MjkyMzU4NDZaMBYxFDASBgNVBAMMC2dpdC5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAELNkui9UkS1WKXCOAq6d1Vv1xav2eenIe2l5ey0AvvMMLvPvJ
HL0IqKoezBF9q9JQ1ekgNsWUUHbWfUISJiRpQ6NrMGkwHQYDVR0OBBYEFDjrBzSf
5MD94bME3b5W1tnvNNblMB8GA1UdIwQYMBaAFDjrBzSf5MD94bME3b5W1tnvNNbl
MA8GA1UdEwEB/wQFMAMBAf8wFgYDVR0RBA8wDYILZ2l0LmV4YW1wbGUwCgYIKoZI
zj0EAwIDSAAwRQIgBf6kiHzVu1Yc4X1PSU2496M0nE/m0zlShllNyjtygr4CIQCw
KsovtnqJzjNxHC5eFwQg22oY/sGv6s0o2w2WwDjibw==
-----END CERTIFICATE-----
`

/** Where the paths of the server lead; any other is no repository. */
const MOVES: Readonly<Record<string, string>> = {
  '/o/r': 'https://git.example/internal',
  '/o/renamed': '/o/once-more',
  '/o/once-more': '/o/now',
  '/o/within': 'https://127.0.0.1/o/now',
  '/o/inside': 'https://inside.example/o/now',
  '/o/plain': 'http://git.example/o/now',
  '/o/loop': '/o/loop',
  '/o/sign-in': 'https://git.example/sign-in?from=',
}

/** Of the hosts on this machine, only this one counts as public. */
const lookup: LookupFunction = (host, options, callback) =>
  createGuard(host === 'git.example', (_host, found) =>
    found(null, [{ address: '127.0.0.1', family: 4 }]),
  ).lookup(host, options, callback)

describe('git itself', () => {
  const asked: string[] = []
  const server = createServer(
    { key: KEY, cert: CERTIFICATE },
    ({ headers, url = '' }, response) => {
      asked.push(`${headers.host?.split(':')[0]}${url.split('?')[0]}`)
      if (url.startsWith('/o/silent/')) return void server.emit('silent')
      const { port } = server.address() as AddressInfo
      const to = MOVES[url.split('/info/refs')[0] ?? '']?.replace('.example', `.example:${port}`)
      if (to === undefined) return void response.writeHead(404).end()
      response.writeHead(302, { Location: `${to}/info/refs?service=git-upload-pack` }).end()
    },
  )
  const follow = (path: string, more = {}, { signal } = new AbortController()) => {
    const { port } = server.address() as AddressInfo
    const retries = { attempts: 1, ...more }
    const client = createTestClient(CLOCK, retries, { ...createGuard(false), lookup })
    const remote = `https://git.example:${port}${path}`
    return findRemote({ argument: remote, remote }, signal, client)
  }
  const trusted = getCACertificates('default')
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'skill-registry-host-'))
    writeFileSync(join(folder, 'certificate.pem'), CERTIFICATE)
    vi.stubEnv('GIT_SSL_CAINFO', join(folder, 'certificate.pem'))
    setDefaultCACertificates([...trusted, CERTIFICATE])
    for (const name of ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    server.close()
    setDefaultCACertificates(trusted)
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  test('connects to the address that was checked and follows no redirect', async () => {
    const { port } = server.address() as AddressInfo
    const address = parseGitAddress(`https://git.example:${port}/o/r`)
    const { signal } = new AbortController()
    // The name has no address of its own, so only this one can be asked.
    const host = `git.example:${port}:127.0.0.1`
    const repository = await Repository.create(join(folder, 'git'), address, signal, { host })
    await expect(repository.fetchCommit(address)).rejects.toThrow(
      /has moved to another address; open it in a browser/,
    )
    expect(new Set(asked)).toEqual(new Set(['git.example/o/r/info/refs']))
  })

  test.each([
    ['no_proxy names the host', { https_proxy: 'http://127.0.0.1:9', no_proxy: 'git.example' }],
    ['NO_PROXY names all', { ALL_PROXY: 'http://127.0.0.1:9', NO_PROXY: '*' }],
    ['one is empty', { https_proxy: '', HTTPS_PROXY: 'http://127.0.0.1:9' }],
  ])('behind a proxy, connects to nothing else: %s', async (_, variables) => {
    const { port } = server.address() as AddressInfo
    const address = parseGitAddress(`https://git.example:${port}/o/r`)
    const { signal } = new AbortController()
    const host = `git.example:${port}:127.0.0.1`
    asked.length = 0
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    try {
      expect(await checkPublicHost(address)).toBeUndefined()
      const git = mkdtempSync(join(folder, 'proxy-'))
      const repository = await Repository.create(git, address, signal, { host })
      await expect(repository.fetchCommit(address)).rejects.toThrow(/it cannot be reached now/)
    } finally {
      for (const name of Object.keys(variables)) vi.stubEnv(name, undefined)
    }
    expect(asked).toEqual([])
  })

  test('a renamed repository -> only its last address is asked by git', async () => {
    const remote = await follow('/o/renamed')
    expect(remote).toMatch(/^https:\/\/git\.example:\d+\/o\/now$/)
    const { port } = server.address() as AddressInfo
    const address = { ...parseGitAddress(`https://git.example:${port}/o/renamed`), remote }
    const { signal } = new AbortController()
    const host = `git.example:${port}:127.0.0.1`
    const repository = await Repository.create(join(folder, 'now'), address, signal, { host })
    asked.length = 0
    await expect(repository.fetchCommit(address)).rejects.toThrow(/renamed": there is no such/)
    expect(new Set(asked)).toEqual(new Set(['git.example/o/now/info/refs']))
  })

  test.each([
    ['/o/within', /within" leads to "https:\/\/127\.0\.0\.1\/.*": 127\.0\.0\.1 is not a public/],
    ['/o/inside', /"https:\/\/inside\.example.*": inside\.example is at 127\.0\.0\.1, which/],
    [
      '/o/plain',
      /leads to "http:\/\/git\.example.*": http:\/\/ is not asked\. Name the address that/,
    ],
    [
      '/o/loop',
      /leads to .*: more than 5 redirects\. Name the address that the repository has now/,
    ],
  ])('%s -> refused, with the address and the reason', async (path, message) => {
    asked.length = 0
    const found = follow(path)
    await expect(found).rejects.toThrow(CommandError)
    await expect(found).rejects.toThrow(message)
    expect(asked.length).toBe(path === '/o/loop' ? 6 : 1)
    expect(asked.every((one) => one.startsWith(`git.example${path}/`))).toBe(true)
  })

  test('a host that does not answer -> Ctrl-C is heard at once, with its own message', async () => {
    const stopper = new AbortController()
    const found = follow('/o/silent', { timeout: 3_600_000 }, stopper)
    await once(server, 'silent')
    const stopped = new CommandError('Stopped.')
    stopper.abort(stopped)
    await expect(found).rejects.toBe(stopped)
  })

  test.each(['/o/now', '/o/sign-in'])('%s leads to no other repository', async (path) => {
    expect(await follow(path)).toMatch(new RegExp(`${path}$`))
  })

  test('what is on this disk, or behind a proxy, is asked by git alone', async () => {
    asked.length = 0
    expect(
      await findRemote({ argument: '', remote: 'file:///x' }, new AbortController().signal),
    ).toBe('file:///x')
    vi.stubEnv('https_proxy', 'http://proxy.example')
    expect(await follow('/o/renamed')).toMatch(/renamed$/)
    vi.stubEnv('https_proxy', undefined)
    expect(asked).toEqual([])
  })
})

const OBJECT = '0123456789'.repeat(4)

const entry = (path: string, isLink = false) => ({ path, object: OBJECT, size: 1, isLink })

describe('a line of a listing', () => {
  test.each([
    [
      'a file',
      `100644 blob ${OBJECT}      12\ta b/SKILL.md`,
      { path: 'a b/SKILL.md', size: 12, isLink: false },
    ],
    ['a script', `100755 blob ${OBJECT} 1\tx.sh`, { path: 'x.sh', isLink: false }],
    ['a link', `120000 blob ${OBJECT} 4\tx`, { path: 'x', isLink: true }],
    ['a name of two lines', `100644 blob ${OBJECT} 1\ta\nb`, { path: 'a\nb' }],
  ])('%s', (_, line, wanted) => {
    expect(parseTreeLine(line)).toMatchObject({ object: OBJECT, ...wanted })
  })
  test.each([
    ['a submodule', `160000 commit ${OBJECT} -\tx`],
    ['a path upwards', `100644 blob ${OBJECT} 1\ta/../../x`],
    ['an absolute path', `100644 blob ${OBJECT} 1\t/etc/x`],
    ['a folder of git’s', `100644 blob ${OBJECT} 1\ta/.GIT/hooks/x`],
    ['a backslash', `100644 blob ${OBJECT} 1\ta\\x`],
    ['nothing', ''],
  ])('%s -> passed over', (_, line) => {
    expect(parseTreeLine(line)).toBeUndefined()
  })
  test('any line -> skipped, or a path inside the repository', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        const { path: found = 'passed-over' } =
          parseTreeLine(`100644 blob ${OBJECT} 1\t${path}`) ?? {}
        expect(posix.resolve('/root', found).startsWith('/root/')).toBe(true)
      }),
    )
  })
})

test.each([
  ['a/b', '../c', 'c'],
  ['a/b', 'c/./d/', 'a/c/d'],
  ['a/b', '..', ''],
  ['a/b', '../../c', undefined],
  ['a', '..', undefined],
  ['a', '/etc', undefined],
  ['a', '', undefined],
])('%s -> %s leads to %s', (path, target, wanted) => {
  expect(resolveLink(path, target)).toBe(wanted)
})

describe('the files of a tree that an import needs', () => {
  const entries = [
    'LICENSE',
    'README.md',
    'docs/big.bin',
    'docs/shared/x.md',
    'plugins/LICENSE',
    'plugins/p/skills/a/SKILL.md',
    'plugins/p/skills/a/scripts/x.sh',
    'src/LICENSE',
    'src/main.c',
    'skills/b/skill.md',
    'node_modules/c/SKILL.md',
  ].map((path) => entry(path))
  const choose = (
    folders: readonly string[],
    links: Readonly<Record<string, string>> = {},
  ): string[] =>
    chooseEntries(
      [...entries, ...Object.keys(links).map((path) => entry(path, true))],
      folders,
      new Map(Object.entries(links)),
    ).map(({ path }) => path)

  test('the folders of skills and the licences above them', () => {
    expect(choose([''])).toEqual([
      'LICENSE',
      'README.md',
      'plugins/LICENSE',
      'plugins/p/skills/a/SKILL.md',
      'plugins/p/skills/a/scripts/x.sh',
      'skills/b/skill.md',
    ])
  })
  test('of one folder', () => {
    expect(choose(['skills'])).toEqual(['LICENSE', 'README.md', 'skills/b/skill.md'])
  })
  test('the targets of links, also through other links', () => {
    const links = { 'skills/b/references': 'docs/link', 'docs/link': 'docs/shared' }
    expect(choose(['skills'], links)).toEqual(
      expect.arrayContaining(['docs/link', 'docs/shared/x.md']),
    )
    expect(choose(['skills'], links)).not.toContain('docs/big.bin')
  })
})
