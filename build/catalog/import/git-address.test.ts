import { expect, test } from 'vitest'
import { UsageError } from '../cli/command.ts'
import {
  parseSourceOption,
  isAddress,
  parseGitAddress,
  publishAt,
  remoteKey,
} from './git-address.ts'
import fc from 'fast-check'
import { makeRepository } from './testing/sample-repository.ts'

test.each([
  ['https://github.com/o/r/tree/main/skills', 'https://github.com/o/r/tree/main/skills'],
  ['https://github.com/o/r/tree/main/skills//', 'https://github.com/o/r/tree/main/skills'],
  ['https://github.com/o/r/tree/main', 'https://github.com/o/r/tree/main'],
  ['http://skills.example/a b'.replace(' ', '%20'), 'http://skills.example/a%20b'],
  ['https://skills.example/', 'https://skills.example'],
])('--source %s -> accepted', (given, address) => {
  expect(parseSourceOption(given)).toBe(address)
})

test.each([
  ['skills', /is not an address/],
  ['https://a b', /is not an address/],
  ['ftp://skills.example/', /must start with https/],
  ['file:///etc', /must start with https/],
  ['https://u:p@skills.example/', /user or password/],
  ['https://skills.example/?q=1', /query or a fragment/],
  ['https://github.com/o/r', /branch, tag or commit/],
  ['https://github.com/o/r/blob/main/skills', /branch, tag or commit/],
  ['https://www.github.com/o/r/tree', /branch, tag or commit/],
])('--source %s -> refused', (given, message) => {
  expect(() => parseSourceOption(given)).toThrow(UsageError)
  expect(() => parseSourceOption(given)).toThrow(message)
})

test.each([
  ['https://github.com/o/r', 'https://github.com/o/r', undefined],
  ['https://github.com/o/r/', 'https://github.com/o/r', undefined],
  ['https://www.github.com/o/r.git/', 'https://github.com/o/r', undefined],
  ['https://github.com/o/r/tree/main', 'https://github.com/o/r', 'main'],
  ['https://github.com/o/r/tree/main/skills/a%20b/', 'https://github.com/o/r', 'main/skills/a b'],
  ['https://gitlab.example/g/h/r/-/tree/main/x', 'https://gitlab.example/g/h/r', 'main/x'],
  ['https://git.example:8443/o/r/tree/v1', 'https://git.example:8443/o/r', 'v1'],
])('%s -> its repository and folder', (given, web, tree) => {
  const address = parseGitAddress(given)
  expect([address.web, address.tree]).toEqual([web, tree])
  expect(address.owner).toMatch(/^[og]$/)
  expect(address.name).toBe('r')
  expect(address.remote).toMatch(/^https:\/\/[\w.:]+\/[\w/]+(?:\.git)?$/)
})

test('spellings of one repository -> the same key', () => {
  const keys = [
    'https://github.com/O/r.git',
    'https://GitHub.com/o/R/tree/main/x',
    'https://www.github.com/o/r.git/',
    'http://github.com/o/r',
    'git@github.com:o/r.git',
  ].map((one) => remoteKey(parseGitAddress(one, true)))
  expect(new Set(keys)).toEqual(new Set(['github.com/o/r']))
  const own = ['localhost', '127.0.0.1', '[::1]'].map((host) =>
    remoteKey(parseGitAddress(`http://${host}:81/o/r`, true)),
  )
  expect(new Set(own).size).toBe(1)
})

test.each([
  ['https://gitlab.com/acme/kit/-/blob/main/a/SKILL.md?ref_type=heads', '/-/tree/main/a'],
  ['https://gitlab.com/acme/kit/-/raw/main/skills/a/SKILL.md', '/-/tree/main/skills/a'],
  ['https://gitlab.com/acme/kit/-/issues', ''],
  ['https://github.com/acme/kit?tab=readme-ov-file#readme', ''],
  ['https://github.com/acme/kit/blob/main/skills/a/SKILL.md', '/tree/main/skills/a'],
  ['https://github.com/acme/kit/blob/main/SKILL.md', '/tree/main'],
  ['https://github.com/acme/kit/tree/main/skills/a/SKILL.md', '/tree/main/skills/a'],
  ['https://github.com/acme/kit/raw/refs/heads/main/skills/a/SKILL.md', '/tree/main/skills/a'],
  ['https://raw.githubusercontent.com/acme/kit/main/a%20b/SKILL.md', '/tree/main/a%20b'],
  ['https://github.com/acme/kit/pulls?q=is%3Aopen', ''],
  ['https://codeberg.org/acme/kit/src/branch/main/skills/a', '/tree/main/skills/a'],
  ['https://bitbucket.org/acme/kit/src/main/skills/a/SKILL.md', '/tree/main/skills/a'],
  ['http://github.com/acme/kit.git', ''],
  ['git@github.com:acme/kit.git', ''],
  ['ssh://git@git.example:2222/acme/kit.git', ''],
  ['git+https://github.com/acme/kit.git', ''],
  ['github.com/acme/kit', ''],
  ['www.github.com/acme/kit/tree/main/skills/', '/tree/main/skills'],
  ['github:acme/kit', ''],
  ['acme/kit', ''],
])('%s -> refused, with the corrected address', (given, tree) => {
  const host =
    /gitlab\.com|codeberg\.org|bitbucket\.org|git\.example/.exec(given)?.[0] ?? 'github.com'
  const corrected = `https://${host}/acme/kit${tree}`
  expect(() => parseGitAddress(given)).toThrow(new RegExp(`write ${corrected}\\.$`))
  expect(parseGitAddress(corrected).web).toBe(`https://${host}/acme/kit`)
})

