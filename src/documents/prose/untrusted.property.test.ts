import fc from 'fast-check'
import { Marked } from 'marked'
import type { Tokens } from 'marked'
import { expect, test } from 'vitest'
import { FRAME } from '../../../testing/sample-site.ts'
import { KINDS } from '../../catalog/needs/found.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { hostileText } from '../../../testing/hostile-text.ts'
import { MARKDOWN_JUDGES, readElements } from '../../../testing/markdown-judges.ts'
import { NO_COMPARISON, sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import { PARTS } from '../../catalog/parts.ts'
import { quoteLine } from '../../catalog/safety/quote.ts'
import type { Finding, Skill } from '../../catalog/skill.ts'
import { foldLine } from '../../catalog/text.ts'
import type { Document } from '../document.ts'
import { toCompared, toNamed } from '../skill/comparison.ts'
import { renderTwin } from './markdown.ts'
import { writeSkillDocument } from '../skill/skill-page.ts'
import { viewDocument } from '../view.ts'

/**
 * Number of random pages for each property. `PROPERTY_RUNS=100000 npx vitest run src/documents/prose/untrusted` is the
 * long run, which takes an hour.
 */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 80)
const LONG = { timeout: 7_200_000 }

const text = hostileText(
  20,
  PARTS.map(({ heading }) => `\n\n## ${heading}\n\n`),
).map((words) => words || 'a')

/** A text that is valid as a single line of a record and as a file name. */
const line = text.map((words) => foldLine(words).replace(/\p{Cc}/gu, '') || 'a')

const lines = fc.array(line, { maxLength: 3 })

const parts: fc.Arbitrary<Skill['parts']> = fc.record(
  {
    activation: text,
    capabilities: lines,
    howItWorks: lines,
    inputs: lines,
    limitations: lines,
    examples: lines,
  },
  { requiredKeys: [] },
)

const FIELDS = ['name', 'compatibility', 'argument-hint', 'when_to_use', 'allowed-tools'] as const

const front = fc.record(Object.fromEntries(FIELDS.map((field) => [field, text])), {
  requiredKeys: [],
})

const findings = fc.tuple(text, line).map(([words, file]): Finding[] => {
  const found = sampleFinding({ file, quote: quoteLine(words, 0), count: 2 })
  const accepted = { by: file, when: '2026-01-02', why: file }
  return [found, { ...found, severity: 'low', accepted }]
})

const needs = lines.map((names): Skill['needs'] =>
  sampleNeeds(Object.fromEntries(KINDS.map((kind) => [kind, names]))),
)

type Input = Parameters<typeof writeSkillDocument>[0]
type Judge = (typeof MARKDOWN_JUDGES)[number]

/** Pages in which everything that an author can write is random. */
const inputs: fc.Arbitrary<Input> = fc
  .record({
    body: text,
    front,
    parts,
    summary: line,
    line,
    findings,
    needs,
    name: line,
    other: line,
  })
  .map(({ body, front: fields, parts: stated, summary, line: words, name, other, ...more }) => {
    const skill = sampleSkill({
      name,
      author: words,
      description: words,
      summary,
      licence: words,
      parts: { ...stated, summary },
      safety: 'Review',
      files: ['SKILL.md', other, words].map((path) => ({ path, size: 1 })),
      front: fields,
      ...more,
    })
    const near = { ...skill, slug: 'other', name: other, summary: words }
    return {
      skill,
      skillMd: new TextEncoder().encode(`---\n---\n${body}`),
      comparison: { neighbours: [toCompared(near)], copies: [toNamed(near)], copyCount: 1 },
      site: { origin: 'https://r.example', isCounted: true, contact: 'https://r.example/new' },
      mentioned: [
        { slug: 'other', name: other, file: other, line: 1 },
        { name: other, file: other, line: 1 },
      ],
    }
  })

