import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import {
  makeContent,
  makeSampleFolder,
  removeFolders,
  runImport,
  skillFiles,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { MIT_TEXT, makeRepository, runGitFor } from '../import/testing/sample-repository.ts'
import { describeSourceError } from '../cli/command.ts'
import { runCommand } from '../testing/run-command.ts'

afterEach(removeFolders)

const makeSource = (name: string, ...more: readonly string[]) =>
  makeRepository(
    Object.assign({ LICENSE: MIT_TEXT }, ...[name, ...more].map((one) => skillFiles(one))),
  )

/** Makes a repository with a file at any path, even one that no disk supports; octal escapes are bytes. */
const makeOdd = (path: string): string => {
  const { folder, address } = makeSource('odd')
  const text = sampleSkillMd('hidden', 'Does hidden.')
  const lines = [
    'commit refs/heads/main',
    'committer Ada <ada@skills.example> 1770000000 +0000',
    'data 0',
    'from refs/heads/main^0',
    `M 100644 inline "${path}"`,
    `data ${text.length}`,
    text,
  ]
  runGitFor(folder, ['fast-import', '--quiet'], '2026-01-02', lines.join('\n'))
  return address
}

test('update with 300 unsupported names in one skill -> one line with their number', async () => {
  const { folder, address } = makeSource('odd', 'fine')
  const lines = Array.from(
    { length: 300 },
    (_, at) => `M 100644 inline "skills/odd/n${at}\\351.md"\ndata 0`,
  )
  const head = ['commit refs/heads/main', 'committer A <a@b.example> 1770000000 +0000', 'data 0']
  const commit = [...head, 'from refs/heads/main^0', ...lines, ''].join('\n')
  runGitFor(folder, ['fast-import', '--quiet'], '2026-01-02', commit)
  const { stdout, slugs } = await follow([address])
  expect(stdout).toMatch(/n0\uFFFD\.md: left out: its name.*\n.*and 299 more of file-name\n/)
  expect(stdout).toContain('0 left out\n')
  expect(slugs).toEqual(['fine', 'odd'])
})

/** Makes a repository whose skill has a link to any path, existing or not. */
const makeLinked = (target: string): string => {
  const { folder, address } = makeSource('odd', 'fine')
  const hash = runGitFor(folder, ['hash-object', '-w', '--stdin'], '2026-01-02', target)
  runGitFor(folder, ['update-index', '--add', '--cacheinfo', `120000,${hash},skills/odd/far.md`])
  runGitFor(folder, ['commit', '--quiet', '-m', 'x'], '2026-01-02')
  return address
}

/** Makes a catalog that follows these addresses, and updates it. */
const follow = async (addresses: readonly string[], content = makeContent()) => {
  const rows = addresses.map((address, at) => ({
    address,
    source: `https://github.com/ada/tools-${at}`,
  }))
  mkdirSync(join(content, 'skills'), { recursive: true })
  const site = { name: 'S', tagline: 'T', description: 'D' }
  writeFileSync(join(content, 'site.json'), JSON.stringify(site))
  writeFileSync(join(content, 'sources.json'), JSON.stringify(rows))
  const { code, stdout, stderr } = await runCommand('update', '--content', content)
  const slugs = loadCatalog(content).skills.map(({ slug }) => slug)
  return { code, stdout: stdout.replaceAll('`', ''), stderr, slugs, content }
}

const DEEP = 'd/'.repeat(12_000)

describe('update with an odd source between two others -> its odd files are left out and named', () => {
  test.each([
    [
      'a file that is not UTF-8',
      String.raw`skills/odd/notes/caf\351.md`,
      /odd\/notes\/caf\uFFFD\.md: left out: its name is not UTF-8/,
    ],
    [
      'a skill in such a folder',
      String.raw`skills/caf\351/SKILL.md`,
      /skills\/caf\uFFFD\/SKILL.md: its name is not UTF-8/,
    ],
    [
      '12,000 folders in a skill',
      `skills/odd/${DEEP}x.md`,
      /odd\/d\/.*: left out: it is more than 64 folders deep/,
    ],
    [
      'a skill 12,000 folders deep',
      `skills/${DEEP}SKILL.md`,
      /skills\/d\/.*: it is more than 64 folders deep/,
    ],
    [
      '12,000 folders beside the skills',
      `docs/${DEEP}x.md`,
      /odd.*: 1 found, 1 new, .* 0 left out/s,
    ],
    [
      'a path of 4,090 bytes',
      `skills/odd/${`${'n'.repeat(150)}/`.repeat(27)}x.md`,
      /its path has 4092 bytes; at most 1024/,
    ],
    [
      'odd characters in a name',
      String.raw`skills/odd/a\tb\"c\\.md`,
      /a\\u\{9\}b"c\\\.md: left out: a file name with unsupported characters/,
    ],
    [
      'a line break',
      String.raw`skills/odd/a\nb.md`,
      /a\\u\{A\}b\.md: left out: its name has a line break/,
    ],
  ])('%s', async (_, path, message) => {
    const { address: first } = makeSource('first')
    const { address: last } = makeSource('last')
    const { code, stdout, slugs } = await follow([first, makeOdd(path), last])
    expect(stdout).toMatch(message)
    expect(slugs).toEqual(['first', 'odd', 'last'])
    expect(code).toBe(3)
  })
})

test.each([
  [
    '4,000 bytes',
    'n/'.repeat(2_000),
    /far.md: left out: a symlink to a path of 4000 bytes; at most 1024/,
  ],
  [
    '5,000 bytes',
    'n/'.repeat(2_500),
    /far.md: left out: a symlink to a path of 5000 bytes; at most 1024/,
  ],
  [
    'a name of 300 bytes',
    'n'.repeat(300),
    /far.md: left out: a symlink whose target is not a valid path/,
  ],
])('update with a link to %s -> the link is left out and named', async (_, target, message) => {
  const { code, stdout, stderr, slugs } = await follow([makeLinked(target)])
  expect(stdout).toMatch(message)
  expect(stdout + stderr).not.toMatch(/shorter folder|skill-catalog-/)
  expect(slugs).toEqual(['fine', 'odd'])
  expect(code).toBe(3)
})

const errorOf = (code: string) =>
  Object.assign(new Error('x'), { code, path: join(tmpdir(), 'skill-catalog-x/a') })

test('an error in a temporary copy -> the message has neither the path of the copy nor advice about it', () => {
  expect(describeSourceError(errorOf('ENAMETOOLONG'))).toBe('it cannot be read (ENAMETOOLONG)')
  expect(describeSourceError(errorOf('ENOSPC'))).toMatch(/^its temporary copy: the disk is full/)
})

test('a write that fails in the middle of a source -> the report lists the versions already written', async () => {
  const content = makeContent()
  mkdirSync(join(content, 'skills'), { recursive: true })
  // A file blocks the place of a skill's folder.
  writeFileSync(join(content, 'skills/b'), '')
  const sources = [makeSource('a', 'b', 'c'), makeSource('last')].map(({ address }) => address)
  const { code, stdout, stderr, slugs } = await follow(sources, content)
  expect(stdout).toMatch(/^## 2 skills to look at\n\n- \*\*a\*\* .*\n- \*\*last\*\* .*\n\n/)
  expect(stdout).toMatch(/failed: .*skills\/b: this is a file, but a folder is needed/)
  expect(stderr).toContain('skills/b: this is a file, but a folder is needed')
  expect(slugs).toEqual(['a', 'last'])
  expect(code).toBe(1)
})

/** Makes a folder with names that are not UTF-8, and with paths too deep to open. */
const makeOddFolder = (): string => {
  const folder = makeSampleFolder({
    'fine/SKILL.md': sampleSkillMd('fine'),
    'odd/SKILL.md': sampleSkillMd('odd'),
  })
  const bytesOf = (path: string) => Buffer.from(join(folder, path), 'latin1')
  mkdirSync(bytesOf('caf\u00E9'))
  writeFileSync(bytesOf('caf\u00E9/SKILL.md'), sampleSkillMd('lost'))
  writeFileSync(bytesOf('odd/caf\u00E9.md'), '')
  const dig = "for (let n = 0; n < 2500; n += 1) { fs.mkdirSync('d'); process.chdir('d') }"
  for (const place of ['.', 'odd/notes']) {
    mkdirSync(join(folder, place), { recursive: true })
    execFileSync(process.execPath, ['-e', dig], { cwd: join(folder, place) })
  }
  onTestFinished(() => void execFileSync('rm', ['-rf', folder]))
  return folder
}

test('import of a folder with odd names -> the skills are copied without them, and each is named', async () => {
  const content = makeContent()
  const { imported, skipped, warnings } = await runImport(makeOddFolder(), content)
  expect(imported.map(({ slug }) => slug)).toEqual(['fine', 'odd'])
  expect(skipped).toMatchObject([
    { file: 'caf\uFFFD', message: 'its name is not UTF-8' },
    { file: `d${'/d'.repeat(65)}`, message: 'it is more than 64 folders deep' },
  ])
  expect(warnings.map(renderProblem)).toEqual([
    'odd/caf\uFFFD.md: left out: its name is not UTF-8 — rename it',
    expect.stringMatching(/^odd\/notes\/d\/.*: left out: it is more than 64 .* — move it up$/),
  ])
  expect(loadCatalog(content).skills).toHaveLength(2)
})

test('a catalog with odd names -> the build reports each of them', () => {
  const folder = makeOddFolder()
  const skill = join(folder, 'content/skills/odd')
  mkdirSync(join(folder, 'content/skills'), { recursive: true })
  renameSync(join(folder, 'odd'), skill)
  const record = {
    id: 1,
    author: 'registry',
    category: 'Coding',
    updated: '2026-01-02',
    source: { kind: 'own' },
  }
  writeFileSync(join(skill, 'skill.json'), JSON.stringify(record))
  const { problems } = loadSkill(join(folder, 'content'), 'odd')
  expect(problems.map(renderProblem)).toEqual([
    'skills/odd/caf\uFFFD.md: its name is not UTF-8 — rename it',
    expect.stringMatching(/^skills\/odd\/notes\/d.*: it is more than 64 .* — move it up$/),
  ])
})
