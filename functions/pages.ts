import { listNearest } from '../src/catalog/nearest-name.ts'
import { splitSentences, stripMarks, truncateAtWord } from '../src/catalog/text.ts'
import { POLICIES } from '../src/api/policies.ts'
import {
  PAGED_BYTES,
  readPagedText,
  writeFileDocument,
  writeUnknownFile,
  writeUnpagedFile,
} from '../src/documents/on-request/file.ts'
import { writeUnknownSkill, printOnRequest } from '../src/documents/on-request/page.ts'
import type { OnRequestDocument } from '../src/documents/on-request/page.ts'
import { writeRefusal, writeResults } from '../src/documents/on-request/results.ts'
import type { Results } from '../src/documents/on-request/results.ts'
import { LISTING_SIZE, describeRow } from '../src/documents/lists/entries.ts'
import { storedFileName } from '../src/documents/paths.ts'
import { openMatcher } from '../src/search/matches.ts'
import type { CardRow } from '../src/search/format/documents.ts'
import type { Matcher } from '../src/search/matches.ts'
import type { SearchBackend } from '../src/search/read/open.ts'
import { RETRY_LATER, answerBytes, answerRedirect, toFailure } from './answers.ts'
import type { Answer, Report } from './answers.ts'
import type { Form } from './negotiate.ts'
import type { Route } from './route.ts'
import type { ServedSite } from './site.ts'
import { ALL_SKILLS, hasSkillPage } from './site.ts'
import { readBody } from './store.ts'

// The pages that the function renders: search results, files, and suggestions for an unknown address.

const print = async (
  document: OnRequestDocument,
  status: number,
  form: Form,
  site: ServedSite,
): Promise<Answer> => {
  const { headers } = form === 'html' ? POLICIES.onRequest : POLICIES.markdown
  const text = printOnRequest(document, form, site.origin, await site.onRequest())
  return answerBytes(text, status, headers)
}

/** Maximum number of suggestions for an unknown slug. */
const SKILLS_SUGGESTED = 5

/** Number of search results that are compared with an unknown slug. */
const SKILLS_COMPARED = 100

/** Maximum number of old slugs whose edit distance to an unknown slug is computed. */
const MOVES_COMPARED = 5_000

const splitSlug = (slug: string): string[] => slug.toLowerCase().split(/[^\p{L}\p{N}]+/u)

/** Whether one slug has all words of the other, and at most twice as many words. */
const hasSameWords = (slug: string, other: string): boolean => {
  const [few = [], many = []] = [splitSlug(slug), splitSlug(other)].sort(
    (a, b) => a.length - b.length,
  )
  return few.every((word) => many.includes(word)) && 2 * few.length >= many.length
}

/**
 * Suggests skills for an unknown slug, from the results of a search for it: first those whose slugs differ in a few
 * letters, then those whose slugs have the same words. Of 1,029 slugs with one wrong letter, drawn from 1,080 skills,
 * 1,016 were found.
 */
export const findNearestSkills = async (slug: string, site: ServedSite) => {
  const { slugs } = site.moves
  const [old] = listNearest(slug, Object.keys(slugs).slice(0, MOVES_COMPARED))
  const search = await site.search()
  const request = { ...ALL_SKILLS, q: slug, limit: SKILLS_COMPARED }
  const { rows, nearest } = await search.findPage(request)
  const bySlug = new Map([...rows, ...nearest].map((skill) => [skill.slug, skill]))
  const misspelt = listNearest(slug, [...bySlug.keys()])
  const alike = [...bySlug.keys()].filter((known) => hasSameWords(known, slug))
  return {
    skills: [...new Set([...misspelt, ...alike])]
      .slice(0, SKILLS_SUGGESTED)
      .map((known) => bySlug.get(known)!),
    moves: old === undefined ? [] : [{ slug: old, to: slugs[old]! }],
  }
}

/** Answers an unknown address below `/skills` with suggestions. */
export const answerUnknownSkill = async (
  { slug, form }: { slug: string; form: Form },
  nearest: Awaited<ReturnType<typeof findNearestSkills>>,
  site: ServedSite,
): Promise<Answer> => {
  const { siteName } = await site.onRequest()
  const { removed = {} } = site.moves
  const reason = Object.hasOwn(removed, slug) ? removed[slug] : undefined
  return print(writeUnknownSkill(siteName, slug, nearest, reason), 404, form, site)
}

/** Number of categories suggested when nothing is found. */
const CATEGORIES_SUGGESTED = 3

/** Characters of a sentence that a row shows. */
const HIT_LENGTH = 90

/** Drops the beginning of a long sentence, up to some words before its first match. */
const startNear = (sentence: string, at: number): string => {
  const start = Math.max(0, at - HIT_LENGTH / 2)
  return start === 0 ? sentence : sentence.slice(sentence.indexOf(' ', start) + 1)
}

/**
 * Finds the text with the most words of a query, if the summary has none: a sentence of the description, or else an
 * ask, if also the name, the author and the category have none.
 */
