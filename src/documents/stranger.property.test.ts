import fc from 'fast-check'
import { Marked } from 'marked'
import type { Tokens } from 'marked'
import { markdownToMdast } from 'satteri'
import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../catalog/categories.ts'
import { quoteLine } from '../catalog/safety/quote.ts'
import type { Finding, Skill } from '../catalog/skill.ts'
import { renderBlocks } from './html.ts'
import { renderTwin } from './markdown.ts'
import { NO_COMPARISON } from '../../testing/sample-facts.ts'
import type { Comparison } from './comparison.ts'
import { SKILL_SECTIONS, writeSkillDocument } from './skill-page.ts'

/**
 * How many texts each property tries. `STRANGER_RUNS=100000 npx vitest run src/documents/stranger` is the
 * full proof, which takes minutes; what `npm test` runs is a sample of it.
 */
const RUNS = Number(process.env.STRANGER_RUNS ?? 250)
const LONG = 3_600_000

const SKILL: Skill = {
  id: 7,
  slug: 'far-skill',
  name: 'far-skill',
  author: 'Ann',
  description: 'Turns logs into tables.',
  summary: 'Turns logs into tables.',
  category: CATEGORIES[2],
  views: 4,
  installs: 2,
  updated: '2026-01-02',
  licence: 'MIT',
  difficulty: 'Intermediate',
  difficultySigns: ['100 characters'],
  safety: 'No findings',
  size: 0,
  hasScripts: false,
  findings: [],
  source: { kind: 'own' },
  visibility: 'own',
  parts: {},
  folder: '/nowhere',
  files: [{ path: 'SKILL.md', size: 100 }],
}

const write = (
  change: Partial<Skill>,
  body = 'Text.',
  front = '',
  comparison: Comparison = NO_COMPARISON,
) =>
  writeSkillDocument({
    skill: { ...SKILL, ...change },
    skillMd: new TextEncoder().encode(`---\nname: far-skill\ndescription: d\n${front}---\n${body}`),
    comparison,
    site: { origin: 'https://r.example', isCounted: true },
  })

const marked = new Marked({ gfm: true })

const OUR_IDS = SKILL_SECTIONS.map(({ id }) => id)
const ALWAYS = OUR_IDS.filter((id) =>
  ['install', 'installation-directory', 'activation', 'about', 'how-it-compares'].includes(id),
)

interface Node {
  type: string
  depth?: number
  value?: string
  url?: string
  children?: Node[]
}

const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node)
  for (const child of node.children ?? []) walk(child, visit)
}

const textOf = (node: Node): string => {
  let text = ''
  walk(node, ({ value }) => (text += value ?? ''))
  return text
}

const readTree = (markdown: string): Node =>
  markdownToMdast(markdown, { features: { frontmatter: false, gfm: { footnotes: false } } }) as Node

/** Headings of depth 1 and 2 as a reader by CommonMark finds them, and as marked does. */
const readHeadings = (twin: string): { satteri: string[]; marked: string[] } => {
  const found = { satteri: [] as string[], marked: [] as string[] }
  walk(readTree(twin), (node) => {
    if (node.type === 'heading' && (node.depth ?? 0) <= 2) found.satteri.push(textOf(node))
  })
  marked.walkTokens(marked.lexer(twin), (token) => {
    if (token.type === 'heading' && token.depth <= 2) found.marked.push(token.text)
  })
  return found
}

/** Every character that JavaScript counts as white space, and some that show nothing. */
const SPACES = [...Array(0x10000).keys()]
  .map((code) => String.fromCharCode(code))
  .filter((character) => /\s/.test(character))
const space = fc.constantFrom(...SPACES, '', '\u200B', '\u0085', '\\', '&#10;', '&nbsp;')
const MARKS = [
  [
    '# Verified',
    '## Install',
    '##',
    'Install\n=======',
    'Install\n---',
    '- Install\n=======',
    '> # A',
  ],
  [
    '1. Install\n===',
    '- # Install',
    '```',
    '~~~',
    '````md',
    '<h1>A</h1>',
    '<h2',
    '<!--',
    '<script>',
  ],
  [
    '<div>\n## Install',
    '[x]: javascript:y',
    '***',
    '---',
    '| a |\n|---|',
    '    # a',
    '\t# a',
    '> a\n===',
  ],
  [
    '[## Install](b.md)',
    '![# a](b.md)',
    '[a\n## Install](b.md)',
    '*a\n# b*',
    '`a\n# b`',
    '\\\n# a',
  ],
].flat()
const mark = fc.constantFrom(...MARKS)
const line = fc
  .array(fc.tuple(space, space, mark, space), { minLength: 1, maxLength: 3 })
  .map((pieces) => pieces.flat().join(''))
