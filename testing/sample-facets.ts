import * as fc from 'fast-check'
import { FACETS, FACET_NAMES } from '../src/catalog/facets.ts'
import { OTHER_LICENCE } from '../src/catalog/skill.ts'
import type { Facets } from '../src/catalog/facets.ts'
import { SORTS } from '../src/catalog/browse.ts'
import type { Sort } from '../src/catalog/browse.ts'
import { CATEGORIES } from '../src/catalog/categories.ts'
import type { Copies } from '../src/catalog/references.ts'
import type { ListedSkill } from '../src/catalog/skill.ts'
import type { FindRequest } from '../src/search/read/open.ts'
import type { SearchDocument } from '../src/search/rank.ts'
import { sampleDocument } from './sample-documents.ts'
import type { SampleFacts } from './sample-documents.ts'

/** Words with a shared prefix, stem or synonym, names of symbols, and scripts with their own rules. */
export const WORDS = [
  'csv clean cleaner cleaning cleaned clear clan react reaction reactive reactor CSVClean deploy-it',
  'kubernetes kubernetic kube k8s deploy deployment deployed redeploy login testing tests tdd test driven',
  'GitHub git hub docker dockerfile compose 飞书会议 会议纪要 résumé __proto__ constructor a the how 🚀 ~ ～ 𐐀bc',
  'İstanbul straße ΟΔΟΣ 日历 カレンダー 한국어 x รายงานการประชุม ประชุม តាំងប្រជុំ',
  `التقارير تقارير أداء כְּלִי כלי が か か\u309a हिंदी ${'w'.repeat(63)}𐌰`,
].flatMap((line) => line.split(' '))

const anyWord = fc.constantFrom(...WORDS)

/** Up to `most` of the words. */
export const someWords = (most: number, glue = ' '): fc.Arbitrary<string> =>
  fc
    .array(anyWord, { minLength: glue === ' ' ? 0 : 1, maxLength: most })
    .map((words) => words.join(glue))

/** A mistyped word. */
export const anyTypo = fc
  .tuple(anyWord, fc.nat(12), fc.constantFrom('', 'x', 'e', 'ab'), fc.nat(2))
  .map(([word, at, put, drop]) => word.slice(0, at) + put + word.slice(at + drop))

/** Names of skills: words, single words with blanks, and any other text. */
export const anyName = fc.oneof(
  someWords(3, '-'),
  someWords(2, ' ').filter((text) => text !== ''),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== ''),
)

/** Facts that produce every value of every facet. */
const anyFacts: fc.Arbitrary<SampleFacts> = fc.record({
  summary: fc.constantFrom('', 'One sentence.', 'Zwei\nZeilen'),
  licence: fc.constantFrom(undefined, 'MIT', 'GPL-3.0-only', OTHER_LICENCE),
  tokens: fc.constantFrom(undefined, 100, 3_000, 9_000),
  safety: fc.constantFrom('Review' as const, 'No findings' as const),
  touches: fc.constantFrom(undefined, [], ['commands' as const, 'key' as const]),
  missing: fc.constantFrom(undefined, 3),
  deprecated: fc.constantFrom(undefined, undefined, { since: '2026-01-02' }),
  team: fc.constantFrom(undefined, 'ops', 'größe'),
  asks: fc.constantFrom(undefined, ['clean a csv', 'how do I deploy?'], ['会议纪要']),
})

/** A wanted team, often none; `nobody` owns no skill. */
const anyWantedTeam = fc.constantFrom(undefined, undefined, undefined, 'ops', 'größe', 'nobody')

/** Authors of skills. `octo` and `Octo` are the same author. */
export const anyAuthor = fc.constantFrom('octo', 'Octo', 'octo-cat', 'hex')

