import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FRAME } from '../../../testing/sample-site.ts'
import { NO_COMPARISON, sampleSkill } from '../../../testing/sample-facts.ts'
import { readElements } from '../../../testing/markdown-judges.ts'
import { runInTime } from '../../catalog/in-time.ts'
import { MARKDOWN_LIMIT } from '../../catalog/markdown.ts'
import { frontOf } from '../../catalog/testing/needs.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { Skill } from '../../catalog/skill.ts'
import type { Document } from '../document.ts'
import { renderTwin } from '../prose/markdown.ts'
import { writeSkillDocument } from './skill-page.ts'
import { viewDocument } from '../view.ts'

type Input = Parameters<typeof writeSkillDocument>[0]

/** Writes the page of a skill. `front` is added to the front matter. */
const write = (
  body: string,
  change: Partial<Skill> = {},
  { front = '', site = {}, ...more }: Partial<Omit<Input, 'site'>> & Front = {},
): Document =>
  writeSkillDocument({
    skill: sampleSkill({ front: frontOf(`---\nname: far-skill\n${front}---\n`), ...change }),
    skillMd: new TextEncoder().encode(`---\nname: far-skill\ndescription: d\n${front}---\n${body}`),
    comparison: NO_COMPARISON,
    site: { origin: 'https://r.example', isCounted: true, ...site },
    ...more,
  })

interface Front {
  front?: string
  site?: Partial<Input['site']>
}

const sectionOf = (document: Document, id: string) =>
  document.sections.find((section) => section.id === id)

const textOf = (document: Document, id: string): string =>
  String(sectionOf(document, id)?.markdown ?? '')

const viewOf = (document: Document) => viewDocument(document, FRAME)

const idsOf = (html: string): string[] =>
  readElements(html).flatMap(({ attributes }) => attributes['id'] ?? [])

test('parts from the record take precedence over the front matter', () => {
  const document = write(
    '',
    { parts: { prerequisites: ['Perl'] } },
    { front: 'compatibility: x\n' },
  )
  expect(textOf(document, 'prerequisites')).toBe('- Perl\n\nSet by the curator.')
  const own = write('', { parts: { prerequisites: ['Perl'] }, source: { kind: 'own' } })
  expect(textOf(own, 'prerequisites')).toBe('- Perl')
})

test.each([
  ['hidden characters', 'argument-hint: "a\\u202Eb\\e"', '`a[U+202E]b`'],
  ['a fence on many lines', 'argument-hint: "```\\n# A\\n```"', '```` ``` # A ``` ````'],
  ['blanks alone', 'argument-hint: "  "', ''],
])('parts from the front matter with %s', (_, front, shown) => {
  expect(textOf(write('', {}, { front: `${front}\n` }), 'you-give-it')).toBe(shown)
})

describe('parts without a statement', () => {
  test('have their anchors in the sentence, in the order of the page', () => {
    const { below, install, body } = viewOf(
      write('## Limitations', { parts: { prerequisites: ['jq'] } }),
    )
    const { html } = body
    const ids = idsOf(below.html + install.html + html)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id } of PARTS) expect(ids).toContain(id)
    expect(ids).toContain('how-it-compares')
    expect(ids).toContain('installation-directory')
    expect(html).toMatch(/of: <span id="key-capabilities">key capabilities<\/span>, <span id="how/)
    expect(html).toContain('<h2 id="prerequisites">')
  })

  test.each([
    ['the page shows only its beginning', 'a'.repeat(MARKDOWN_LIMIT + 1)],
    ['it has no text', ''],
  ])('%s -> not called complete', (_, body) => {
    expect(textOf(write(body), 'parts')).toMatch(/^This registry has no summary of: [^;]*\.$/)
  })
})

const LAYOUT = ['layouts/Page.astro', 'pages/templates/skill.astro', 'documents/site-view.ts']
const OF_LAYOUT = LAYOUT.flatMap((file) =>
  Array.from(
    readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8').matchAll(/\bid="([^"{]+)"/g),
    ([, id = '']) => id,
  ),
)
const OWN = [...PARTS.map(({ heading }) => heading), 'Install']

