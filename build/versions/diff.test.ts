import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDifferences } from './diff.ts'
import { openMainLine } from './git.ts'
import { readHistory } from './read.ts'
import { addCommits, checkOut, git, makeGitFolder } from './testing/repository.ts'
import type { GivenFile } from './testing/repository.ts'

type Files = Readonly<Record<string, GivenFile>>

/** Compares two versions of a skill in a repository that also has other files. */
const compare = (before: Files, after: Files, others: Files = {}) => {
  const folder = makeGitFolder()
  const commits = [before, after].map((files, at) => ({
    files: new Map([
      ...Object.entries(others),
      ...Object.entries(files).map(([path, file]) => [`skills/near/${path}`, file] as const),
    ]),
    at: 1_780_000_000 + at,
    parents: at === 0 ? [] : [0],
  }))
  const names = addCommits(folder, commits)
  checkOut(folder, names[1]!)
  for (const [name, value] of [
    ['diff.external', 'false'],
    ['diff.noprefix', 'false'],
    ['diff.mnemonicPrefix', 'true'],
    ['diff.algorithm', 'patience'],
    ['diff.context', '0'],
    ['color.ui', 'always'],
    ['core.quotePath', 'true'],
    ['core.abbrev', '40'],
    ['core.bigFileThreshold', '1'],
    ['diff.suppressBlankEmpty', 'true'],
  ] as const)
    git(folder, 'config', name, value)
  mkdirSync(join(folder, '.git/info'), { recursive: true })
  writeFileSync(join(folder, '.git/info/attributes'), '* -diff binary\n')
  const { versions } = readHistory(openMainLine(folder, names[0]!), undefined)
  const [difference] = readDifferences(folder, [[versions[0]!.tree, versions[1]!.tree]])
  return difference!
}

const MD = { 'SKILL.md': 'one\ntwo\n' }

test('added and removed lines, in the format of git', () => {
  expect(compare(MD, { 'SKILL.md': 'one\nthree\n', run: { mode: '100755', text: 'x' } })).toEqual({
    text: `diff --git SKILL.md SKILL.md
index 814f4a422927..4c7442bcf5ac 100644
--- SKILL.md
+++ SKILL.md
@@ -1,2 +1,2 @@
 one
-two
+three
diff --git run run
new file mode 100755
index 000000000000..c1b0730e0133
--- /dev/null
+++ run
@@ -0,0 +1 @@
+x
\\ No newline at end of file`,
    files: { added: ['run'], changed: ['SKILL.md'], removed: [] },
    lines: 16,
    added: 2,
    removed: 1,
  })
})

test.each([
  ['the record', { 'skill.json': '{}' }],
  [
    'a file that copies leave out',
    { '.env': 'SECRET=1', 'node_modules/x/y.js': 'x', 'a/.DS_Store': 'x' },
  ],
])('%s is not in the difference', (_, more) => {
  const { text, files } = compare({ ...MD, old: 'x' }, { 'SKILL.md': 'three\n', ...more })
  expect(text.match(/^diff --git .*/gm)).toEqual([
    'diff --git SKILL.md SKILL.md',
    'diff --git old old',
  ])
  expect(files).toEqual({ added: [], changed: ['SKILL.md'], removed: ['old'] })
})

test.each([
  ['a b/c d'],
  ['a b/a b'],
  ['ü/\u{1f600}'],
  ['it"s'],
  ['b/x b/x'],
  ['tab\t\u0007"\\'],
  ["'$(id)`x`"],
])('a file named %j is in the difference', (path) => {
  const { text } = compare(MD, { ...MD, [path]: 'x' })
  expect(text.match(/^diff --git .*/gm)).toHaveLength(1)
})

test('text in a file that looks like output of git is not parsed as such', () => {
  const hash = 'a'.repeat(40)
  const text = `${hash} ${hash}\ndiff --git skill.json skill.json\n@@ -1 +1 @@\n--- x\n`
  const found = compare(MD, { ...MD, 'notes.md': text })
  expect(found).toMatchObject({ added: 4, removed: 0 })
  expect(found.text).toContain(`+${hash} ${hash}\n+diff --git skill.json skill.json`)
})

test('attributes of the repository or of a skill do not hide a change', () => {
  const hide = '* -diff binary\n'
  const others = { '.gitattributes': hide, 'skills/.gitattributes': hide }
  const { text } = compare({ ...MD, '.gitattributes': hide }, { 'SKILL.md': 'three\n' }, others)
  expect(text).toContain('+three')
})

test.each([
  ['a file that becomes a link', 'x', { mode: '120000', text: 'SKILL.md' }],
  ['a link that becomes a file', { mode: '120000', text: 'SKILL.md' }, 'x'],
] as const)('%s does not shift the next file', (_, before, after) => {
  const { text, files } = compare(
    { ...MD, '.env': before, run: before, z: 'one' },
    { ...MD, '.env': after, run: after, z: 'two' },
  )
  expect(files).toEqual({ added: [], changed: ['run', 'z'], removed: [] })
  expect(text.match(/^diff --git .*/gm)).toEqual([
    ...Array.from({ length: 2 }, () => 'diff --git run run'),
    'diff --git z z',
  ])
})

test('a binary file is named but not shown', () => {
  expect(compare(MD, { ...MD, 'a.bin': 'a\0b' }).text).toContain(
    'Binary files /dev/null and a.bin differ',
  )
})

test('a long difference is cut, but its counts are complete', () => {
  const long = compare(MD, { 'SKILL.md': 'x\n'.repeat(6_000) })
  expect(long).toMatchObject({ lines: 6_007, added: 6_000, removed: 2 })
  expect(long.text.split('\n')).toHaveLength(5_000)
  const wide = compare(MD, { 'SKILL.md': `${'x'.repeat(600_000)}\n` })
  expect(wide.text.length).toBeLessThan(1_000)
  expect(wide).toMatchObject({ lines: 8, added: 1 })
})
