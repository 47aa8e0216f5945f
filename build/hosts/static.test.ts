import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishFixture } from '../../testing/fixture.ts'
import { writeStatic } from './static.ts'

const outDir = mkdtempSync(join(tmpdir(), 'static-'))
const folder = join(outDir, 'hosts/static')
let left = 0

beforeAll(async () => {
  publishFixture(outDir, 'one')
  left = (await writeStatic(join(outDir, 'current'), folder, 5_000)).left
})
afterAll(() => rmSync(outDir, { recursive: true }))

test('raw files that a browser would run are left out, others are kept', () => {
  expect(existsSync(join(folder, 'skills/csv-clean/references/page.html'))).toBe(false)
  expect(existsSync(join(folder, 'skills/csv-clean/references/page/index.html'))).toBe(false)
  expect(left).toBe(1)
  for (const name of ['SKILL.md', 'LICENSE', 'scripts/run.py', 'odd/view'])
    expect(existsSync(join(folder, 'skills/csv-clean', name))).toBe(true)
})

test.each(['index.html', '404.html', 'skills/page/2/index.html', 'authors/octo/index.html'])(
  '%s is a page',
  (name) => expect(readFileSync(join(folder, name), 'utf8')).toContain('<title>'),
)

test('a moved skill leads to its new address', () => {
  const page = readFileSync(join(folder, 'skills/csv-tidy/index.html'), 'utf8')
  expect(page).toContain('content="0; url=/skills/csv-clean"')
})

test('configuration files of other hosts are left out', () => {
  for (const name of ['_headers', '_redirects', 'private/downloads'])
    expect(existsSync(join(folder, name))).toBe(false)
  expect(existsSync(join(folder, '.nojekyll'))).toBe(true)
})

test('more than 5,000 skills are refused', () =>
  expect(writeStatic(join(outDir, 'current'), `${folder}-many`, 5_001)).rejects.toThrow(
    /has 5001 skills, and a browser searches 5000 at most/,
  ))