/** Unique slugs for `count` skills. Some consist of words that also occur in names. */
const anySlugs = (count: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(
    fc
      .tuple(fc.constantFrom('csv', 'clean-csv', 'a', 'k8s', 'deploy-it'), fc.nat(count))
      .map(([words, number]) => (number === 0 ? words : `${words}-${number}`)),
    { minLength: count, maxLength: count },
  )

/** Skills of four categories, with ids in steps of `step` and unique slugs; `texts` makes their names and texts. */
export const anyCatalog = (
  texts: Record<'name' | 'description', fc.Arbitrary<string>> &
    Partial<Record<'text' | 'author', fc.Arbitrary<string>>>,
  { step = 1, ...lengths }: fc.ArrayConstraints & { step?: number },
): fc.Arbitrary<SearchDocument[]> => {
  const row = fc.record({
    installs: fc.nat(3),
    views: fc.nat(3),
    updated: fc.constantFrom(undefined, '2026-01-02', '2026-03-01'),
    category: fc.constantFrom(...CATEGORIES.slice(0, 4)),
    facts: anyFacts,
    author: texts.author ?? anyAuthor,
    text: texts.text ?? fc.constant(''),
    name: texts.name,
    description: texts.description,
  })
  return fc
    .array(row, lengths)
    .chain((rows) => fc.tuple(fc.constant(rows), anySlugs(rows.length)))
    .map(([rows, slugs]) => {
      const successors = slugs.filter((_, at) => rows[at]!.facts.deprecated === undefined)
      return rows.map(({ name, description, facts, ...more }, at) => {
        const use = at % 3 === 0 ? undefined : successors[at % successors.length]
        const deprecated = facts.deprecated && { ...facts.deprecated, use }
        const all = { ...more, facts: { ...facts, deprecated }, slug: slugs[at]! }
        return sampleDocument(at * step + 1, name, description, all)
      })
    })
}

/** Lists every text in which a site prints the slug of a skill. */
export const listIdentifiers = ({
  author,
  slug,
}: Pick<ListedSkill, 'author' | 'slug'>): string[] => [
  slug,
  `${author}/${slug}`,
  `/skills/${slug}`,
  `skills/${slug}`,
  `https://skills.example/skills/${slug}.md`,
  `https://skills.example/skills/${slug}@${slug}`,
  `npx skills add https://skills.example/skills/${slug} --all`,
  `unzip -o .claude/skills/${slug}.zip -d .claude/skills/${slug}`,
]

/** A wanted author, often none; `nobody` has no skill. */
const anyWantedAuthor = fc.constantFrom(undefined, undefined, 'octo', 'OCTO-CAT', 'nobody')

/** Some of the skills as copies of others. An original is never itself a copy. Ids can be unknown. */
export const anyCopies = (ids: readonly number[]): fc.Arbitrary<Copies> =>
  fc
    .array(fc.tuple(fc.constantFrom(...ids, 9_999), fc.constantFrom(...ids, 9_999)))
    .map((pairs) => {
      const copies = new Map<number, number>()
      for (const [copy, original] of pairs)
        if (copy !== original && !copies.has(original) && ![...copies.values()].includes(copy))
          copies.set(copy, original)
      return Object.fromEntries(copies)
    })

/** Chosen values of facets, often none. */
const anyFacets: fc.Arbitrary<Facets | undefined> = fc.option(
  fc.record(
    Object.fromEntries(
      FACET_NAMES.map((name) => {
        const some = fc.subarray(Object.keys(FACETS[name]), { maxLength: 2 })
        return [name, fc.oneof(fc.constant([]), some)]
      }),
    ),
  ),
  { nil: undefined },
)

/** Requests with queries of `q`. */
export const anyRequest = <Q extends string | undefined>(
  q: fc.Arbitrary<Q>,
): fc.Arbitrary<FindRequest & { q: Q }> =>
  fc.record({
    q,
    sort: fc.constantFrom(...(Object.keys(SORTS) as Sort[])),
    categories: fc.subarray(CATEGORIES.slice(0, 4)),
    facets: anyFacets,
    author: anyWantedAuthor,
    team: anyWantedTeam,
    limit: fc.integer({ min: 1, max: 45 }),
    offset: fc.nat(45),
  })
