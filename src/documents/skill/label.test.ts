import { expect, test } from 'vitest'
import { collect } from '../../catalog/testing/needs.ts'
import { labelOf } from './label.ts'

test('a label has each name with its place, and the slug of a skill that the catalog has', () => {
  const needs = collect('---\nname: a\nversion: 3\n---\n\nSet `A_KEY`.\n\n```sh\nnpm i -g b\n```')
  const near = { name: 'near', file: 'SKILL.md', line: 9, slug: 'near-skill' }
  const far = { name: 'far', file: 'SKILL.md', line: 9, certain: true } as const
  const label = labelOf({ needs, startedBy: 'user' }, [near, far])
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
  expect(labelOf({}, [])).toEqual({ read: false })
})

test('a list that is cut says how many names it lacks', () => {
  const lines = Array.from({ length: 250 }, (_, at) => `\`\`\`sh\ntool-${at} x\n\`\`\``)
  const label = labelOf({ needs: collect(lines.join('\n')) }, [])
  expect(label).toMatchObject({ more: { commands: 226 } })
})
