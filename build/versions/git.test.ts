import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { skillMd } from '../../src/catalog/testing/content.ts'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { explainUnopened, openMainLine } from './git.ts'
import { readHistory } from './read.ts'
import { addCommits, checkOut, git, makeGitFolder } from './testing/repository.ts'
import type { GivenFile } from './testing/repository.ts'

type Files = Readonly<Record<string, GivenFile>>

const SKILL: Files = {
  'skills/near/skill.json': '{ "id": 1, "source": { "kind": "own" } }',
  'skills/near/SKILL.md': skillMd('near'),
}

const AT = 1_780_000_000

/** Makes a repository with the given commits, each a complete list of files, and checks out the last commit. */
const makeLine = (commits: readonly Files[], ...options: string[]) => {
  const folder = makeGitFolder(...options)
  const names = addCommits(
    folder,
    commits.map((files, place) => ({
      files: new Map(Object.entries(files)),
      at: AT + place,
      parents: place === 0 ? [] : [place - 1],
    })),
  )
  checkOut(folder, names.at(-1)!)
  return { folder, names, since: names[0]! }
}

const versionsOf = ({ folder, since }: { folder: string; since: string }) =>
  readHistory(openMainLine(folder, since), undefined).versions

const later = (text: string): Files => ({ ...SKILL, 'skills/near/SKILL.md': skillMd('near', text) })

const filesOf = (text: string) => new Map(Object.entries(later(text)))

const inCatalog = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, file]) => [`catalog/${path}`, file]))

const THREE = [SKILL, later('two'), later('three')]

const cloneOf = (folder: string, ...options: string[]): string => {
  const to = join(makeSampleFolder(), 'clone')
  git(folder, 'config', 'uploadpack.allowFilter', 'true')
  git(folder, 'clone', '--quiet', ...options, pathToFileURL(folder).href, to)
  return to
}

const CHANGED =
  /skills\/ has changes that are not committed \("skills\/near\/(?:SKILL|new)\.md"\); commit them/

type Line = ReturnType<typeof makeLine>

/** Each reason why a build refuses to promise versions: what happens to a repository, and what is said. */
test.each<[string, (line: Line) => Partial<Line> | void, RegExp]>([
  [
    'no repository',
    () => ({ folder: makeSampleFolder(SKILL as Record<string, string>) }),
    /is not in a git repository; build in a clone of it, and in Docker, leave \.git out of \.dockerignore, or mount it: RUN --mount=type=bind,source=\.git/,
  ],
  ['no commit', () => ({ folder: makeGitFolder() }), /has no commit; commit skills\/$/],
  [
    'a shallow clone',
    ({ folder }) => ({ folder: cloneOf(folder, '--depth=2') }),
    /this clone is shallow and does not go back to "since" \([0-9a-f]{40}\); set fetch-depth: 0 of actions\/checkout, GIT_DEPTH: 0 on GitLab or VERCEL_DEEP_CLONE=true, or run git fetch --unshallow$/,
  ],
  [
    'a partial clone',
    ({ folder }) => ({ folder: cloneOf(folder, '--filter=blob:none') }),
    /this is a partial clone without the files of earlier versions; clone again without --filter/,
  ],
  [
    'a fresh repository',
    () => ({ since: 'a'.repeat(40) }),
    /does not have "since" .* it was created again, or its history was rewritten; build a clone of the repository that has it, or move "since" in a reviewed change/,
  ],
  [
    'history rewritten',
    ({ folder }) => {
      checkOut(folder, addCommits(folder, [{ files: filesOf('other'), at: 5, parents: [] }])[0]!)
    },
    /the main line does not contain "since" .* this is another branch; build the branch that contains it, or move "since" in a reviewed change/,
  ],
  [
    'the second parent of a merge, as after a pull',
    ({ folder, names }) => {
      const [mine] = addCommits(folder, [{ files: filesOf('mine'), at: 1, parents: [] }])
      const parents = ['-p', mine!, '-p', names[2]!]
      checkOut(folder, git(folder, 'commit-tree', `${mine}^{tree}`, ...parents, '-m', 'pull'))
      return { since: names[2]! }
    },
    /the main line does not contain "since"/,
  ],
  [
    'skills/ ignored by the repository',
    () => {
      const line = makeLine([{ '.gitignore': 'skills/\n' }])
      mkdirSync(join(line.folder, 'skills'))
      return line
    },
    /the newest commit has no skills\/; commit that folder, and do not ignore files in it/,
  ],
  ['a new file', ({ folder }) => writeFileSync(join(folder, 'skills/near/new.md'), 'x'), CHANGED],
  [
    'a changed mode',
    ({ folder }) => chmodSync(join(folder, 'skills/near/SKILL.md'), 0o755),
    CHANGED,
  ],
])('%s -> refused', (_, change, message) => {
  const line = makeLine(THREE)
  const { folder, since } = { ...line, ...change(line) }
  expect(() => openMainLine(folder, since)).toThrow(message)
})

