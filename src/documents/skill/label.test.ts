import { expect, test } from 'vitest'
import { collect } from '../../catalog/testing/needs.ts'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import { estimateContext, labelOf } from './label.ts'

test('what was not found is absent, and files that were not read are named', () => {
  const needs = collect('', { 'a.png': '', 'b.md': '' })
  const files = ['SKILL.md', 'a.png', 'b.md'].map((path) => ({ path, size: 9 }))
  const label = labelOf(sampleSkill({ needs, files, startedBy: 'both' }), [])
  expect(JSON.parse(JSON.stringify(label))).toEqual({
    context: { always: 21, use: 100, all: 100 },
    read: { files: 2, of: 3, not: ['a.png'] },
  })
})

test('a skill without text has no label', () => {
  expect(labelOf(sampleSkill(), [])).toBeUndefined()
})

test('a shortened list gives the number of names left out', () => {
  const lines = Array.from({ length: 250 }, (_, at) => `\`\`\`sh\ntool-${at} x\n\`\`\``)
  const label = labelOf(sampleSkill({ needs: collect(lines.join('\n')) }), [])
  expect(label).toMatchObject({ more: { commands: 210 } })
})

test('a skill that only the user starts takes no context until it is used', () => {
  const skill = { tokens: 100, allTokens: 900, description: 'Turns logs into tables.' }
  expect(estimateContext(sampleSkill(skill))).toEqual({ always: 8, use: 100, all: 900 })
  expect(estimateContext(sampleSkill({ ...skill, startedBy: 'user' })).always).toBe(0)
})

test('when_to_use counts among the tokens that are always loaded', () => {
  const skill = { description: 'Turns logs into tables.', whenToUse: 'When a log is long.' }
  expect(estimateContext(sampleSkill(skill)).always).toBe(13)
  expect(estimateContext(sampleSkill({ ...skill, startedBy: 'user' })).always).toBe(0)
})