test('anchors of the page are never given to headings of a SKILL.md', () => {
  const text = [...OF_LAYOUT, ...OWN, 'Other'].map((name) => `# ${name}\n`).join('\n')
  const document = write(text)
  const { install, body } = viewOf(document)
  const ids = [...OF_LAYOUT, ...idsOf(install.html), ...idsOf(body.html)]
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(['places', 'text-places', 'text-other']))
})

/** Has a longer limit than usual, which a busy machine would reach. */
const runPatiently: typeof runInTime = (_, run) => runInTime(60_000, run)

const aboutOf = (document: Document): string => sectionOf(document, 'about')?.html?.html ?? ''

const UPSTREAM = 'https://github.com/ann/skills/blob/abc123/skills'

describe('About', () => {
  test.each([
    ['[a](../near/SKILL.md)', '/skills/near'],
    ['[a](../near/)', '/skills/near'],
    ['[a](references/a%20b.md)', '/skills/far-skill/references/a%20b.md'],
    ['[a](scripts/x.py#L3)', `${UPSTREAM}/far-skill/scripts/x.py#L3`],
    ['[a](../other/SKILL.md)', `${UPSTREAM}/other/SKILL.md`],
    ['# Install\n\n[a](#install)', '#text-install'],
    // Outside the repository, from its root, and to the page's own sections.
    ['[a](../../../../x)', undefined],
    ['[a](/etc/passwd)', undefined],
    ['[a](#activation)', undefined],
  ])('%j links to %s', (body, address) => {
    const mentioned = [{ slug: 'near', name: 'near', file: 'SKILL.md', line: 1 }]
    const [, , ...links] = readElements(aboutOf(write(body, {}, { mentioned })))
      .filter(({ name }) => name === 'a')
      .map(({ attributes }) => attributes['href'])
    expect(links).toEqual(address === undefined ? [] : [address])
  })

  test('shows the text below a huge front matter', () => {
    const document = write('Text.', {}, { front: 'x: y\n'.repeat(400_000) })
    expect(textOf(document, 'about')).toContain('```markdown\nText.\n```')
  })

  const CODE = /<div class="text"><pre tabindex="0" data-language="markdown">/
  const BEGINNING =
    /<div class="text"><p>This is only the beginning; see the file for the rest\.<\/p>/

  test.each([
    ['a text of 512 KiB', 'a'.repeat(524_288), /<p>a/, undefined],
    ['a longer one', 'a'.repeat(1_048_577), BEGINNING, 'is longer than 524,288 characters'],
    ['hidden characters', '\u200B'.repeat(300_000), BEGINNING, 'is longer than 524,288 characters'],
    [
      'a long address named 25 times',
      `[a]: https://e.example/${'&'.repeat(20_000)}\n\n${'[a]\n'.repeat(25)}`,
      CODE,
      'becomes more than 2 MB of HTML',
    ],
  ])('with %s is complete in Markdown, and less than 4 MB in HTML', (_, body, shown, fault) => {
    const document = write(body, {}, { call: runPatiently })
    expect(aboutOf(document)).toMatch(shown)
    expect(Buffer.byteLength(JSON.stringify(viewOf(document)))).toBeLessThan(4_000_000)
    expect(renderTwin(document).length).toBeGreaterThan(body.length)
    const message = expect.stringContaining(`${fault}, so it is shown as code`)
    const file = 'skills/far-skill/SKILL.md'
    expect(document.warnings).toMatchObject(fault ? [{ file, message }] : [])
  })

  test('shows a text as code if it times out, and if it timed out in an earlier build', () => {
    const late = { fault: 'takes longer than 2 s to read', isLate: true }
    const timed = write('# A', {}, { call: () => late })
    const known = write('# A', { unread: late.fault })
    for (const document of [timed, known]) {
      expect(aboutOf(document)).toMatch(CODE)
      expect(document.warnings).toHaveLength(1)
    }
    expect([timed.unread, known.unread]).toEqual([late.fault, undefined])
  })
})
