import { expect, test } from 'vitest'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import { skillRecord } from '../../catalog/schema.ts'
import { UPSTREAM_RECORD } from '../../catalog/testing/content.ts'
import type { Skill } from '../../catalog/skill.ts'
import { listInstallRows, writeInstall } from './install.ts'

const SITE = { origin: 'https://r.example' }
const PRIVATE = { ...SITE, isPrivate: true }
const write = (change: Partial<Skill> = {}): string =>
  String(writeInstall(sampleSkill(change), SITE).markdown)

const linesOf = (key: string, change: Partial<Skill> = {}, site = SITE) =>
  listInstallRows(sampleSkill(change), site).find((row) => row.key === key)?.lines ?? []

const WITHOUT_TEXT = { tokens: undefined, files: [] }

test.each([
  [
    { refusal: 'cannot be read (line 4: YAML: Unexpected <b> `x`)' },
    String.raw`Its front matter cannot be read (line 4: YAML: Unexpected \<b\> \`x\`)`,
  ],
  [
    { slug: 'a'.repeat(65) },
    'Its name has 65 characters, and installers refuse names longer than 64',
  ],
])('a skill that clients refuse has no npx command: %j', (change, reason) => {
  expect(write(change)).toContain(reason)
  expect(linesOf('npx', change)).toEqual([])
  expect(linesOf('Shell', change)).not.toEqual([])
})

const TREE = 'https://github.com/ann/skills/tree/abc123/skills/far-skill'

test.each([
  [TREE, 'far-skill', 'https://github.com/ann/skills --skill far-skill'],
  [TREE, "PDF d'été", TREE],
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
])('without the text, a skill is installed from its source: %s, %s', (url, name, added) => {
  const change = {
    ...WITHOUT_TEXT,
    name,
    source: { ...sampleSkill().source, url } as Skill['source'],
  }
  const lines = linesOf('npx', change)
  expect(lines[0]?.text).toBe(`npx skills add ${added} -a claude-code -y`)
  expect(lines.every(({ text }) => text.includes(added))).toBe(true)
  expect(linesOf('Shell', change)).toEqual([])
  expect(write(change)).toContain('The registry has no copy of its text')
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
  const change = { ...WITHOUT_TEXT, name: 'x', source: data!.source }
  const lines = [SITE, PRIVATE].flatMap((site) => linesOf('npx', change, site))
  expect(lines).toHaveLength(2 * 6 * 2)
  for (const { text } of lines) expect(text).toMatch(/^[\w:/.@%+=?#~ -]+$/)
})

test('a skill that cannot be installed has the anchor, and no box', () => {
  const gone = { ...sampleSkill().source, status: 'gone' } as Skill['source']
  const { html, markdown } = writeInstall(sampleSkill({ ...WITHOUT_TEXT, source: gone }), SITE)
  expect(String(markdown)).not.toMatch(/npx|curl/)
  expect(html.html).toMatch(/^<span id="installation-directory"><\/span>/)
  expect(html.html).not.toContain('class="copy"')
})
