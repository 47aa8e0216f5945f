import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { listBreadcrumbs } from '../breadcrumbs.ts'
import type { Document, DocumentPlan } from '../document.ts'
import { describeRow } from './entries.ts'
import { planAuthors, planCategories, planSkills } from './listings.ts'
import { renderTwin } from '../prose/markdown.ts'
import { renderSearchForm } from './search-form.ts'
import type { Site } from '../site.ts'
import { sampleFacts } from '../../../testing/sample-facts.ts'
import { sampleSite } from '../../../testing/sample-site.ts'

const skillsOf = (
  count: number,
  length: number,
  change: (at: number) => Partial<SkillFacts> = () => ({}),
): SkillFacts[] =>
  Array.from({ length: count }, (_, at) =>
    sampleFacts(at + 1, {
      name: `skill_${String(at + 1).padStart(2, '0')}`,
      description: 'x'.repeat(length),
      summary: 'x',
      ...change(at),
    }),
  )

/** Plans the lists of all skills, of each category and of each author. */
const planListings = (site: Site): DocumentPlan[] => [
  ...planSkills(site),
  ...planCategories(site),
  ...planAuthors(site),
]

const writePage = (site: Site, path: string): Document | undefined =>
  planListings(site)
    .find((plan) => plan.path === path)
    ?.write()

const sectionAt = (site: Site, path: string, id: RegExp): string =>
  String(writePage(site, path)?.sections.find((section) => id.test(section.id))?.markdown)

const formOf = (site: Site): string => renderSearchForm(writePage(site, '/skills')!.search!).html

const LINK = /\]\((\/[^)]*)\)/g

/** Follows links from a page through all list pages, and returns the skills that the pages link to. */
const findReachable = (site: Site, start: string): Set<string> => {
  const pages = new Map(planListings(site).map((plan) => [plan.path, plan]))
  const seen = new Set([start])
  const skills = new Set<string>()
  for (const path of seen) {
    const twin = renderTwin(pages.get(path)!.write())
    for (const [, to = ''] of twin.matchAll(LINK)) {
      if (pages.has(to)) seen.add(to)
      else if (to.startsWith('/skills/')) skills.add(to.slice('/skills/'.length))
    }
  }
  return skills
}

describe('1,000 skills of 60 authors, of whom two are called `page` and `index`', () => {
  const names = ['page', 'index', 'Template', 'authors']
  const skills = skillsOf(1_000, 20, (at) => ({
    author: at < 100 ? 'page' : (names[at % 60] ?? `author-${at % 60}`),
    ...(at % 2 === 0 ? { licence: 'MIT' } : {}),
    category: CATEGORIES[(at * 7) % CATEGORIES.length]!,
    updated: at % 3 === 0 ? undefined : `2026-0${(at % 9) + 1}-11`,
  }))
  const site = sampleSite(skills)

  test.each(['/skills', '/categories', '/authors'])(
    'links from %s lead to every skill without JavaScript',
    (start) => {
      expect(findReachable(site, start).size).toBe(1_000)
    },
  )

  test('no two pages have the same address or heading', () => {
    const plans = planListings(site)
    expect(new Set(plans.map(({ path }) => path)).size).toBe(plans.length)
    expect(plans.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/authors/page', '/authors/page/2', '/authors/page/page/2']),
    )
    const headings = plans.map((plan) => plan.write().heading)
    expect(new Set(headings).size).toBe(headings.length)
  })

  test.each([
    ['/skills/page/2', '/ /skills'],
    ['/categories', '/'],
    ['/categories/coding', '/ /categories'],
    ['/categories/coding/page/2', '/ /categories /categories/coding'],
    ['/authors/page', '/ /authors'],
    ['/authors/page/2', '/ /authors'],
    ['/authors/page/page/2', '/ /authors /authors/page'],
  ])('the breadcrumbs of %s are %s', (path, above) => {
    const page = writePage(site, path)!
    const crumbs = listBreadcrumbs(page)
    expect(crumbs.map((crumb) => crumb.path).join(' ')).toBe(above)
    expect(crumbs.at(-1)?.label).not.toMatch(/page \d/)
  })

  test('an author with several pages has licences, days and categories on the first only', () => {
    const [first, second] = ['/authors/page', '/authors/page/page/2'].map((path) =>
      writePage(site, path),
    )
    expect(String(first?.below?.markdown)).toBe('MIT · updated 2026-02-11 to 2026-09-11')
    expect(String(first?.sections[0]?.markdown)).toMatch(
      /^Categories: (\[[^\]]+\]\(\/categories\/[^)]+\) 1\d[,.] ?){9}$/,
    )
    expect(first?.pager).toEqual({ page: 1, pages: 3, next: '/authors/page/page/2' })
    expect(second?.below).toBeUndefined()
    expect(String(second?.sections[0]?.markdown)).toBe(
      'Skills 49 to 96, newest first, then by name.',
    )
  })
})

test.each([
  [
    true,
    '2026-01-02',
    'most installed first, then most viewed, then newest, then by name',
    'Most popular,Newest,Most installed,Most viewed,Name',
  ],
  [
    true,
    undefined,
    'most installed first, then most viewed, then by name',
    'Most popular,Most installed,Most viewed,Name',
  ],
  [false, '2026-01-02', 'newest first, then by name', 'Newest,Name'],
  [false, undefined, 'by name', 'Name'],
])(
  'a list states its order, and the form offers only orders that the catalog supports: isCounted = %s, updated %s',
  (isCounted, updated, words, offered) => {
    const skills = skillsOf(3, 20, () => ({ updated }))
    const site = sampleSite(skills, { isCounted })
    for (const path of ['/skills', '/categories/coding', '/authors/ann'])
      expect(sectionAt(site, path, /skills$/)).toMatch(new RegExp(`^3 skills, ${words}\\.`))
    const [html] = /<select id="sort"[^]*?<\/select>/.exec(formOf(site))!
    const labels = Array.from(html.matchAll(/<option[^>]*>([^<]+)/g), ([, label]) => label)
    expect(labels.join()).toBe(offered)
    expect(html.includes('disabled')).toBe(labels.length === 1)
  },
)

test('an empty category has a page, but is not indexed and not offered in the form', () => {
  const site = sampleSite(skillsOf(3, 20))
  const chips = formOf(site).matchAll(/name="cat"\s+value="([^"]*)"/g)
  expect(Array.from(chips, ([, category]) => category)).toEqual(['Coding'])
  expect(writePage(site, '/categories/coding')?.isUnindexed).toBe(false)
  expect(writePage(site, '/categories/design')?.isUnindexed).toBe(true)
})

test('a chosen category called __proto__ without results keeps its checkbox, with a count of 0', () => {
  const { search } = writePage(sampleSite(skillsOf(1, 20)), '/skills')!
  const chosen = { categories: ['__proto__'], counts: {} }
  const choices = { ...search!.choices, categories: ['__proto__'] }
  expect(renderSearchForm({ ...search!, ...chosen, choices }).html).toContain(
    '__proto__ <span class="count">0</span>',
  )
})

test.each([
  ['Use when sending mail with the `resend` CLI.', 'Sending mail with the resend CLI.'],
  ['When the user wants to [sort](https://b.example) words.', 'Sort words.'],
  ['Sorts words.', 'Sorts words.'],
])('the row text of the summary %j', (summary, row) => {
  expect(describeRow(summary)).toBe(row)
})
