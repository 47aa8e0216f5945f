import * as fc from 'fast-check'
import sax from 'sax'
import { describe, expect, test } from 'vitest'
import type { SkillFacts } from '../../catalog/skill.ts'
import { foldLine } from '../../catalog/text.ts'
import { renderFeeds } from './feeds.ts'
import { createSite } from '../site.ts'
import type { Site } from '../site.ts'
import { sampleFacts } from '../../../testing/sample-facts.ts'

const ORIGIN = 'https://registry.example'

const skillOf = (id: number, more: Partial<SkillFacts> = {}): SkillFacts =>
  sampleFacts(id, {
    name: `Skill ${id}`,
    author: 'Octo',
    description: `Does ${id}.`,
    summary: `Does ${id}.`,
    updated: '2026-02-03',
    size: 1,
    ...more,
  })

const siteOf = (skills: readonly SkillFacts[], name = 'Registry'): Site => {
  const site = { name, tagline: 'T', description: 'About <it> & more.' }
  const catalog = { site, posts: [], pages: [], isCounted: false }
  return createSite(catalog, skills, ORIGIN)
}

interface Element {
  name: string
  text: string
}

const fail = (error: Error): never => {
  throw error
}

/** Lists the elements of XML in order. Throws if it is not well-formed. */
const readXml = (text: string): Element[] => {
  const elements: Element[] = []
  const open: Element[] = []
  const parser = sax.parser(true)
  Object.assign(parser, {
    onopentag: ({ name }: Pick<Element, 'name'>) => {
      open.push({ name, text: '' })
      elements.push(open.at(-1)!)
    },
    ontext: (words: string) => {
      const last = open.at(-1)
      if (last) last.text += words
    },
    onclosetag: () => open.pop(),
    onerror: fail,
  })
  parser.write(text).close()
  return elements
}

const printFeed = (site: Site, path = '/feed.atom'): string =>
  renderFeeds(site).find((feed) => feed.path === path)!.text

/** The elements of each entry of a feed. */
const entriesOf = (site: Site, path?: string): Element[][] => {
  const elements = readXml(printFeed(site, path))
  const starts = elements.flatMap(({ name }, at) => (name === 'entry' ? at : []))
  return starts.map((start, at) => elements.slice(start + 1, starts[at + 1]))
}

const textOf = (entry: Element[] | undefined, name: string): string | undefined =>
  entry?.find((element) => element.name === name)?.text

test.each([
  ['Too old', 'Too old. Use b instead.'],
  ['Why?', 'Why? Use b instead.'],
  ['古い。', '古い。 Use b instead.'],
  [undefined, 'Use b instead.'],
])('a skill that is deprecated with the reason %j has an entry', (reason, words) => {
  const deprecated = { since: '2026-03-01', reason, use: 'b' }
  const [entry] = entriesOf(siteOf([skillOf(1, { deprecated })]))
  expect(textOf(entry, 'title')).toBe('Deprecated: Skill 1')
  expect(textOf(entry, 'summary')).toBe(words)
})

describe('a feed', () => {
  const site = siteOf([
    skillOf(1, { name: 'a & b', category: 'Data & Analytics' }),
    skillOf(2, { updated: '2026-03-04' }),
    skillOf(3),
    skillOf(4, { updated: undefined }),
    skillOf(5, { visibility: 'gone' }),
  ])

  // `npx vitest run src/documents/feeds -u` writes these texts anew, to be reviewed as a diff.
  test.each([
    ['feed', { ...site, changed: new Map([['skill-2', 'a'.repeat(32)]]) }, '/feed.atom'],
    ['category', site, '/categories/data-and-analytics/feed.atom'],
    ['empty', siteOf([skillOf(1, { updated: undefined })]), '/feed.atom'],
  ])('is Atom: %s', async (name, one, path) => {
    const text = printFeed(one, path)
    expect(readXml(text)[0]?.name).toBe('feed')
    await expect(text).toMatchFileSnapshot(`testing/golden/${name}.atom.txt`)
  })

  test('has 50 entries, by the time at which the registry took a version in, not by the day of its change', () => {
    const skills = [
      skillOf(1, { updated: '2024-05-01', added: '2026-03-04T15:00:00Z' }),
      skillOf(2, { updated: '2026-03-04', added: '2026-03-04T09:00:00Z' }),
      skillOf(3, { updated: '2026-03-04' }),
      skillOf(4, { updated: undefined, added: '2026-03-05T09:00:00Z' }),
      ...Array.from({ length: 60 }, (_, at) => skillOf(at + 5)),
    ]
    for (const path of ['/feed.atom', '/categories/coding/feed.atom']) {
      const entries = entriesOf(siteOf(skills), path)
      const ids = entries.map((entry) => Number(textOf(entry, 'id')?.split('/').at(-1)))
      expect(ids).toEqual([4, 1, 2, 3, ...Array.from({ length: 46 }, (_, at) => 64 - at)])
      expect(entries.slice(0, 4).map((entry) => textOf(entry, 'updated'))).toEqual([
        '2026-03-05T09:00:00Z',
        '2026-03-04T15:00:00Z',
        '2026-03-04T09:00:00Z',
        '2026-03-04T00:00:00Z',
      ])
    }
  })
})

/** Random texts, and texts that would end an element, an attribute, a line or a file if they were not escaped. */
const hostile = fc.oneof(
  fc.constantFrom(
    '</title></entry></feed><script>',
    ']]><!--',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>&b;',
    '"\' onload="x"',
    '&#0;&lt;',
    'a\u0000b\u0008\u001B\u007F\u0085\u2028\uFFFE\uFFFF\uD800c',
    '\u202Etxt.exe\u200B',
  ),
  fc.string({ unit: 'binary' }),
)

test('untrusted text stays a single line of text in feeds', () =>
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, description, siteName) => {
      const site = siteOf([skillOf(1, { name, description })], `${siteName}x`)
      const [entry, ...others] = entriesOf(site)
      expect(others).toEqual([])
      const [title, summary] = ['title', 'summary'].map((element) => textOf(entry, element))
      expect(title).toBe(foldLine(name).replace(/[\uFFFE\uFFFF]/g, ''))
      expect(summary).toMatch(/^Octo: “[^“”„‟"]*”$/)
      for (const text of [title, summary])
        expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u200B\u202E\uFFFE\uFFFF]/u)
      expect(entry?.map((element) => element.name)).toEqual(
        'id title updated author name uri category link summary'.split(' '),
      )
    }),
  ))