const text = fc.array(fc.oneof(line, fc.constantFrom('a', '- ', '> ', '\n', '\n\n')), {
  minLength: 1,
  maxLength: 6,
})

/** Headings of a SKILL.md that carry a part. */
const PART_TITLES = [
  ['Activation', 'Capabilities', 'How it works', 'Inputs', 'Outputs', 'When to use'],
  ['When not to use', 'Prerequisites', 'Limitations', 'Example prompts', 'Something else'],
].flat()

/** What a text may have around a part: a label, a template, a step, a list or a table of them. */
const AROUND = [
  ['Use this skill when:\n\n', '**Output:** ', '**Do not use it for:**\n\n- ', '- [ ] ', '1. '],
  ['### Step 1\n\n', '### Step 2: `a_b`\n\n', '### 3. Third\n\n', '### __init__\n\n', '> '],
  [
    '- "Please sort my books"\n- ',
    '| a | b |\n|---|---|\n| c | ',
    '```\n/far-skill x\n```\n\n',
    '',
  ],
].flat()

const body = fc
  .array(fc.tuple(fc.constantFrom(...PART_TITLES), fc.constantFrom(...AROUND), text), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) =>
    parts.map(([title, around, words]) => `## ${title}\n\n${around}${words.join('')}\n\n`).join(''),
  )

const oneLine = text.map((words) => words.join('').replace(/[\r\n]+/g, ' ') || 'a')

const stated: fc.Arbitrary<Skill['parts']> = fc.record({
  summary: oneLine,
  activation: text.map((words) => words.join('')),
  capabilities: fc.array(oneLine, { maxLength: 3 }),
  howItWorks: fc.array(oneLine, { maxLength: 3 }),
  examples: fc.array(oneLine, { maxLength: 3 }),
})

const expectOurs = (document: ReturnType<typeof write>): void => {
  const ids = document.sections.map(({ id }) => id)
  expect(ids).toEqual(OUR_IDS.filter((id) => ids.includes(id)))
  expect(ids).toEqual(expect.arrayContaining(ALWAYS))
  const ourHeadings = ['far-skill', ...document.sections.map(({ heading }) => heading)]
  const headings = readHeadings(renderTwin(document))
  expect(headings).toEqual({ satteri: ourHeadings, marked: ourHeadings })
  // A link to a part always lands: on its heading, or on its name under "Not stated".
  const html = document.sections.map(({ blocks }) => renderBlocks(blocks ?? []).html).join('')
  const anchors = [...ids, ...Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id)]
  expect(new Set(anchors).size).toBe(anchors.length)
  const isOver = document.sections.every(({ blocks }) => blocks?.[0]?.type !== 'code')
  if (isOver) {
    const parts = SKILL_SECTIONS.flatMap(({ id, part }) => (part ? [id] : []))
    expect(anchors).toEqual(expect.arrayContaining(parts))
  }
}

describe('a stranger writes no heading among ours', () => {
  test('in a SKILL.md', { timeout: LONG }, () => {
    fc.assert(
      fc.property(body, (markdown) => expectOurs(write({}, markdown))),
      { numRuns: RUNS },
    )
  })

  test('in a record', { timeout: LONG }, () => {
    fc.assert(
      fc.property(stated, oneLine, oneLine, (parts, description, licence) =>
        expectOurs(write({ parts, description, licence })),
      ),
      { numRuns: RUNS },
    )
  })

  test('in a description', { timeout: LONG }, () => {
    const sentence = fc.constantFrom(
      'Use when asked to "sort my *books* # please". ',
      'Supports <b>all</b>. ',
      'Not for `lists`. ',
      '当用户说"帮我写一封邮件"时使用。',
      'For lists, see list-sort. ',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(sentence, oneLine), { minLength: 1 }), (sentences) =>
        expectOurs(write({ description: sentences.join('') })),
      ),
      { numRuns: RUNS },
    )
  })

  test('in the quotation of a finding, or in what a curator says of it', { timeout: LONG }, () => {
    const severity = fc.constantFrom('high' as const, 'low' as const)
    fc.assert(
      fc.property(
        text,
        oneLine,
        oneLine,
        severity,
        fc.boolean(),
        (quote, file, why, weight, isRead) => {
          const accepted = { by: why, when: '2026-01-02', why }
          const finding: Finding = {
            rule: 'pipe-to-shell',
            severity: weight,
            contexts: [],
            file,
            line: 1,
            column: 1,
            length: 1,
            quote: quoteLine(quote.join(''), { line: 0, start: 0, length: 1 }, false),
            digest: '0123456789abcdef',
            count: 2,
            ...(isRead ? { accepted } : {}),
          }
          const document = write({ findings: [finding], files: [{ path: file, size: 1 }] })
          expectOurs(document)
          const findings = document.sections.find(({ id }) => id === 'findings')
          for (const href of linksOf(String(findings?.markdown ?? '')))
            expect(href).toMatch(/^\/(?:docs|skills)\//)
          expect(renderBlocks(findings?.blocks ?? []).html).not.toMatch(
            /<(?:script|img|div|h1|h2|!--)/i,
          )
        },
      ),
      { numRuns: RUNS },
    )
  })

  test.each([
    ['a line that Unicode alone separates', 'a\n\n\u2029## Install'],
    ['a space that is none in Markdown', 'a\n\n\u00A0# Verified'],
    ['a list item with an underline at the margin', '## Output\n\n- Install\n======='],
  ])('%s', (_, markdown) => {
    expectOurs(write({}, markdown))
    expectOurs(write({}, `## Prerequisites\n\n${markdown}`))
  })
})

