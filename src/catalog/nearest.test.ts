import { describe, expect, test } from 'vitest'
import type { Category } from './categories.ts'
import { createNearest } from './nearest.ts'
import type { Skill } from './skill.ts'

const make = (
  id: number,
  name: string,
  description: string,
  category: Category = 'Coding',
): Skill => ({
  id,
  slug: name,
  name,
  author: 'a',
  description,
  category,
  views: 0,
  installs: 0,
  updated: '2026-01-01',
  difficulty: 'Beginner',
  difficultyDerived: true,
  safety: 'No findings',
  findings: [],
  source: { kind: 'own' },
  visibility: 'own',
  parts: {},
  folder: '',
  files: [],
})

const SKILLS = [
  make(1, 'mcp-builder', 'Builds servers of the model context protocol.'),
  make(2, 'dotnet-mcp-builder', 'Servers in dotnet.'),
  make(3, 'feedback', 'Collects servers and context of a protocol.'),
  make(4, 'poem', 'Writes verses about rain.', 'Writing'),
  make(5, 'haiku', 'Counts syllables.', 'Writing'),
]
const nearest = createNearest(SKILLS)
const namesNear = (id: number, count: number): string[] =>
  nearest(SKILLS[id - 1] as Skill, count).map(({ name }) => name)

describe('nearest skills', () => {
  test('a shared name counts for more than shared words', () => {
    expect(namesNear(1, 2)).toEqual(['dotnet-mcp-builder', 'feedback'])
  })

  test('a skill is never near itself', () => {
    expect(namesNear(1, 9)).not.toContain('mcp-builder')
  })

  test('where words say nothing, the category does', () => {
    expect(namesNear(4, 3)).toEqual(['haiku'])
  })
})
