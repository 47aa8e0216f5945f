import { expect, test } from 'vitest'
import { compareVersionFiles } from './diff.ts'

type Files = Readonly<Record<string, string>>

const compare = (before: Files, after: Files, executable: readonly string[] = []) => {
  const [old, now] = [before, after].map((files) =>
    Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
  )
  const listed = now!.map((file) =>
    executable.includes(file.path) ? Object.assign(file, { isExecutable: true as const }) : file,
  )
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return compareVersionFiles(
    paths.filter((path) => before[path] !== after[path] || executable.includes(path)),
    old!,
    listed,
  )
}

const MD = { 'SKILL.md': 'one\ntwo\n' }

test('added, changed and removed files, in the format of git', () => {
  const { text, isCut } = compare({ ...MD, old: 'x\n' }, { 'SKILL.md': 'one\nthree\n', run: 'x' }, [
    'run',
  ])
  expect(isCut).toBe(false)
  expect(text).toBe(`diff --git SKILL.md SKILL.md
--- SKILL.md
+++ SKILL.md
@@ -1,2 +1,2 @@
 one
-two
+three
diff --git old old
deleted file mode 100644
--- old
+++ old
@@ -1,1 +0,0 @@
-x
diff --git run run
new file mode 100755
--- run
+++ run
@@ -0,0 +1,1 @@
+x
\\ No newline at end of file`)
})

test('a changed mode, a changed line end and a binary file are named', () => {
  expect(compare(MD, MD, ['SKILL.md']).text).toBe(
    'diff --git SKILL.md SKILL.md\nold mode 100644\nnew mode 100755',
  )
  expect(compare(MD, { 'SKILL.md': 'one\r\ntwo\n' }).text).toContain('-one\n+one\r\n two')
  expect(compare({}, { 'a.bin': 'a\0b' }).text).toMatch(
    /^diff --git a\.bin[^]*\nBinary files differ$/,
  )
})

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('')

test('a file with too many changed lines is shown as replaced', () => {
  const { text } = compare({ a: lines(900, 'x') }, { a: lines(900, 'y') })
  expect(text).toMatch(/@@ -1,900 \+0,0 @@\n-x 0\n[^]*-x 899\n@@ -0,0 \+1,900 @@\n\+y 0\n/)
})

test('files of millions of line breaks are shown as replaced, in little time', () => {
  const breaks = '\n'.repeat(2_000_000)
  const { text, isCut } = compare({ a: breaks }, { a: `${breaks}x\n`, b: breaks })
  expect(isCut).toBe(true)
  expect(text.slice(0, 60)).toContain('\n@@ -1,5000 +0,0 @@\n-\n-\n')
})

test('many files of many lines are compared only in part', () => {
  const old = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}`, lines(4_000, 'x')]))
  const now = Object.fromEntries(Object.entries(old).map(([path, text]) => [path, `${text}y\n`]))
  const { text } = compare(old, now)
  expect(text.match(/^\+y$/gm)).toHaveLength(6)
  expect(text).toContain('@@ -1,4000 +0,0 @@')
})

test('a long difference is cut', () => {
  const long = compare({}, { a: lines(6_000, 'x'), b: 'y' })
  expect(long.isCut).toBe(true)
  expect(long.text.split('\n')).toHaveLength(5_000)
  const wide = compare(MD, { 'SKILL.md': `${'x'.repeat(600_000)}\n` })
  expect(wide).toMatchObject({ isCut: true, text: expect.stringContaining('-two') })
})