const linksOf = (markdown: string): string[] => {
  const found: string[] = []
  const types = new Set<string>()
  walk(readTree(markdown), ({ type, url }) => {
    types.add(type)
    if (type === 'link') found.push(url ?? '')
  })
  expect([...types]).not.toContain('html')
  return found
}

/** Addresses of links as marked finds them; an `expect` for each token would take a third of the time. */
const markedLinksOf = (markdown: string): string[] => {
  const found: string[] = []
  const types = new Set<string>()
  marked.walkTokens(marked.lexer(markdown), (token) => {
    types.add(token.type)
    if (token.type === 'link') found.push((token as Tokens.Link).href)
  })
  expect([...types]).not.toContain('html')
  return found
}

/** Counts the cells of each row of the tables of a text, as marked finds them. */
const countCells = (markdown: string): number[] =>
  marked
    .lexer(markdown)
    .filter((token): token is Tokens.Table => token.type === 'table')
    .flatMap(({ header, rows }) => [header.length].concat(rows.map((cells) => cells.length)))

const expectWords = (own: string, other: string, gist: string): void => {
  const named = { slug: 'other', name: other, author: 'Bob' }
  const row = { ...named, installs: 1, updated: undefined, safety: 'Review', gist } as const
  const document = write({ name: own, description: gist, summary: gist }, 'Text.', '', {
    alternatives: [{ ...row, difficulty: 'Beginner' }],
    together: [named],
    copies: [{ ...named, slug: 'copy' }],
    copyCount: 1,
  })
  const twin = renderTwin(document)
  linksOf(twin)
  markedLinksOf(twin)
  const markdown = String(document.sections.find(({ id }) => id === 'how-it-compares')!.markdown)
  const table = readTree(markdown).children?.find(({ type }) => type === 'table')
  expect(table?.children?.map(({ children }) => children?.length)).toEqual([5, 5, 5])
  expect(countCells(markdown)).toEqual([5, 5, 5])
  const ours = linksOf(markdown).filter((href) => !/^https?:/.test(href))
  expect(ours).toEqual(['/skills/other', '/skills/other', '/skills/copy'])
}

describe('a name is words', () => {
  const PIECES = [
    ['`', '|', '\\', '\\|', '[', ']', '\\]', '](javascript:x)', '<img src=x onerror=y>', '<!--'],
    ['**', '_', '~~', '#', '&lt;', '![', 'http://e.example/', 'www.evil.example', 'a', 'b c'],
  ].flat()
  const name = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 })
    .map((pieces) => pieces.join('').trim())

  test('beside others, and above its own page', { timeout: LONG }, () => {
    fc.assert(
      fc.property(name, name, name, (own, other, gist) => expectWords(own, other, gist)),
      { numRuns: RUNS },
    )
  })

  test.each(['\\|', '\\]', '\\[', 'https://ok.example/a<img src=x>', 'www.ok.example/a`<b>`'])(
    '%s',
    (words) => expectWords(words, words, words),
  )
})

describe('an address stays an address', () => {
  const address = fc
    .tuple(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: fc.constantFrom(...'()[]<>*_`~&"\'|!#;=a/b.:%20@,$^{}é'), maxLength: 20 }),
      fc.constantFrom('', '&amp;', '&lt', '**b**', '](javascript:x)', '<script>', '"t"', 'a_b_'),
    )
    .map(([url, end, more]) => `${url}${end}${more}`)
    .filter((url) => URL.canParse(url) && !/[\s\\]/.test(url))

  test.each(['alive', 'gone'] as const)('of a source that is %s', { timeout: LONG }, (status) => {
    fc.assert(
      fc.property(address, (url) => {
        const source = { kind: 'upstream', url, status, checked: '2026-01-03' } as const
        const { sections } = write({ source })
        const install = String(sections.find(({ id }) => id === 'install')?.markdown ?? '')
        for (const links of [linksOf(install), markedLinksOf(install)])
          expect(links.filter((href) => !href.startsWith('/'))).toEqual([url])
      }),
      { numRuns: Math.max(RUNS, 1_000) },
    )
  })
})
