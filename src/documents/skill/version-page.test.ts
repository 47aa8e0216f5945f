import { describe, expect, test } from 'vitest'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import type { Needs } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { renderTwin } from '../prose/markdown.ts'
import { renderHtml } from '../prose/render.ts'
import { viewDocument } from '../view.ts'
import { compareWithBefore, writeVersionDocument, writeVersionRow } from './version-page.ts'
import type { VersionPageInput } from './version-page.ts'

const NEEDS = { commands: ['curl'], hosts: ['a.dev'] }

const needsOf = (names: Parameters<typeof sampleNeeds>[0], version = '1.0'): Needs => ({
  ...sampleNeeds(names),
  version,
})

const BEFORE = sampleSkill({ needs: needsOf(NEEDS), licence: 'MIT' })
const AFTER = sampleSkill({
  needs: needsOf({ commands: ['curl', 'wget'], hosts: ['b.dev'] }),
  licence: 'Apache-2.0',
  files: [
    { path: 'SKILL.md', size: 10 },
    { path: 'run', size: 1, isExecutable: true },
  ],
})

const FILES = { added: ['run'], changed: ['SKILL.md'], removed: [] }
const LINES = { files: FILES, added: 3, removed: 1 }
const CHANGE = compareWithBefore(BEFORE, AFTER, LINES)

const VERSION = { name: 'aaaaaaaaaaaa', day: '2026-03-01', standing: 'served' }

const write = (more: Partial<VersionPageInput> = {}) =>
  writeVersionDocument({
    skill: AFTER,
    version: VERSION,
    isCurrent: true,
    before: { name: 'bbbbbbbbbbbb', isServed: true },
    change: CHANGE,
    difference: { text: '+x', lines: 1 },
    site: { origin: 'https://r.example', isCounted: false },
    ...more,
  })

const twin = (more: Partial<VersionPageInput> = {}): string => renderTwin(write(more))

