import { expect, test } from 'vitest'
import { compareSites, dropDigests, renderComparison } from './compare.ts'

const site = (files: Record<string, string>): Map<string, Buffer> =>
  new Map(Object.entries(files).map(([path, text]) => [dropDigests(path), Buffer.from(text)]))

const report = (before: Record<string, string>, after: Record<string, string>): string =>
  renderComparison(compareSites(site(before), site(after)))

test('equal sites do not differ', () => {
  expect(report({ 'index.html': 'a' }, { 'index.html': 'a' })).toBe('No published file differs.\n')
})

test('a style with another digest in its name does not differ; a style with another text does', () => {
  const before = { 'index.html': '/_astro/Page.B2x0w1aa.css', '_astro/Page.B2x0w1aa.css': 'a{}' }
  const moved = { 'index.html': '/_astro/Page.C3x0w1bb.css', '_astro/Page.C3x0w1bb.css': 'a{}' }
  const changed = { ...moved, '_astro/Page.C3x0w1bb.css': 'b{}' }
  expect(report(before, moved)).toBe('No published file differs.\n')
  expect(report(before, changed)).toBe(
    'styles and scripts: 1\n  changed _astro/Page.css\n    - a{}\n    + b{}\n',
  )
})

test('a changed page is reported with its first differing line, an added or removed page with its path', () => {
  const before = {
    'skills/csv.html': 'same\n20 Aug 2026\n',
    'skills/csv.md': 'x',
    'about.html': '',
  }
  const after = { 'skills/csv.html': 'same\n2026-08-20\n', 'skills/csv.md': 'x', 'blog.html': '' }
  expect(report(before, after)).toBe(
    [
      'other pages, HTML: 2',
      '  removed about.html',
      '  added blog.html',
      'skills, HTML: 1',
      '  changed skills/csv.html',
      '    - 20 Aug 2026',
      '    + 2026-08-20',
      '',
    ].join('\n'),
  )
})

const listSeven = (end: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 7 }, (_, n) => [`skills/s${n}.json`, `${'-'.repeat(1_000)}${end}`]),
  )

test('a long line is cut around the difference, and only the first five files are listed', () => {
  const lines = report(listSeven('old'), listSeven('new')).split('\n')
  expect(lines[2]).toBe(`    - ${'-'.repeat(80)}old`)
  expect(lines.at(-2)).toBe('  … 2 more')
})
