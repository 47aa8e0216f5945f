import { expect, test } from 'vitest'
import { sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { renderTwin } from '../prose/markdown.ts'
import { viewDocument } from '../view.ts'
import { writeVersionDocument } from './version-page.ts'
import type { VersionPageInput } from './version-page.ts'

const SKILL = sampleSkill({ needs: { ...sampleNeeds(), version: '1.0' } })

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

const FIRST = { name: NAME, day: '2026-03-01', source: 'https://github.com/ann/skills/tree/abc123' }
const FOUND = { findings: [sampleFinding()], safety: 'Review' as const }

// `npx vitest run src/documents/skill/version -u` writes these texts anew, to be reviewed as a diff.
test.each<[string, Partial<VersionPageInput>]>([
  ['current', { site: { ...SITE, hasVersionDocs: true } }],
  ['earlier', { isCurrent: false, difference: { text: '+x', isCut: true } }],
  ['hidden', { before: undefined, difference: undefined, skill: { ...SKILL, ...FOUND } }],
  ['first', { version: FIRST, before: undefined }],
])('the page of a version: %s', async (name, more) => {
  await expect(renderTwin(write(more))).toMatchFileSnapshot(`testing/golden/version-${name}.md.txt`)
})

test('the page is not indexed', () => {
  expect(viewDocument(write(), FRAME).head.html).toContain('<meta name="robots" content="noindex"')
})
