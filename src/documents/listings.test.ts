import { expect, test } from 'vitest'
import { CATEGORIES } from '../catalog/categories.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { planListings } from './listings.ts'
import { createSite } from './site.ts'

const skillsOf = (count: number, length: number): SkillFacts[] =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    slug: `skill-${at + 1}`,
    name: `skill_${String(at + 1).padStart(2, '0')}`,
    author: 'ann',
    description: 'x'.repeat(length),
    summary: 'x',
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
  }))

const listingsOf = (skills: SkillFacts[]): string | undefined => {
  const texts = { name: 'N', tagline: 'T', description: 'D' }
  const catalog = { site: texts, posts: [], pages: [], isCounted: false, copies: {} }
  const site = createSite(catalog, skills, 'https://r.example')
  const plan = [...planListings(site)].find(({ path }) => path === '/authors/ann')
  return plan?.write().sections.find(({ id }) => id === 'listings')?.markdown
}

test('an author whose descriptions all fit together', () => {
  expect(listingsOf(skillsOf(20, 400))).toMatch(
    /^- \[Claude Code\]\(https:[^)]+\) keeps 8,000 characters [^:]*: installed together, these take 8,000, so all fit\.\n- \[Codex\].*these take 2,000, so all fit\.$/,
  )
})

test('an author whose descriptions do not -> those that would lose theirs, in the order of the page', () => {
  const [claude = '', codex] = listingsOf(skillsOf(32, 700))?.split('\n') ?? []
  expect(claude).toContain('these take 22,400. Kept in the order above, 21 would lose their text: ')
  expect(claude).toMatch(/: \[skill_12\]\(\/skills\/skill-12\), .* and 11 more\.$/)
  expect(codex).toContain('these take 5,600, so the longer ones would be shortened.')
})
