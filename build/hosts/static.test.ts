import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishFixture } from '../../testing/fixture.ts'
import { addFiles } from '../../testing/sample-folders.ts'
import { checkSize, writeStatic } from './static.ts'

const outDir = mkdtempSync(join(tmpdir(), 'static-'))
const folder = join(outDir, 'hosts/static')
const RUN = {
  'x.php': 'PHP runs it',
  'x.PHTML': 'PHP runs it',
  'x.php.md': 'PHP runs it',
  'lib.php/notes.md': 'PHP runs it',
  'scripts/x.pl': 'a CGI host runs it',
  'cgi-bin/run.py': 'a CGI host runs it',
  'x.aspx': 'IIS runs it',
  'x.jsp': 'a Java host runs it',
  'x.shtml.txt': 'a host fills in what it includes',
  'web.config': 'IIS takes it for settings',
  'x.html.md': 'a browser might run it',
  'logo.svg': 'a browser might run it',
  'references/page.html': 'a browser might run it',
  'references/index.html': 'a browser might run it',
}
const KEPT = ['v1.2.notes.md', 'composer.json', 'phpunit.md', 'inc/x.sh', 'php.ini', 'a.py']

let left: { name: string; reason: string }[] = []

beforeAll(async () => {
  publishFixture(outDir, 'one')
  const files = ['index.html', ...Object.keys(RUN), ...KEPT].filter(
    (name) => name !== 'references/page.html',
  )
  addFiles(
    join(outDir, 'current/public/skills/csv-clean'),
    Object.fromEntries(files.map((name) => [name, '<?php pwned(); ?><script>pwned()</script>'])),
  )
  left = (await writeStatic(join(outDir, 'current'), folder)).left
})
afterAll(() => rmSync(outDir, { recursive: true }))

test.each(Object.entries(RUN))('%s is left out: %s; a link to it leads to the skill', (name) => {
  const place = join(folder, 'skills/csv-clean', name)
  expect(statSync(place).isDirectory()).toBe(true)
  const page = readFileSync(join(place, 'index.html'), 'utf8')
  expect(page).toContain('href="/skills/csv-clean"')
  expect(page).not.toContain('pwned')
})

test('index.html of a skill is left out; the page of the skill has its name', () => {
  const page = readFileSync(join(folder, 'skills/csv-clean/index.html'), 'utf8')
  expect(page).toContain('<title>')
  expect(page).not.toContain('pwned')
})

test('what is left out is named with the reason, and nothing else is left out', () => {
  const named = left.map(({ name, reason }) => [name.replace('skills/csv-clean/', ''), reason])
  expect(Object.fromEntries(named)).toEqual({ ...RUN, 'index.html': 'a browser might run it' })
  for (const name of ['SKILL.md', 'LICENSE', 'scripts/run.py', 'odd/view', ...KEPT])
    expect(statSync(join(folder, 'skills/csv-clean', name)).isFile()).toBe(true)
})

test.each(['index.html', '404.html', 'skills/page/2/index.html', 'authors/octo/index.html'])(
  '%s is a page',
  (name) => expect(readFileSync(join(folder, name), 'utf8')).toContain('<title>'),
)

test('a moved skill leads to its new address', () => {
  const page = readFileSync(join(folder, 'skills/csv-tidy/index.html'), 'utf8')
  expect(page).toContain('content="0; url=/skills/csv-clean"')
})

test('a host that reads _headers and _redirects finds them, with the pages that there are', () => {
  const [headers, redirects] = ['_headers', '_redirects'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  expect(headers).toMatch(/^\/about\/$/m)
  expect(headers).not.toMatch(/^\/(?:404|index|stats)\/$/m)
  expect(redirects).toContain('\n/skills/csv-tidy /skills/csv-clean/ 308\n')
  expect(redirects).toContain('\n/api/skills/download/899 /api/skills/download/12 308\n')
  expect(existsSync(join(folder, 'private/downloads.txt'))).toBe(false)
  expect(existsSync(join(folder, '.nojekyll'))).toBe(true)
})

test('more than 5,000 skills are refused', () => {
  expect(() => checkSize(5_000)).not.toThrow()
  expect(() => checkSize(5_001)).toThrow(/has 5001 skills, and a browser searches 5000 at most/)
})