/** Addresses of the site, and others only if Markdown parsers link them in any case. */
const EXPECTED_ADDRESS =
  /^(?:https?:|mailto:|#|\/(?:skills|files|authors|categories|docs|api)(?:\/|$)|\/(?:about|safety)$)/i

const MARKDOWN_NAMES =
  'p a em strong del code pre br ul ol li blockquote hr table thead tbody tr th td h3 h4 h5 h6 span sup bdi'
const PAGE_NAMES =
  'div section header h2 h1 button fieldset legend label input dl dt dd details summary form nav b small time age-of'
const NAMES = new Set(`${MARKDOWN_NAMES} ${PAGE_NAMES}`.split(' '))
const INLINE = new Set('a em strong del code br span bdi'.split(' '))

const ATTRIBUTE =
  /^(?:id|class|href|title|rel|lang|dir|hidden|type|name|value|checked|form|for|role|start|scope|tabindex|aria-label|aria-labelledby|datetime|data-(?:part|language|for|place|shell|day|key|hue))$/

const PART_IDS = PARTS.map(({ id }) => id)

const marked = new Marked({ gfm: true })

/** Counts the cells in each table row of a text. */
const countCells = (markdown: string): number[] =>
  marked
    .lexer(markdown)
    .filter((token): token is Tokens.Table => token.type === 'table')
    .flatMap(({ header, rows }) => [header, ...rows].map((cells) => cells.length))

/** Judges the Markdown of a page, as one parser reads it. */
const judgeMarkdown = (document: Document, found: ReturnType<Judge['read']>): void => {
  expect(found.headings.filter((depth) => depth === 1 || depth === 2)).toEqual([
    1,
    ...document.sections.flatMap(({ heading }) => (heading === undefined ? [] : 2)),
  ])
  expect(found.headings).not.toContain(0)
  expect(found.others).toEqual([])
  const about = document.sections.find(({ id }) => id === 'about')
  const [first = '', ...quoted] = String(about?.markdown).split('\n').slice(2, -1)
  if (first !== '') expect(found.codes).toContain(quoted.join('\n'))
  expect(found.links.filter(({ url }) => !EXPECTED_ADDRESS.test(url))).toEqual([])
  expect(found.links.filter(({ url }) => url === '/skills/other')).toHaveLength(2)
}

/** Judges the HTML of a page, as a browser reads it. */
const judgeHtml = (document: Document, name: string): void => {
  const view = viewDocument(document, FRAME)
  const { heading, lead, header, label, install, contents, body, head } = view
  expect(readElements(heading.html)).toEqual([])
  const inLead = readElements(lead.html).filter((element) => !INLINE.has(element.name))
  expect(inLead).toEqual([])
  const elements = readElements(
    [header, label, install, contents, body].map(({ html }) => html).join('\n'),
  )
  const strange = elements.filter(
    ({ name: element, attributes }) =>
      !NAMES.has(element) ||
      Object.keys(attributes).some((attribute) => !ATTRIBUTE.test(attribute)) ||
      !EXPECTED_ADDRESS.test(attributes['href'] ?? '#'),
  )
  expect(strange).toEqual([])
  const headings = elements.filter((element) => /^h[12]$/.test(element.name))
  expect(headings.map((element) => element.text)).toEqual([
    name,
    ...document.sections.flatMap((section) => section.heading ?? []),
  ])
  const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(PART_IDS))
  const anchors = elements.flatMap(({ attributes: { href } }) =>
    href?.startsWith('#') ? href : [],
  )
  const known = new Set(['page-text', ...ids].map((id) => `#${id}`))
  expect(anchors.filter((anchor) => !known.has(anchor))).toEqual([])
  // Structured data is a single script, regardless of its text.
  const scripts = readElements(head.html).filter((element) => element.name === 'script')
  expect(scripts).toHaveLength(1)
  expect(JSON.parse(scripts[0]!.text)).toMatchObject({ '@graph': [{ name }, {}] })
}

test('a page with untrusted text has only expected elements, as every judge reads it', LONG, () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const document = writeSkillDocument(input)
      const twin = renderTwin(document)
      for (const { read } of MARKDOWN_JUDGES) judgeMarkdown(document, read(twin))
      const compared = document.sections.find(({ id }) => id === 'how-it-compares')
      expect(new Set(countCells(String(compared?.markdown))).size).toBe(1)
      judgeHtml(document, input.skill.name)
      // Its HTML was not refused.
      expect(document.warnings ?? []).toEqual([])
    }),
    { numRuns: RUNS },
  )
})

test('the address of a source stays a single link, as every judge reads it', LONG, () => {
  const address = fc
    .tuple(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: fc.constantFrom(...'()[]<>*_`~&"\'|!#;=a/b.:%20@,$^{}é'), maxLength: 20 }),
      fc.constantFrom('', '&amp;', '&lt', '**b**', '](javascript:x)', '<script>', '"t"', 'a_b_'),
    )
    .map(([url, end, more]) => `${url}${end}${more}`)
    .filter((url) => URL.canParse(url) && !/[\s\\]/.test(url))
  fc.assert(
    fc.property(address, (url) => {
      const source = { ...sampleSkill().source, url } as Skill['source']
      const { below } = writeSkillDocument({
        skill: sampleSkill({ source }),
        skillMd: new Uint8Array(),
        comparison: NO_COMPARISON,
        site: { origin: 'https://r.example', isCounted: true },
      })
      for (const { read } of MARKDOWN_JUDGES) {
        const links = read(String(below?.markdown)).links.map((link) => link.url)
        const outside = links.filter((href) => !href.startsWith('/'))
        expect(outside).toEqual(/[<>"`]/.test(url) ? [] : [url])
      }
    }),
    { numRuns: RUNS },
  )
})