test.each([
  ['ssh://git@github.com/o/r', /needs ssh and your keys/],
  ['git://github.com/o/r', /not encrypted/],
  ['ext::sh -c id% >&2', /makes git run a program/],
  ['fd::17', /makes git run a program/],
  ['https://u:p@github.com/o/r', /user or password/],
  ['https://github.com/o/r?x=1', /query/],
  ['https://github.com/o', /names no repository/],
  ['https://github.com/o/r/blob/main/SKILL.md', /names no folder/],
  ['https://github.com/o/r/tree', /no branch, tag or commit/],
  ['https://github.com/o/%2e%2e%2fr', /names no repository/],
  ['https://github.com/o/r%0a', /names no repository/],
  ['https://github.com/o/%zz', /names no repository/],
  ['https://github.com/o/.git', /names no repository/],
  ['data://x/y/z', /neither https/],
  ['file:///no/such/repository', /is not a git repository/],
  ['file://host.example/x', /another machine/],
])('%s -> refused with a remedy', (given, message) => {
  expect(isAddress(given)).toBe(true)
  expect(() => parseGitAddress(given)).toThrow(UsageError)
  expect(() => parseGitAddress(given)).toThrow(message)
})

test.each(['skills', './a:b', '/a/x', '../x.zip', 'C'])('%s is a path, not an address', (text) => {
  expect(isAddress(text)).toBe(false)
})

test('any text -> refused, or a safe address: no git option, no other protocol', () => {
  const words = ['https://', 'file://', 'ext::', 'a.b/o/r', '/tree/', '/blob/', '..', '-u', '?x']
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...words))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      try {
        const { remote, tree } = parseGitAddress(pieces.join(''))
        expect(remote).toMatch(/^(?:https|file):\/\/[^\s\p{Cc}]+$/u)
        expect(tree ?? '').not.toMatch(/(?:^|\/)\.\.?(?:\/|$)/)
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
        const corrected = / write (https:[^<]*)\.$/.exec((error as Error).message)?.[1]
        if (corrected !== undefined) expect(parseGitAddress(corrected).remote).toMatch(/^https:/)
      }
    }),
  )
})

test('file:// -> a repository, and a folder in it; listed with --source', () => {
  const { address } = makeRepository({ x: '' })
  const parts = { remote: address, owner: 'ada', name: 'tools', tree: 'main/skills' }
  expect(parseGitAddress(`${address}/tree/main/skills`)).toMatchObject(parts)
  const at = (source: string) => publishAt(parseGitAddress(address), source)
  const [site, web] = ['https://github.com', 'https://github.com/o/r']
  expect(at(`${web}.git`)).toMatchObject({ remote: address, web, owner: 'o' })
  for (const source of [`${web}/tree/main`, `${site}/o`, site, 'file:///', 'x'])
    expect(() => at(source)).toThrow(UsageError)
})

test.each([
  ['git@git.example:o/r.git', 'ssh://git@git.example/o/r.git', 'https://git.example/o/r'],
  ['git@git.example:/o/r/tree/main/x', 'ssh://git@git.example/o/r', 'https://git.example/o/r'],
  ['ssh://git@git.example:2222/o/r', 'ssh://git@git.example:2222/o/r', 'https://git.example/o/r'],
  ['https://u:p@git.example/o/r', 'https://u:p@git.example/o/r', 'https://git.example/o/r'],
  ['http://10.0.0.7:8080/o/r', 'http://10.0.0.7:8080/o/r', 'http://10.0.0.7:8080/o/r'],
])('%s of a private registry -> fetched at %s, shown at %s', (argument, remote, web) => {
  expect(parseGitAddress(argument, true)).toMatchObject({ remote, web, owner: 'o', name: 'r' })
  expect(() => parseGitAddress(argument)).toThrow(UsageError)
})
