import { describe, expect, test } from 'vitest'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import type { Needs } from '../../catalog/needs/found.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { renderTwin } from '../prose/markdown.ts'
import { viewDocument } from '../view.ts'
import { writeVersionDocument } from './version-page.ts'
import type { VersionPageInput } from './version-page.ts'

const needsOf = (version: string): Needs => ({ ...sampleNeeds({}), version })

const SKILL = sampleSkill({ needs: needsOf('1.0') })

const CHANGES = { added: ['run', 'x`y'], changed: ['SKILL.md'], removed: [] }
const [NAME, OTHER] = ['a', 'b'].map((digit) => digit.repeat(32)) as [string, string]
const VERSION = { name: NAME, day: '2026-03-01', changes: CHANGES }
const FRAME = { origin: 'https://r.example', siteName: 'R', navigation: [] }
const SITE = { origin: 'https://r.example', isCounted: false }

const write = (more: Partial<VersionPageInput> = {}) =>
  writeVersionDocument({
    skill: SKILL,
    version: VERSION,
    isCurrent: true,
    before: OTHER,
    difference: { text: '+x', isCut: false },
    site: SITE,
    ...more,
  })

const twin = (more: Partial<VersionPageInput> = {}): string => renderTwin(write(more))

test('the files that changed come before the difference', () => {
  expect(twin()).toContain(`## What changed

Compared with the previous version, [bbbbbbbbbbbb](/skills/far-skill@${OTHER}).

- added: \`run\`, \`\`x\`y\`\`
- changed: \`SKILL.md\`

## Difference`)
})

test('the page says if there is no version before it, or if that is not shown', () => {
  const first = { name: NAME, day: '2026-03-01' }
  expect(twin({ version: first, before: undefined })).toContain('The first version of this skill')
  expect(twin({ before: undefined, difference: undefined })).toContain(
    'Compared with the previous version. Its text is not shown.\n',
  )
})

test('the page about versions -> linked only if the catalog has one', () => {
  expect(twin({ site: { ...SITE, hasVersionDocs: true } })).toContain('](/docs/versions)')
  expect(twin()).not.toContain('/docs/versions')
})

test('the page is not indexed, and its canonical page is that of the skill', () => {
  const { head } = viewDocument(write(), FRAME)
  expect(head.html).toContain('<meta name="robots" content="noindex"')
  expect(head.html).toContain('<link rel="canonical" href="https://r.example/skills/far-skill"')
})

test('an earlier version links to the current one', () => {
  expect(twin({ isCurrent: false })).toContain(
    '**A newer version is current**: [the skill](/skills/far-skill)',
  )
  expect(twin()).not.toContain('A newer version')
})

describe('an untrusted difference', () => {
  const HOSTILE =
    '+````\n+# Heading\n+<script>alert(1)</script>\n+\u200Bhidden\u202E\n+[x](javascript:alert(1))'

  test('is code in HTML and Markdown, with hidden characters spelt out', () => {
    const difference = { text: HOSTILE, isCut: false }
    const text = twin({ difference })
    expect(text).toMatch(/`````+diff\n\+````\n[^]*\n`````+\n$/)
    expect(text).toContain('[U+200B]hidden[U+202E]')
    const view = viewDocument(write({ difference }), FRAME)
    expect(view.body.html).not.toMatch(/<script|<h1|href="javascript/)
  })

  test('that was cut says so', () => {
    expect(twin({ difference: { text: '+x', isCut: true } })).toContain(
      'This is the beginning of the difference.',
    )
  })

  test('cannot inject HTML or links by names', () => {
    const skill = { ...SKILL, needs: needsOf('`*<i>') }
    const changes = { added: ['`<b>'], changed: ['](x)'], removed: [] }
    const version = { ...VERSION, changes }
    const view = viewDocument(write({ skill, version }), FRAME)
    expect(view.body.html + view.below.html).not.toMatch(/<b>|<i>|href="x"/)
  })
})
