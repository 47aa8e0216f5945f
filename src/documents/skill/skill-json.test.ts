import { describe, expect, test } from 'vitest'
import { sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import { OTHER_LICENCE } from '../../catalog/skill.ts'
import { loadCatalog } from '../../catalog/load.ts'
import type { Skill } from '../../catalog/skill.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { estimateTokens } from '../../catalog/tokens.ts'
import { renderSkillJson } from './skill-json.ts'

const ZIP = { size: 2_048, sha256: 'ab'.repeat(32) }

const FINDING = sampleFinding()

/** The label of a text without names. */
const NO_NAMES = { context: { always: 21, use: 100, all: 100 }, read: { files: 2, of: 2 } }

const render = (skill: Skill, more: Partial<Parameters<typeof renderSkillJson>[0]> = {}): string =>
  renderSkillJson({
    skill,
    origin: 'https://r.example',
    zip: ZIP,
    mentioned: [],
    ...more,
  })

const answer = (
  change: Partial<Skill> = {},
  more: Partial<Parameters<typeof renderSkillJson>[0]> = {},
): Record<string, unknown> =>
  JSON.parse(render(sampleSkill(change), more)) as Record<string, unknown>

describe('/skills/{slug}.json', () => {
  test('has the fields of the API row first, then further facts', () => {
    const needs = sampleNeeds({ commands: ['jq'], tools: ['Read'], skills: ['no-such-skill'] })
    const near = { name: 'near', file: 'SKILL.md', line: 9, slug: 'near-skill' }
    const more = { mentioned: [near] }
    const found = answer({ needs, findings: [FINDING], safety: 'Review' }, more)
    expect(Object.entries(found)).toEqual(
      Object.entries({
        id: 7,
        slug: 'far-skill',
        name: 'far-skill',
        author: 'Ann',
        description:
          'Turns logs into tables. Use when a log must be read by people. Not for traces.',
        category: 'Data & Analytics',
        views: 4,
        installs: 2,
        sourceUrl: 'https://github.com/ann/skills/tree/abc123/skills/far-skill',
        updated: '2026-01-02',
        difficulty: 'Intermediate',
        safety: 'Review',
        licence: 'MIT',
        tokens: 100,
        files: 2,
        label: {
          ...NO_NAMES,
          commands: [{ name: 'jq', file: 'SKILL.md', line: 1 }],
          tools: [{ name: 'Read', file: 'SKILL.md', line: 1 }],
          skills: [{ name: 'near', file: 'SKILL.md', line: 9, slug: 'near-skill' }],
        },
        findings: [
          {
            rule: 'pipe-to-shell',
            severity: 'high',
            file: 'SKILL.md',
            line: 3,
            says: 'downloads a script and runs it unseen',
          },
        ],
        zip: {
          url: 'https://r.example/api/skills/download/7',
          size: 2_048,
          digest: `sha256:${ZIP.sha256}`,
        },
        install: {
          shell:
            'curl -fsSL --create-dirs -o .claude/skills/far-skill.zip "https://r.example/api/skills/download/7" && unzip -o .claude/skills/far-skill.zip -d .claude/skills/far-skill && rm .claude/skills/far-skill.zip',
          npx: 'npx skills add https://r.example/skills/far-skill -a claude-code -y',
        },
        page: 'https://r.example/skills/far-skill',
        markdown: 'https://r.example/skills/far-skill.md',
        skillMd: 'https://r.example/skills/far-skill/SKILL.md',
      }),
    )
  })

  test('in a private registry has commands that read the login from ~/.netrc', () => {
    const version = { current: { name: '0123456789ab', day: '2026-01-02' }, earlier: [] }
    const { install, pin } = answer({}, { isPrivate: true, version }) as {
      install: { shell: string }
      pin: { install: { shell: string } }
    }
    for (const { shell } of [install, pin.install]) expect(shell).toMatch(/^curl -n -fsSL /)
  })

  test('says how to pin the current version, and where all versions are listed', () => {
    const current = { name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', day: '2026-03-01' }
    const page = 'https://r.example/skills/far-skill@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    expect(answer({}, { version: { current, earlier: [] } })).toMatchObject({
      pin: {
        ...current,
        page,
        install: {
          shell: expect.stringContaining(`"${page}.zip"`) as string,
          npx: `npx skills add ${page} -a claude-code -y`,
        },
      },
      versions: 'https://r.example/skills/far-skill@versions.json',
    })
    expect(answer({}, { version: { current: { reason: 'x' }, earlier: [] } })).not.toHaveProperty(
      'pin',
    )
  })

  test('leaves out unknown facts and commands that would not work', () => {
    const unknown = {
      needs: undefined,
      tokens: undefined,
      licence: undefined,
      updated: undefined,
      files: [],
    }
    const found = answer(unknown, { zip: undefined })
    for (const field of ['tokens', 'licence', 'updated', 'zip', 'label'])
      expect(found).not.toHaveProperty(field)
    expect(found).toMatchObject({ files: 0, findings: [] })
    expect(Object.keys(answer({ slug: 'a'.repeat(65) })['install'] as object)).toEqual(['shell'])
  })

  test('for a skill without text has `text: false`, and only a command that installs from the source', () => {
    const absent = { tokens: undefined, files: [] }
    expect(answer()).not.toHaveProperty('text')
    expect(answer(absent)).toMatchObject({
      files: 0,
      text: false,
      install: {
        npx: 'npx skills add https://github.com/ann/skills --skill far-skill -a claude-code -y',
      },
    })
    expect(answer(absent)['install']).not.toHaveProperty('shell')
    const source = { ...sampleSkill().source, status: 'gone' } as Skill['source']
    expect(answer({ ...absent, source })).toMatchObject({ text: false, install: {} })
    expect(Object.keys(answer({ ...absent, source })['install'] as object)).toEqual([])
  })

  test('says "Not scanned" if nothing was scanned', () => {
    const unread = { tokens: undefined, files: [] }
    expect(answer(unread)).toMatchObject({ safety: 'Not scanned' })
    expect(answer({ ...unread, safety: 'Review' })).toMatchObject({ safety: 'Review' })
  })

  test('says if a source is gone', () => {
    const days = { checked: '2026-01-03', seen: '2025-12-31' }
    const source = { kind: 'upstream', url: 'https://e.example/a', ...days } as const
    expect(answer({ source: { ...source, status: 'alive' } })).not.toHaveProperty('source')
    expect(answer({ source: { ...source, status: 'gone' } })['source']).toEqual({
      status: 'gone',
      ...days,
    })
  })

  test("states a licence without an identifier in the author's words", () => {
    const licence = { licence: OTHER_LICENCE, licenceWords: 'Ask Ann first.' }
    expect(answer(licence)).toMatchObject({ licence: 'Ask Ann first.' })
  })

  test('has at most five findings, and the number of the others', () => {
    const findings = Array.from({ length: 8 }, (_, at) => ({ ...FINDING, line: at + 1 }))
    const accepted = { by: 'Bo', when: '2026-01-02', why: 'read' }
    const found = answer({ findings: [{ ...FINDING, accepted }, ...findings] })
    expect(found['findings']).toHaveLength(5)
    expect(found).toMatchObject({
      findings: [{ line: 1 }, { line: 2 }, { line: 3 }, { line: 4 }, { line: 5 }],
      moreFindings: 4,
    })
    expect(answer({ findings: [{ ...FINDING, accepted }, FINDING] })).toMatchObject({
      findings: [{ severity: 'high' }, { accepted: 'read' }],
    })
    expect(answer({ findings: [FINDING] })).not.toHaveProperty('moreFindings')
  })

  test('says what lowers a finding', () => {
    const lowered = { ...FINDING, contexts: ['in a table', 'counts less in prose'] }
    expect(answer({ findings: [lowered] })).toMatchObject({
      findings: [{ lowered: 'in a table; counts less in prose' }],
    })
  })

  test('has at most 40 names of each kind, and shortens a long description', () => {
    const names = Array.from({ length: 46 }, (_, at) => `name-${at}`)
    const found = answer({
      needs: sampleNeeds({ hosts: names, tools: names }),
      description: 'word '.repeat(200),
    })
    const label = found['label'] as { hosts: object[]; more: object }
    expect([label.hosts.length, label.more]).toEqual([40, { hosts: 6, tools: 6 }])
    const tools = ['x'.repeat(9_999), 'a\u202Eb']
    expect(answer({ needs: sampleNeeds({ tools }) })).toMatchObject({
      label: { tools: [{ name: `${'x'.repeat(160)}…` }, { name: 'a[U+202E]b' }] },
    })
    expect(String(found['description']).length).toBeLessThanOrEqual(240)
  })

  test('takes 300 to 820 tokens for each shipped skill', () => {
    const { skills } = loadCatalog('content')
    const tokens = skills.map((skill) => ({
      slug: skill.slug,
      tokens: estimateTokens(render(skill)),
    }))
    expect(tokens.length).toBeGreaterThan(0)
    expect(tokens.filter((one) => one.tokens < 300 || one.tokens > 820)).toEqual([])
  })
})
