import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../../catalog/categories.ts'
import type { Category } from '../../catalog/categories.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { sampleFacts, sampleSkill } from '../../../testing/sample-facts.ts'
import { listPlugins, renderMarketplace } from './marketplace.ts'

const SHA = 'a1'.repeat(20)
const HTTPS = 'https://registry.example'

const nameOf = (siteName: string, category: Category): string =>
  JSON.parse(
    renderMarketplace({ siteName, origin: HTTPS, category, skills: [], zipDigestOf: () => '' }),
  ).name

const upstream = (url: string): SkillFacts =>
  sampleSkill({ slug: 'far', source: { ...sampleSkill().source, url } as SkillFacts['source'] })

const OWN = sampleFacts(8, { slug: 'near' })

const render = (skills: readonly SkillFacts[], origin = HTTPS) =>
  JSON.parse(
    renderMarketplace({
      siteName: 'My Registry',
      origin,
      category: 'Data & Analytics',
      skills: listPlugins(skills, origin),
      zipDigestOf: ({ slug }) => `digest of ${slug}`,
    }),
  ) as { name: string; plugins: { name: string; source: object }[] }

const sourceOf = (url: string): object | undefined => render([upstream(url)]).plugins[0]?.source

describe('the source of a plugin', () => {
  test.each([
    [
      `https://github.com/o/r/tree/${SHA}/skills/far`,
      { source: 'git-subdir', url: 'https://github.com/o/r.git', path: 'skills/far', sha: SHA },
    ],
    [
      `https://github.com/o/r/tree/${SHA}/a%20b/c%C3%A9`,
      { source: 'git-subdir', url: 'https://github.com/o/r.git', path: 'a b/cé', sha: SHA },
    ],
    [
      `https://gitlab.com/g/sub/r/-/tree/${SHA}/far/`,
      { source: 'git-subdir', url: 'https://gitlab.com/g/sub/r.git', path: 'far', sha: SHA },
    ],
    [`https://github.com/o/r/tree/${SHA}`, { source: 'github', repo: 'o/r', sha: SHA }],
    [`https://github.com/o/r.git/tree/${SHA}/`, { source: 'github', repo: 'o/r', sha: SHA }],
  ])('%s', (url, source) => {
    expect(sourceOf(url)).toEqual(source)
  })

  test.each([
    'https://github.com/o/r/tree/main/skills/far',
    `https://github.com/o/r/tree/${SHA.slice(1)}/far`,
    `https://github.com/o/r/tree/${SHA}/a%2Fb`,
    `https://github.com/o/r/tree/${SHA}/a%5Cb`,
    `https://github.com/o/r/tree/${SHA}/%ff`,
    `http://git.example/o/r/tree/${SHA}/far`,
    `https://gitlab.com/g/r/-/tree/${SHA}`,
    'https://example.com/skills/far',
  ])('%s -> left out', (url) => {
    expect(sourceOf(url)).toBeUndefined()
  })

  test("the registry's own skill is an archive with its digest; without https it is left out", () => {
    expect(render([OWN]).plugins[0]?.source).toEqual({
      source: 'archive',
      url: 'https://registry.example/api/skills/download/8',
      sha256: 'digest of near',
    })
    expect(render([OWN], 'http://localhost:4321').plugins).toEqual([])
  })
})

test('a marketplace has at most 100 plugins, in the order of the category', () => {
  const skills = Array.from({ length: 130 }, (_, at) => ({
    ...upstream(`https://github.com/o/r/tree/${at % 10 === 0 ? 'main' : SHA}/s${at}`),
    slug: `s${at}`,
  }))
  const names = render(skills).plugins.map(({ name }) => name)
  expect(names).toHaveLength(100)
  expect(names.slice(0, 3)).toEqual(['s1', 's2', 's3'])
})

test.each([
  ['claude-api', 'skill-claude-api'],
  ['claude', 'skill-claude'],
  ['anthropics-tools', 'skill-anthropics-tools'],
  ['cc-plugin-x', 'skill-cc-plugin-x'],
  ['claudette', 'claudette'],
  ['for-claude', 'for-claude'],
])(
  'the plugin for %s is called %s, because a reserved name invalidates the whole marketplace',
  (slug, name) => {
    const far = upstream(`https://github.com/o/r/tree/${SHA}/far`)
    const { plugins } = render([
      { ...far, slug: 'official-claude-kit' },
      { ...far, slug },
    ])
    expect(plugins.map((plugin) => plugin.name)).toEqual([name])
  },
)

test.each([
  ['My Registry', 'my-registry-coding'],
  ['Café  Skills!', 'cafe-skills-coding'],
  ['技能', 'registry-coding'],
  ['Claude for', 'registry-coding'],
  ['Official Claude skills', 'registry-coding'],
  ['anthropic-official', 'registry-coding'],
  ['claude-skills', 'claude-skills-coding'],
])('the name of a marketplace: %s', (site, name) => {
  expect(nameOf(site, 'Coding')).toBe(name)
})

test('the name of a marketplace is in kebab-case for every category', () => {
  for (const category of CATEGORIES) expect(nameOf('R 2', category)).toMatch(/^r-2(?:-[a-z]+)+$/)
})
