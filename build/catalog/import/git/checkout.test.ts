import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveLink } from '../../store/paths.ts'
import { chooseEntries } from './checkout.ts'
import { parseTreeLine } from './repository.ts'

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
