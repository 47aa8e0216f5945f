import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UNSERVED } from '../../testing/contract/version-clauses.ts'
import { VERSIONS, publishFixture } from '../../testing/fixture.ts'
import { addFiles, makeSampleFolder, removeFolders } from '../../testing/sample-folders.ts'
import { checkSize, writeStatic } from './static.ts'

const outDir = makeSampleFolder()
const folder = join(outDir, 'hosts/static')
const PROGRAMS = ['x.php', 'x.php.md', 'lib.php/notes.md', 'scripts/x.pl', 'cgi-bin/run.py']
const PAGES = ['x.shtml.txt', 'x.html.md', 'references/page.html', 'references/index.html']
const RUN = [...PROGRAMS, ...PAGES, 'web.config', 'logo.svg']
const KEPT = ['v1.2.notes.md', 'composer.json', 'phpunit.md', 'inc/x.sh', 'php.ini', 'a.py']

let leftOut: string[] = []

beforeAll(async () => {
  publishFixture(outDir, 'one')
  const files = ['index.html', ...RUN, ...KEPT].filter((name) => name !== 'references/page.html')
  addFiles(
    join(outDir, 'current/public/skills/csv-clean'),
    Object.fromEntries(files.map((name) => [name, '<?php pwned(); ?><script>pwned()</script>'])),
  )
  leftOut = (await writeStatic(join(outDir, 'current'), folder)).leftOut
})
afterAll(removeFolders)

test.each(RUN)('%s is left out; the page at its address links to the skill', (name) => {
  const place = join(folder, 'skills/csv-clean', name)
  expect(statSync(place).isDirectory()).toBe(true)
  const page = readFileSync(join(place, 'index.html'), 'utf8')
  expect(page).toContain('href="/skills/csv-clean"')
  expect(page).not.toContain('pwned')
})

test('a private registry -> reports that files require no login', async () => {
  const site = join(outDir, 'current')
  const place = join(site, 'private/site.json')
  const text = readFileSync(place, 'utf8')
  const write = async (isPrivate: boolean): Promise<string> => {
    writeFileSync(place, JSON.stringify({ ...JSON.parse(text), isPrivate }))
    return (await writeStatic(site, join(outDir, 'hosts/other'))).limitations
  }
  expect(await write(true)).toContain('files require no login')
  expect(await write(false)).not.toContain('login')
  writeFileSync(place, text)
})

test('all files that are left out are named, and no others are left out', () => {
  const named = leftOut.map((name) => name.replace('skills/csv-clean/', ''))
  expect(named.toSorted()).toEqual([...RUN, 'index.html'].toSorted())
  for (const name of ['SKILL.md', 'LICENSE', 'scripts/run.py', 'odd/view', ...KEPT])
    expect(statSync(join(folder, 'skills/csv-clean', name)).isFile()).toBe(true)
})

// A file index.html of the skill would have the address of its page.
test.each([
  '404.html',
  'skills/csv-clean/index.html',
  'skills/page/2/index.html',
  'authors/octo/index.html',
])('%s is a page', (name) => {
  const page = readFileSync(join(folder, name), 'utf8')
  expect(page).toContain('<title>')
  expect(page).not.toContain('pwned')
})

test.each([
  ['csv-tidy', 'csv-clean'],
  [`csv-tidy@${VERSIONS.old}`, `csv-clean@${VERSIONS.old}`],
])('%s has moved: its page redirects to %s', (from, to) => {
  const page = readFileSync(join(folder, 'skills', from, 'index.html'), 'utf8')
  expect(page).toContain(`content="0; url=/skills/${to}"`)
})

test('_headers and _redirects are written, with the pages of the site', () => {
  const [headers, redirects] = ['_headers', '_redirects'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  expect(headers).toMatch(/^\/about\/$/m)
  expect(headers).not.toMatch(/^\/(?:404|index)\/$/m)
  expect(redirects).toContain('\n/skills/csv-tidy /skills/csv-clean/ 308\n')
  expect(redirects).toContain('\n/api/skills/download/899 /api/skills/download/12 308\n')
  expect(existsSync(join(folder, 'private/downloads.txt'))).toBe(false)
  expect(existsSync(join(folder, '.nojekyll'))).toBe(true)
})

test('more than 5,000 skills are refused', () => {
  expect(() => checkSize(5_000)).not.toThrow()
  expect(() => checkSize(5_001)).toThrow(/has 5001 skills, but a browser can search at most 5000;/)
})

test.each(UNSERVED)(
  '%s has a page and a twin with the text of the 410 response, but no index or zip',
  (version, reason) => {
    const place = join(folder, 'skills', version)
    for (const ending of ['/index.html', '.md']) {
      const page = readFileSync(place + ending, 'utf8')
      expect(page).toContain('This version is not served')
      expect(page).toMatch(reason)
    }
    expect(existsSync(join(place, '.well-known'))).toBe(false)
    expect(existsSync(`${place}.zip`)).toBe(false)
  },
)
