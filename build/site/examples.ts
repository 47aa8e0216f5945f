import type { SkillFacts } from '../../src/catalog/skill.ts'
import { describeRow } from '../../src/documents/lists/entries.ts'
import type { Example } from '../../src/documents/site.ts'
import type { PackedIndex } from '../../src/search/index.ts'

const EXAMPLES_SHOWN = 3

/** Maximum number of searches to try: with 100,000 skills, each takes about 10 ms. */
const MOST_TRIED = 60

/** Matches the task in a sentence: its words before the first clause that says how or with what. */
const TASK =
  /^[A-Z][a-z]+(?: [\w-]+){1,4}?(?= ?[,.;:—–(]| (?:across|and|by|for|from|in|into|on|or|that|to|using|via|when|with)\b|$)/

/** A first word that is not an imperative: `Creating`, `Creates`, `Optimization`. */
const NOT_IMPERATIVE = /^\w+(?:ing|ion|ed|[^s]s)\b/

/** Extracts a task of two to five words from a skill's summary, as a user would type it; undefined if there is none. */
export const extractTask = (summary: string): string | undefined => {
  const [task] = TASK.exec(describeRow(summary)) ?? []
  return task === undefined || NOT_IMPERATIVE.test(task)
    ? undefined
    : task.charAt(0).toLowerCase() + task.slice(1)
}

/**
 * Finds example searches, with the number of results: the operator's own examples, or else tasks of skills by different
 * authors and in different categories, if the search for the task finds that skill first.
 */
export const findExamples = (
  listed: readonly SkillFacts[],
  configured: readonly string[] | undefined,
  index: PackedIndex,
): Example[] => {
  const find = (q: string) =>
    index.findPage({ q, sort: 'popular', categories: [], limit: 1, offset: 0 })
  if (configured) return configured.map((q) => ({ q, count: find(q).total }))
  const found: (Example & { author: string; category: string })[] = []
  let tried = 0
  for (const { slug, author, category, summary } of listed) {
    if (found.length === EXAMPLES_SHOWN || tried === MOST_TRIED) break
    const q = extractTask(summary)
    if (
      q === undefined ||
      found.some((other) => other.author === author || other.category === category)
    )
      continue
    tried += 1
    const { rows, total } = find(q)
    if (rows[0]?.slug === slug) found.push({ q, count: total, author, category })
  }
  return found.map(({ q, count }) => ({ q, count }))
}
