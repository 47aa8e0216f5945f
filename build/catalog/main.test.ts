import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import {
  makeContent,
  makeSampleFolder,
  manifestOf,
  removeFolders,
  rowOf,
  sampleSkillMd,
} from '../../testing/sample-folders.ts'
import { escapeUnseen } from './cli/command.ts'
import { runCommand } from './testing/run-command.ts'

afterEach(removeFolders)

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

const makeSource = (): string => makeSampleFolder({ 'a/SKILL.md': sampleSkillMd('a') })

const withManifest = (): string =>
  makeSampleFolder({
    'a/SKILL.md': sampleSkillMd('a'),
    'manifest.ndjson': manifestOf([rowOf('a')]),
  })

describe('exit 2, and nothing is written', () => {
  test.each<[string, (into: string) => string[], RegExp]>([
    ['no command', () => [], /Usage: npm run catalog/],
    ['an unknown command', () => ['imprt'], /unknown command 'imprt'/],
    ['help of an unknown command', () => ['help', 'x'], /Usage: npm run catalog/],
    [
      'without a folder',
      (into) => ['import', '--into', into],
      /missing required argument 'folder or git/,
    ],
    ['no --into', () => ['import', makeSource()], /--into/],
    ['a missing folder', (into) => ['import', '/no/such', '--into', into], /No such/],
    [
      'two folders and one --source',
      (into) => [
        'import',
        makeSource(),
        makeSource(),
        '--into',
        into,
        '--source',
        'https://a.example/b/c',
      ],
      /import each folder separately/,
    ],
    [
      'a short form of an address',
      (into) => ['import', 'acme/kit', '--into', into],
      /No such folder: "acme\/kit"\. For the repository, write https:\/\/github\.com\/acme\/kit\.\n/,
    ],
    [
      'an ssh address',
      (into) => ['import', 'git@a.example:o/r.git', '--into', into],
      /needs ssh and your keys/,
    ],
    [
      'an address that makes git run a program',
      (into) => ['import', 'ext::sh -c id', '--into', into],
      /makes git run a program/,
    ],
    [
      'an option instead of an address',
      (into) => ['import', '--upload-pack=id', '--into', into],
      /unknown option/,
    ],
    ['without an origin', (into) => ['import', makeSource(), '--into', into], /--source[^]*--own/],
    [
      '--own with --source',
      (into) => [
        'import',
        makeSource(),
        '--into',
        into,
        '--own',
        '--source',
        'https://a.example/b',
      ],
      /exclude/,
    ],
    [
      '--source without an owner',
      (into) => ['import', makeSource(), '--into', into, '--source', 'https://a.example/b'],
      /add --author/,
    ],
    [
      'an author that is not a handle',
      (into) => ['import', makeSource(), '--into', into, '--own', '--author', '../x'],
      /--author "..\/x"/,
    ],
    [
      'an impossible day',
      (into) => ['import', makeSource(), '--into', into, '--own', '--date', '2026-02-30'],
      /--date "2026-02-30"/,
    ],
    [
      'a manifest and --own',
      (into) => ['import', withManifest(), '--into', into, '--own'],
      /--own is refused/,
    ],
    [
      'a manifest and --source',
      (into) => ['import', withManifest(), '--into', into, '--source', 'https://a.example'],
      /--source is refused/,
    ],
  ])('%s', async (_, args, message) => {
    const into = makeContent()
    const { code: status, stdout, stderr } = await runCommand(...args(into))
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(existsSync(into)).toBe(false)
  })

  test('a source inside the content folder', async () => {
    const from = makeSource()
    expect((await runCommand('import', join(from, 'a'), '--into', from, '--own')).code).toBe(2)
    const into = join(from, 'content')
    expect((await runCommand('import', from, '--into', into, '--own')).code).toBe(2)
  })
})

describe('exit 1', () => {
  test('a folder without any SKILL.md', async () => {
    const { code: status, stderr } = await runCommand(
      'import',
      makeSampleFolder({ a: '' }),
      '--own',
      '--into',
      makeContent(),
    )
    expect([status, stderr.includes('No SKILL.md')]).toEqual([1, true])
  })

  test('a content folder below a file', async () => {
    const into = join(makeSampleFolder({ file: '' }), 'file/content')
    const { code: status, stderr } = await runCommand(
      'import',
      makeSource(),
      '--own',
      '--into',
      into,
    )
    expect([status, stderr.includes('already taken; move what')]).toEqual([1, true])
    expect(stderr).not.toContain('    at ')
  })
})

describe('exit 0', () => {
  test("import --own beside skills of the registry's own -> one line, and none counts as gone", async () => {
    const content = makeContent()
    for (const source of ['a', 'b', 'c']) {
      const from = makeSampleFolder({ [`${source}/SKILL.md`]: sampleSkillMd(source) })
      await runCommand('import', from, '--own', '--into', content)
    }
    const from = makeSampleFolder({ 'd/SKILL.md': sampleSkillMd('d') })
    const { stdout } = await runCommand('import', from, '--own', '--into', content)
    expect(stdout).toContain('note: 3 own skills of the registry not in this source: a b c')
    expect(stdout).toContain('0 skipped, 0 gone from the source; wrote 2 files in')
    expect(stdout).not.toContain('retire')
  })

  test('help, help import and import --help', async () => {
    expect(await runCommand('help')).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommand('help', 'import')).toEqual(await runCommand('import', '--help'))
  })

  test('only bad files, with escapes in name and path -> reported, but never raw', async () => {
    const from = makeSampleFolder({
      'a\u001B[2J/SKILL.md': '# no front matter',
      'b/SKILL.md': '---\nname: [\u009B\u001B[31mx]\ndescription: d\n---\n',
      'c/SKILL.md': '---\nname: "x\\e[31my"\ndescription: d\n---\n',
    })
    const {
      code: status,
      stdout,
      stderr,
    } = await runCommand('import', from, '--own', '--into', makeContent())
    expect(status).toBe(0)
    expect(stdout).toContain('skipped: a\\u{1B}[2J/SKILL.md')
    expect(stdout).toMatch(/1 imported, .* 2 skipped \(2 front-matter\)/)
    expect(stdout + stderr).toBe(escapeUnseen(stdout + stderr))
  })

  test.each([
    ['a reader that closes the pipe', '| true; echo ${PIPESTATUS[0]}', /^0\n$/, /^$/],
    ['a full disk', '> /dev/full; echo $?', /^1\n$/, /^Writing failed: the disk is full/],
  ])('%s -> no stack trace', (_, end, out, message) => {
    const script = `${process.execPath} ${MAIN} help ${end}`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect(stdout).toMatch(out)
    expect(stderr).toMatch(message)
  })

  test('a missing temporary folder -> reported without a stack trace', () => {
    const args = [MAIN, 'import', makeSource(), '--own', '--into', makeContent()]
    const env = { ...process.env, TMPDIR: '/no/such' }
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^\/no\/such: does not exist; create it/)
  })

  test.each([
    ['help', 0],
    ['imprt', 2],
    ['retire a --content build/catalog/testing', 1],
  ])('npm run catalog -- %s -> exit %i', (line, code) => {
    const { status } = spawnSync(process.execPath, [MAIN, ...line.split(' ')])
    expect(status).toBe(code)
  })
})
