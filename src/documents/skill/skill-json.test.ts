import { expect, test } from 'vitest'
import { sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import { loadCatalog } from '../../catalog/load.ts'
import type { Skill } from '../../catalog/skill.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { estimateTokens } from '../../catalog/tokens.ts'
import { renderSkillJson } from './skill-json.ts'

const ZIP = { size: 2_048, sha256: 'ab'.repeat(32) }

const FINDING = sampleFinding()

const render = (skill: Skill): string =>
  renderSkillJson({ skill, origin: 'https://r.example', zip: ZIP, mentioned: [] })

const answer = (change: Partial<Skill> = {}): Record<string, unknown> =>
  JSON.parse(render(sampleSkill(change))) as Record<string, unknown>

test('/skills/{slug}.json says "Not scanned" if nothing was scanned', () => {
  const unread = { tokens: undefined, files: [] }
  expect(answer(unread)).toMatchObject({ safety: 'Not scanned' })
  expect(answer({ ...unread, safety: 'Review' })).toMatchObject({ safety: 'Review' })
})

test('/skills/{slug}.json has at most five findings, and the number of the others', () => {
  const findings = Array.from({ length: 8 }, (_, at) => ({ ...FINDING, line: at + 1 }))
  const accepted = { by: 'Bo', when: '2026-01-02', why: 'read' }
  const found = answer({ findings: [...findings, { ...FINDING, accepted }] })
  expect(found['findings']).toHaveLength(5)
  expect(found).toMatchObject({
    findings: [{ line: 1 }, { line: 2 }, { line: 3 }, { line: 4 }, { line: 5 }],
    moreFindings: 4,
  })
  expect(answer({ findings: [FINDING, { ...FINDING, accepted }] })).toMatchObject({
    findings: [{ severity: 'high' }, { accepted: 'read' }],
  })
  expect(answer({ findings: [FINDING] })).not.toHaveProperty('moreFindings')
})

test('/skills/{slug}.json has at most 40 names of each kind, and shortens a long description', () => {
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

test('/skills/{slug}.json takes 300 to 820 tokens for each shipped skill', () => {
  const { skills } = loadCatalog('content')
  const tokens = skills.map((skill) => ({
    slug: skill.slug,
    tokens: estimateTokens(render(skill)),
  }))
  expect(tokens.length).toBeGreaterThan(0)
  expect(tokens.filter((one) => one.tokens < 300 || one.tokens > 820)).toEqual([])
})
