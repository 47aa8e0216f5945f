import { CATEGORIES } from '../src/catalog/categories.ts'
import type { SkillFacts } from '../src/catalog/skill.ts'
import type { Comparison } from '../src/documents/comparison.ts'

/** Makes the facts of a skill of our own of which little is known, and whatever else matters to a test. */
export const sampleFacts = (id: number, more: Partial<SkillFacts> = {}): SkillFacts => ({
  id,
  slug: `skill-${id}`,
  name: `skill ${id}`,
  author: 'ann',
  description: '',
  summary: '',
  category: CATEGORIES[0],
  views: 0,
  installs: 0,
  updated: undefined,
  difficulty: 'Beginner',
  safety: 'No findings',
  size: 0,
  hasScripts: false,
  source: { kind: 'own' },
  visibility: 'own',
  ...more,
})

/** What the page of a skill compares it with, where there is nothing. */
export const NO_COMPARISON: Comparison = {
  nearest: [],
  copies: [],
  copyCount: 0,
}