test('added and removed names come before the difference', () => {
  const text = twin()
  const rows = [
    'Compared with the previous version, [bbbbbbbbbbbb](/skills/far-skill@bbbbbbbbbbbb): 2 files changed, 3 lines added, 1 removed.',
    '- **New**: Commands: `wget`',
    '- **New**: Hosts: `b.dev`',
    '- **New**: Executable files: `run`',
    '- **New**: Licence: `Apache-2.0`',
    '- **Gone**: Hosts: `a.dev`',
    '- **Gone**: Licence: `MIT`',
    '- Its author gives both the same number, `1.0`.',
    '- Files: added `run`; changed `SKILL.md`',
    '## Difference',
  ]
  const places = rows.map((row) => text.indexOf(row))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('the page about versions -> linked only if the catalog has one', () => {
  const site = { origin: 'https://r.example', isCounted: false }
  expect(twin({ site: { ...site, hasVersionDocs: true } })).toContain('](/docs/versions)')
  expect(twin({ site })).not.toContain('/docs/versions')
})

test('the page says if needs are equal, or if there is no version before it', () => {
  const after = { ...BEFORE, needs: needsOf(NEEDS, '2.0'), description: 'x' }
  const same = compareWithBefore(BEFORE, after, LINES)
  expect(twin({ change: same })).toContain('- Its description, by which agents choose it, changed.')
  expect(twin({ change: same })).toContain('Its commands, hosts and other needs are the same.')
  expect(twin({ change: undefined, before: undefined })).toContain(
    'The first version of this skill',
  )
  const unknown = compareWithBefore(undefined, AFTER, LINES)
  expect(unknown).toMatchObject({ needs: undefined, isSameLabel: false })
  expect(twin({ change: unknown })).not.toMatch(/the same\.|\*\*(?:New|Gone)/)
})

test('a changed program is named even if all needs are the same', () => {
  const files = { added: [], changed: ['SKILL.md', 'run'], removed: ['a`b'] }
  const change = compareWithBefore(AFTER, AFTER, { ...LINES, files })
  expect(change.changedPrograms).toEqual(['run'])
  const text = twin({ change })
  expect(text).toContain('- **Changed**: Executable files: `run`\n')
  expect(text).toContain('- Files: changed `SKILL.md`, `run`; removed ``a`b``\n')
  // A file that was not executable before counts as new instead.
  expect(compareWithBefore(BEFORE, AFTER, { ...LINES, files }).changedPrograms).toEqual([])
})

test('the page is not indexed, and its canonical page is that of the skill', () => {
  const { head } = viewDocument(write(), {
    origin: 'https://r.example',
    siteName: 'R',
    navigation: [],
  })
  expect(head.html).toContain('<meta name="robots" content="noindex"')
  expect(head.html).toContain('<link rel="canonical" href="https://r.example/skills/far-skill"')
})

test('an earlier version links to the current one, and states its first and last day', () => {
  const text = twin({ isCurrent: false, version: { ...VERSION, until: '2026-04-01' } })
  expect(text).toContain('**A newer version is current**: [the skill](/skills/far-skill)')
  expect(text).toMatch(/- From: 2026-03-01\n- Until: 2026-04-01/)
})

describe('an untrusted difference', () => {
  const HOSTILE =
    '+````\n+# Heading\n+<script>alert(1)</script>\n+\u200Bhidden\u202E\n+[x](javascript:alert(1))'

  test('is code in HTML and Markdown, with hidden characters spelt out', () => {
    const difference = { text: HOSTILE, lines: 5 }
    const text = twin({ difference })
    expect(text).toMatch(/`````+diff\n\+````\n[^]*\n`````+\n$/)
    expect(text).toContain('[U+200B]hidden[U+202E]')
    const view = viewDocument(
      write({ difference }),
      { origin: 'https://r.example', siteName: 'R', navigation: [] },
      renderHtml,
    )
    expect(view.body.html).not.toMatch(/<script|<h1|href="javascript/)
  })

  test('that was shortened says so', () => {
    expect(twin({ difference: { text: '+x', lines: 6_000 } })).toContain(
      'The difference has 6000 lines; this page has the first 1.',
    )
  })

  test('cannot inject HTML or links by names', () => {
    const skill: Skill = {
      ...AFTER,
      needs: needsOf({ commands: ['`<b>', '](x)'] }, '`*<i>'),
    }
    const before = { ...BEFORE, needs: needsOf(NEEDS, '`*<i>') }
    const change = compareWithBefore(before, skill, LINES)
    const view = viewDocument(
      write({ skill, change }),
      { origin: 'https://r.example', siteName: 'R', navigation: [] },
      renderHtml,
    )
    expect(view.body.html + view.facts.html).not.toMatch(/<b>|<i>|href="x"/)
  })
})

const row = (version: Parameters<typeof writeVersionRow>[1]): string => {
  const { label, items } = writeVersionRow(AFTER, version)
  return [label, ...items].join(' | ')
}

describe('the row on the page of a skill', () => {
  test('summarizes the changes of the current version', () => {
    expect(row({ name: 'aaaaaaaaaaaa', day: '2026-03-01', change: CHANGE })).toBe(
      'Versions | [aaaaaaaaaaaa](/skills/far-skill@aaaaaaaaaaaa) (`1.0`), since 2026-03-01: 2 files changed, 3 lines added, 1 removed. New: Commands: `wget`; Hosts: `b.dev`; Executable files: `run`; Licence: `Apache-2.0`. Its author calls both `1.0`. | [All versions](/skills/far-skill@versions.json)',
    )
  })

  test('names the latest earlier versions', () => {
    const earlier = ['b', 'c', 'd', 'e', 'f'].map((one) => ({
      name: one.repeat(12),
      day: '2026-01-02',
      until: '2026-01-03',
    }))
    expect(row({ name: 'aaaaaaaaaaaa', earlier }).split(' | ')).toEqual([
      'Versions',
      '[aaaaaaaaaaaa](/skills/far-skill@aaaaaaaaaaaa) (`1.0`)',
      ...['b', 'c', 'd', 'e'].map((one) => {
        const name = one.repeat(12)
        return `[${name}](/skills/far-skill@${name}), from 2026-01-02 until 2026-01-03`
      }),
      '[All versions](/skills/far-skill@versions.json)',
    ])
    expect(row({ name: 'aaaaaaaaaaaa', earlier: [{ name: 'bbbbbbbbbbbb' }] })).toContain(
      '| [bbbbbbbbbbbb](/skills/far-skill@bbbbbbbbbbbb) |',
    )
  })

  test('describes a first version, a version without a name, and versions with the same needs', () => {
    expect(row({ name: 'aaaaaaaaaaaa' })).toContain(' (`1.0`) | [All')
    expect(row({ fault: '"big" is in Git LFS' })).toContain(
      '| The current version has no name and cannot be pinned, because "big" is in Git LFS. |',
    )
    const same = compareWithBefore(BEFORE, BEFORE, LINES)
    expect(row({ name: 'aaaaaaaaaaaa', change: same })).toContain(
      '2 files changed, 3 lines added, 1 removed. Needs unchanged. Its author',
    )
    const program = { ...LINES, files: { ...FILES, changed: ['run'] } }
    const change = compareWithBefore(AFTER, AFTER, program)
    expect(row({ name: 'aaaaaaaaaaaa', change })).toContain(
      ' Needs unchanged. Changed: Executable files: `run`. Its author',
    )
    const less = compareWithBefore(AFTER, { ...AFTER, needs: needsOf({}) }, LINES)
    const unknown = compareWithBefore(undefined, AFTER, LINES)
    for (const one of [less, unknown])
      expect(row({ name: 'aaaaaaaaaaaa', change: one })).not.toContain('Needs unchanged')
  })
})