const findHit = (row: CardRow, matcher: Matcher): Results['rows'][number]['hit'] => {
  const count = (text: string): number => matcher(text).length
  if (count(describeRow(row.summary)) > 0) return undefined
  const pick = (texts: readonly string[]): string | undefined =>
    texts.filter(count).sort((a, b) => count(b) - count(a))[0]
  const sentence = pick(splitSentences(stripMarks(row.description)))
  if (sentence !== undefined) {
    const text = truncateAtWord(startNear(sentence, matcher(sentence)[0]!.from), HIT_LENGTH)
    return { before: '…', text, matches: matcher(text) }
  }
  const isNamed = [row.name, row.author, row.category].some(count)
  const ask = isNamed ? undefined : pick((row.asks ?? []).map(stripMarks))
  return ask === undefined ? undefined : { before: 'asked like:', text: ask, matches: matcher(ask) }
}

/** Adds the places in the name and the summary that the page highlights, and what else has words of the query. */
const showRow = (row: CardRow, matcher: Matcher): Results['rows'][number] => ({
  ...row,
  nameMatches: matcher(row.name),
  textMatches: matcher(describeRow(row.summary)),
  hit: findHit(row, matcher),
})

const findHints = async (
  q: string,
  nearest: Results['rows'],
  search: SearchBackend,
): Promise<Results['hints']> => {
  // Only the counts are used.
  const [unfiltered, all] = await Promise.all([
    search.findPage({ ...ALL_SKILLS, limit: 1, q }),
    search.findPage({ ...ALL_SKILLS, limit: 1 }),
  ])
  const categories = Object.entries(all.categoryCounts)
    .map(([category, count]) => ({ category, count }))
    .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1))
    .slice(0, CATEGORIES_SUGGESTED)
  return { nearest, anywhere: unfiltered.total, categories }
}

/** Separates the team from a query such as `refund team:payments-team`. */
const splitTeam = (typed: string): { q: string; team?: string } => {
  const [found, team] = /(?:^|\s)team:(\S+)/i.exec(typed) ?? []
  if (found === undefined || team === undefined) return { q: typed }
  return { q: typed.replace(found, ' ').trim(), team: team.toLowerCase() }
}

/** Finds the results of a search page, with the number of results in each category. */
const findResults = async (
  { page, q: typed, ...filter }: Extract<Route, { kind: 'results' }>['query'],
  search: SearchBackend,
): Promise<
  Results & { counts: Readonly<Record<string, number>>; facetCounts: readonly number[] }
> => {
  // Limited, so that it is an exact integer. Any offset past the end results in an empty page.
  const offset = Math.min((page - 1) * LISTING_SIZE, Number.MAX_SAFE_INTEGER)
  const query = { ...filter, ...splitTeam(typed), limit: LISTING_SIZE, offset }
  const found = await search.findPage(query)
  const { rows, total, nearest, corrected, categoryCounts, facetCounts, plan } = found
  const matcher = openMatcher(plan)
  const show = (row: CardRow): Results['rows'][number] => showRow(row, matcher)
  return {
    rows: rows.map(show),
    total,
    page,
    corrected,
    counts: categoryCounts,
    facetCounts,
    hints: total === 0 ? await findHints(query.q, nearest.map(show), search) : undefined,
  }
}

/** Shown while the index or the database does not answer. */
const NO_SEARCH = {
  message: 'The search does not answer at the moment.',
  hint: 'Try again in a minute; skill pages and downloads still work.',
}

/** Answers with a page of results, or with a page that says why the query is invalid or that the search is down. */
export const answerResults = async (
  { query, problem, rawQuery, form }: Extract<Route, { kind: 'results' }>,
  site: ServedSite,
  report: Report,
): Promise<Answer> => {
  const { choices } = await site.onRequest()
  const refuse = (why: typeof NO_SEARCH, status: number): Promise<Answer> =>
    print(writeRefusal({ ...query, choices }, why, rawQuery), status, form, site)
  if (problem) return refuse(problem, problem.status)
  try {
    const { counts, facetCounts, ...results } = await findResults(query, await site.search())
    const shown = { ...query, counts, facetCounts, choices }
    return await print(writeResults(shown, results), 200, form, site)
  } catch (thrown) {
    const failure = toFailure(thrown)
    if (failure.status !== 503) throw thrown
    report(failure.cause)
    const page = await refuse(NO_SEARCH, 503)
    return { ...page, headers: { ...page.headers, ...RETRY_LATER } }
  }
}

/**
 * Answers with the page of a file, or with a page that explains why the file cannot be shown. Undefined if the skill
 * does not exist. Throws UNAVAILABLE if the findings cannot be read, since a page without them would look harmless.
 */
export const answerView = async (
  { slug, path, form, location }: Extract<Route, { kind: 'view' }>,
  site: ServedSite,
): Promise<Answer | undefined> => {
  const address = { slug, path }
  const file = await site.store.read(storedFileName(slug, path))
  const { siteName } = await site.onRequest()
  if (!file) {
    return (await hasSkillPage(slug, site))
      ? print(writeUnknownFile(siteName, address), 404, form, site)
      : undefined
  }
  const { size } = file
  const bytes = size > PAGED_BYTES ? undefined : await readBody(await file.body())
  const text = bytes && readPagedText(bytes)
  if (text === undefined) {
    return print(writeUnpagedFile(siteName, { ...address, size, bytes }), 404, form, site)
  }
  const files = await site.findPagedFiles(slug)
  if (location !== undefined) return answerRedirect(location)
  const [findings, paged] = [files.get(path) ?? [], [...files.keys()]]
  const document = writeFileDocument({ ...address, text, size, findings, paged })
  return print(document, 200, form, site)
}
