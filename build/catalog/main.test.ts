import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { makeContent, makeSampleFolder, sampleSkillMd } from '../../testing/sample-folders.ts'
import { escapeUnseen } from './cli/command.ts'
import { runCommand } from './testing/run-command.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

const makeSource = (): string => makeSampleFolder({ 'a/SKILL.md': sampleSkillMd('a') })

const call = (from: string, into: string) => runCommand('import', from, '--own', '--into', into)

test.each<[line: string, message: RegExp]>([
  ['', /Usage: npm run catalog/],
  ['help x', /Usage: npm run catalog/],
  ['imprt', /unknown command 'imprt'\n\(Did you mean import\?\)/],
  ['retire a b', /too many arguments for 'retire'/],
  ['import --into INTO', /missing required argument 'folder or git address/],
  ['import FOLDER', /required option '--into <content folder>' not specified/],
  ['import FOLDER --into', /option '--into <content folder>' argument missing/],
  ['import FOLDER --into --own', /argument '--own' is invalid. It needs a value/],
  ['import FOLDER --into=', /argument '' is invalid. It needs a value/],
  ['import FOLDER --into INTO --into c', /argument 'c' is invalid. It appears twice/],
  ['import  --own --into INTO', /An argument is empty/],
  ['import FOLDER --into INTO --onw', /unknown option '--onw'\n\(Did you mean --own\?\)/],
  ['import FOLDER --into INTO --own=yes', /unknown option '--own=yes'/],
  ['import --upload-pack=id --into INTO', /unknown option/],
  ['import /no/such --into INTO', /No such/],
  ['import acme/kit --into INTO', /No such folder: "acme\/kit"\. For the repository, write htt/],
  ['import FOLDER --into INTO', /--source[^]*--own/],
  ['import FOLDER --own --source https://a.example/b --into INTO', /exclude/],
  ['import FOLDER --source https://a.example/b --into INTO', /add --author/],
  ['import FOLDER --own --author ../x --into INTO', /--author "..\/x"/],
  ['import FOLDER --own --date 2026-02-30 --into INTO', /--date "2026-02-30"/],
  // As a report shows them
  ['accept-finding a b --why …', /^Replace … by your own words\./],
  ['withdraw a@b --why=…', /^Replace … by your own words\./],
  ['set a licence=…', /^Replace … by your own words\./],
])('%s -> exit 2, and nothing is written', async (line, message) => {
  const into = makeContent()
  const folders: Readonly<Record<string, string>> = { INTO: into, FOLDER: makeSource() }
  const args = line === '' ? [] : line.split(' ').map((word) => folders[word] ?? word)
  const { code, stdout, stderr } = await runCommand(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
  expect(existsSync(into)).toBe(false)
})

test('a source inside the content folder -> exit 2', async () => {
  const from = makeSource()
  expect((await call(join(from, 'a'), from)).code).toBe(2)
  expect((await call(from, join(from, 'content'))).code).toBe(2)
})

test('a folder without any SKILL.md, or a content folder below a file -> exit 1', async () => {
  const none = await call(makeSampleFolder({ a: '' }), makeContent())
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('No SKILL.md') })
  const below = await call(makeSource(), join(makeSampleFolder({ file: '' }), 'file/content'))
  const stderr = expect.stringMatching(/^\S+: the path is already taken/m)
  expect(below).toMatchObject({ code: 1, stderr })
})

test('only bad files, with escapes in name and path -> reported, but never raw', async () => {
  const from = makeSampleFolder({
    'a\u001B[2J/SKILL.md': '# no front matter',
    'b/SKILL.md': '---\nname: [\u009B\u001B[31mx]\ndescription: d\n---\n',
    'c/SKILL.md': '---\nname: "x\\e[31my"\ndescription: d\n---\n',
  })
  const { code, stdout, text } = await call(from, makeContent())
  expect(code).toBe(0)
  expect(stdout).toContain('`a[U+001B][2J/SKILL.md')
  expect(stdout).toContain('1 new, 0 changed, 0 gone, 2 left out (2 front-matter)')
  expect(text).toBe(escapeUnseen(text))
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

test('a missing temporary folder -> reported without a stack trace', async () => {
  const [from, into] = [makeSource(), makeContent()]
  vi.stubEnv('TMPDIR', '/no/such')
  const stderr = expect.stringMatching(/^\/no\/such: does not exist; create/)
  const failed = await call(from, into).finally(() => vi.unstubAllEnvs())
  expect(failed).toMatchObject({ code: 1, stderr })
})