test('a shallow clone that goes back to "since" -> the same versions', () => {
  const line = makeLine(THREE)
  const since = line.names[1]!
  const clone = cloneOf(line.folder, '--depth=2')
  expect(versionsOf({ folder: clone, since })).toEqual(versionsOf({ ...line, since }))
})

test('no git -> refused', () => {
  const { folder, since } = makeLine(THREE)
  vi.stubEnv('PATH', makeSampleFolder())
  try {
    expect(() => openMainLine(folder, since)).toThrow(/^git is not installed; install it$/)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a content folder that moved in its repository -> its history starts at the move', () => {
  const line = makeLine([...THREE, inCatalog(later('three')), inCatalog(later('four'))])
  const versions = versionsOf({ ...line, folder: join(line.folder, 'catalog') })
  expect(versions.map(({ digest }) => digest?.slice(0, 12))).toEqual([
    '8268ef80f3fa',
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ])
})

test('a name that is not UTF-8 -> a version without a name', () => {
  const { folder, names } = makeLine([SKILL])
  const near = execFileSync('git', ['ls-tree', '-z', `${names[0]}:skills/near`], { cwd: folder })
  const [row] = String(near).split('\t')
  const odd = Buffer.concat([near, Buffer.from(`${row}\t`), Buffer.from([0x78, 0xff, 0x00])])
  const make = (tree: Buffer | string): string =>
    String(execFileSync('git', ['mktree', '-z'], { cwd: folder, input: tree })).trim()
  const skills = make(`040000 tree ${make(odd)}\tnear\0`)
  const root = make(`040000 tree ${skills}\tskills\0`)
  const commit = git(folder, 'commit-tree', root, '-m', 'odd')
  const line = [{ id: commit, at: AT }] as const
  const { versions } = readHistory({ folder, since: commit, line: [...line] }, undefined)
  expect(versions).toMatchObject([{ fault: expect.stringContaining('its name is not UTF-8') }])
})

test('a repository that belongs to another user -> the error has the remedy', () => {
  const stderr = "fatal: detected dubious ownership in repository at '/srv/content'\n"
  expect(explainUnopened(stderr, '/srv/content')).toMatch(
    /belongs to another user; run git config --global --add safe\.directory/,
  )
})

const withFile = (path: string, file: GivenFile): Files => ({
  ...SKILL,
  [`skills/near/${path}`]: file,
})

describe('versions and their names', () => {
  const MANY = Array.from({ length: 1_001 }, (_, at) => [`skills/near/${at || 'SKILL.md'}`, 'x'])

  /** The fault of a version without a name, and the files. */
  test.each<[RegExp | undefined, Files]>([
    [/^"more" is a link$/, withFile('more', { mode: '120000', text: 'SKILL.md' })],
    [undefined, withFile('.env', { mode: '120000', text: 'x' })],
    [/^"sub" is another repository$/, withFile('sub', { mode: '160000', text: 'a'.repeat(40) })],
    [/^"big" has 5242881 bytes; at most 5242880$/, withFile('big', 'x'.repeat(5 * 2 ** 20 + 1))],
    [/^"a" is in Git LFS$/, withFile('a', 'version https://git-lfs.github.com/spec/v1\noid x:0\n')],
    [/^"a\\nb" has a name with odd characters$/, withFile('a\nb', 'x')],
    [/^SKILL\.md contains \{registry-origin\}/, withFile('SKILL.md', '{registry-origin}')],
    [/^it has no SKILL\.md$/, { 'skills/near/skill.json': '{}', 'skills/near/LICENSE': 'MIT' }],
    [/^1001 files; at most 1000$/, Object.fromEntries(MANY)],
  ])('a version has no name because %s (%#)', (fault, files) => {
    const [version] = versionsOf(makeLine([files]))
    expect(version?.digest !== undefined).toBe(fault === undefined)
    expect(version?.fault ?? '').toMatch(fault ?? /^$/)
  })

  test('files, links and folders with invalid slugs in skills/ are not skills', () => {
    const files = {
      ...SKILL,
      'skills/Near/SKILL.md': 'x',
      'skills/.old/SKILL.md': 'x',
      'skills/README': 'x',
    }
    const link: GivenFile = { mode: '120000', text: 'near' }
    const versions = versionsOf(makeLine([{ ...files, 'skills/far': link }]))
    expect(versions.map(({ slug }) => slug)).toEqual(['near'])
  })

  test.each(['SHA-1', 'SHA-256'])('a repository of %s -> the same names', (kind) => {
    const line = makeLine(THREE, `--object-format=${kind.replace('-', '').toLowerCase()}`)
    const names = versionsOf(line).map(({ digest }) => digest?.slice(0, 12))
    expect(names).toEqual(['1950d2cfb76e', 'f04cdb100755', '8268ef80f3fa'])
  })

  test('the operator’s settings and the variables of a hook have no effect', () => {
    const line = makeLine(THREE)
    const other = makeLine([SKILL])
    const before = versionsOf(line)
    const settings = {
      'log.showSignature': 'true',
      'log.follow': 'true',
      'log.diffMerges': 'off',
      'diff.renames': 'copies',
      'diff.orderFile': join(line.folder, 'nowhere'),
      'diff.noprefix': 'true',
      'color.ui': 'always',
      'core.quotePath': 'false',
      'core.abbrev': '4',
      'status.showUntrackedFiles': 'no',
      'status.relativePaths': 'false',
      'core.fsmonitor': '/bin/false',
    }
    for (const [name, value] of Object.entries(settings)) git(line.folder, 'config', name, value)
    for (const [name, value] of [
      ['GIT_DIR', join(other.folder, '.git')],
      ['GIT_WORK_TREE', other.folder],
      ['GIT_INDEX_FILE', join(other.folder, '.git/index')],
      ['GIT_OBJECT_DIRECTORY', join(other.folder, '.git/objects')],
      ['GIT_PREFIX', 'x/'],
      ['GIT_LITERAL_PATHSPECS', '0'],
      ['GIT_CONFIG_PARAMETERS', "'core.bare=true'"],
      ['GIT_CONFIG_COUNT', '1'],
      ['GIT_CONFIG_KEY_0', 'core.bare'],
      ['GIT_CONFIG_VALUE_0', 'true'],
    ] as const)
      vi.stubEnv(name, value)
    try {
      expect(versionsOf(line)).toEqual(before)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('attributes of the repository have no effect: bytes are read from git', () => {
    const plain = versionsOf(makeLine(THREE))
    const attributes = { '.gitattributes': 'skills/** text eol=crlf ident filter=none\n' }
    const line = makeLine(THREE.map((files) => Object.assign({}, files, attributes)))
    expect(versionsOf(line).map(({ digest }) => digest)).toEqual(plain.map(({ digest }) => digest))
  })

  test.each([0, 99_999_999_999])('a commit at second %d is read', (at) => {
    const folder = makeGitFolder()
    const [since] = addCommits(folder, [{ files: new Map(Object.entries(SKILL)), at, parents: [] }])
    checkOut(folder, since!)
    expect(versionsOf({ folder, since: since! })).toHaveLength(1)
  })

  test.each([
    ['https://git.example/x', 'https://git.example/x'],
    ['javascript:alert(1)', undefined],
  ])('a source at %s -> %s', (url, read) => {
    const record = JSON.stringify({ id: 1, source: { kind: 'upstream', url } })
    const [version] = versionsOf(makeLine([{ ...SKILL, 'skills/near/skill.json': record }]))
    expect(version!.url).toBe(read)
  })
})
