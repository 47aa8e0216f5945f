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
  attributes: Record<string, string>
  text: string
  children: Element[]
}

const fail = (error: Error): never => {
  throw error
}

/** Parses XML. Throws if it is not well-formed. */
const parseXml = (text: string): Element => {
  const root: Element = { name: '', attributes: {}, text: '', children: [] }
  const open = [root]
  const parser = sax.parser(true)
  const openTag = ({ name, attributes }: sax.Tag | sax.QualifiedTag): void => {
    const own = attributes as Record<string, string>
    const element: Element = { name, attributes: own, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  }
  const addText = (words: string): void => {
    const last = open.at(-1)
    if (last) last.text += words
  }
  const handlers = { onopentag: openTag, ontext: addText, onclosetag: () => open.pop() }
  Object.assign(parser, handlers, { onerror: fail })
  parser.write(text).close()
  return root.children[0] ?? root
}

const allOf = ({ children }: Element, name: string): Element[] =>
  children.filter((child) => child.name === name)

const textOf = (element: Element | undefined, name: string): string | undefined =>
  element && allOf(element, name)[0]?.text

const linkOf = (element: Element | undefined, rel: string): string | undefined =>
  element &&
  allOf(element, 'link').find(({ attributes }) => attributes['rel'] === rel)?.attributes['href']

const read = (site: Site, path = '/feed.atom'): Element =>
  parseXml(renderFeeds(site).find((feed) => feed.path === path)?.text ?? '')

const entriesOf = (site: Site, path?: string): Element[] => allOf(read(site, path), 'entry')

const idsOf = (site: Site, path?: string): number[] =>
  entriesOf(site, path).map((entry) => Number(textOf(entry, 'id')?.split('/').at(-1)))

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
    const text = renderFeeds(one).find((feed) => feed.path === path)!.text
    expect(parseXml(text).name).toBe('feed')
    await expect(text).toMatchFileSnapshot(`testing/golden/${name}.atom.txt`)
  })

  test('lists the latest change first, and leaves out undated and gone skills', () => {
    expect(idsOf(site)).toEqual([2, 3, 1])
    expect(idsOf(site, '/categories/coding/feed.atom')).toEqual([2, 3])
    expect(idsOf(site, '/categories/data-and-analytics/feed.atom')).toEqual([1])
    expect(idsOf(site, '/categories/design/feed.atom')).toEqual([])
  })

  test('lists by the time at which the registry took a version in, not by the day of its change', () => {
    const skills = [
      skillOf(1, { updated: '2024-05-01', added: '2026-03-04T15:00:00Z' }),
      skillOf(2, { updated: '2026-03-04', added: '2026-03-04T09:00:00Z' }),
      skillOf(3, { updated: '2026-03-04' }),
      skillOf(4, { updated: undefined, added: '2026-03-05T09:00:00Z' }),
      ...Array.from({ length: 60 }, (_, at) => skillOf(at + 5)),
    ]
    for (const path of ['/feed.atom', '/categories/coding/feed.atom']) {
      const entries = entriesOf(siteOf(skills), path)
      expect(idsOf(siteOf(skills), path).slice(0, 5)).toEqual([4, 1, 2, 3, 64])
      expect(entries.slice(0, 4).map((entry) => textOf(entry, 'updated'))).toEqual([
        '2026-03-05T09:00:00Z',
        '2026-03-04T15:00:00Z',
        '2026-03-04T09:00:00Z',
        '2026-03-04T00:00:00Z',
      ])
    }
  })

  test('keeps the id of an entry when its slug and its text change', () => {
    const [before, after] = [skillOf(1), skillOf(1, { slug: 'other', description: 'Other.' })].map(
      (skill) => entriesOf(siteOf([skill]))[0],
    )
    expect(textOf(before, 'id')).toBe(textOf(after, 'id'))
    expect(linkOf(before, 'alternate')).not.toBe(linkOf(after, 'alternate'))
  })

  test('has at most 50 entries', () => {
    const skills = Array.from({ length: 60 }, (_, at) => skillOf(at + 1))
    expect(idsOf(siteOf(skills))).toEqual(Array.from({ length: 50 }, (_, at) => 60 - at))
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
      expect(entry?.children.map((child) => child.name)).toEqual(
        'id title updated author category link summary'.split(' '),
      )
    }),
  ))
