import { expect, test } from 'vitest'
import { collect } from '../../catalog/testing/needs.ts'
import { sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import type { Finding } from '../../catalog/skill.ts'
import { estimateContext, describeScan, labelOf } from './label.ts'

test('a label has each name with its place, and the slug of a skill that the catalog has', () => {
  const needs = collect('---\nname: a\nversion: 3\n---\n\nSet `A_KEY`.\n\n```sh\nnpm i -g b\n```')
  const near = { name: 'near', file: 'SKILL.md', line: 9, slug: 'near-skill' }
  const far = { name: 'far', file: 'SKILL.md', line: 9, certain: true } as const
  const label = labelOf(sampleSkill({ needs, startedBy: 'user' }), [near, far])
  expect(label).toMatchObject({
    read: true,
    commands: [{ name: 'npm', file: 'SKILL.md', line: 9 }],
    packages: [{ name: 'b', line: 9, from: 'npm', machineWide: true }],
    variables: [{ name: 'A_KEY', line: 6, secret: true }],
    hosts: [],
    skills: [near, { name: 'far', file: 'SKILL.md', line: 9 }],
    startedBy: 'user',
    version: '3',
    programs: 0,
  })
  expect(JSON.stringify(label)).not.toContain('certain')
})

test('of a text that was not read nothing is said', () => {
  expect(labelOf(sampleSkill(), [])).toEqual({ read: false })
})

test('a list that is cut says how many names it lacks', () => {
  const lines = Array.from({ length: 250 }, (_, at) => `\`\`\`sh\ntool-${at} x\n\`\`\``)
  const label = labelOf(sampleSkill({ needs: collect(lines.join('\n')) }), [])
  expect(label).toMatchObject({ more: { commands: 210 } })
})

const finding = (severity: Finding['severity'], isAccepted = false): Finding =>
  sampleFinding({
    severity,
    ...(isAccepted ? { accepted: { by: 'Bo', when: '2026-01-02', why: 'read' } } : {}),
  })

test.each([
  [[], 'No findings'],
  [[finding('low'), finding('low', true)], 'No findings, 2 notes'],
  [[finding('high', true), finding('low')], '1 finding, read and accepted, 1 note'],
  [[finding('high'), finding('medium'), finding('low')], 'Review: 2 findings, 1 note'],
])('what the scan found has one name: %#', (findings, words) => {
  expect(describeScan(sampleSkill({ findings }))).toBe(words)
})

test('what was not scanned has no result', () => {
  expect(describeScan(sampleSkill({ tokens: undefined }))).toBe('Not scanned')
})

test('what only its user starts takes no context before', () => {
  const skill = { tokens: 100, allTokens: 900, description: 'Turns logs into tables.' }
  expect(estimateContext(sampleSkill(skill))).toEqual({ always: 8, use: 100, all: 900 })
  expect(estimateContext(sampleSkill({ ...skill, startedBy: 'user' })).always).toBe(0)
})
