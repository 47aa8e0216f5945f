import type { SkillFacts } from '../../src/catalog/skill.ts'
import { describeRow } from '../../src/documents/lists/entries.ts'
import type { Example } from '../../src/documents/site.ts'
import type { PackedIndex } from '../../src/search/index.ts'

const EXAMPLES_SHOWN = 3

/** Most searches that are tried, since each of 100,000 skills takes some 10 ms. */
const MOST_TRIED = 60

/** The task in a sentence: its words before the first clause that says how or with what. */
const TASK =
  /^[A-Z][a-z]+(?: [\w-]+){1,4}?(?= ?[,.;:—–(]| (?:across|and|by|for|from|in|into|on|or|that|to|using|via|when|with)\b|$)/

/** A first word that is not an imperative: `Creating`, `Creates`, `Optimization`. */
const NO_ORDER = /^\w+(?:ing|ion|ed|[^s]s)\b/

/** A task of two to five words from the summary of a skill, as a user would type it; undefined where none is told. */
export const extractTask = (summary: string): string | undefined => {
  const [task] = TASK.exec(describeRow(summary)) ?? []
  return task === undefined || NO_ORDER.test(task)
    ? undefined
    : task.charAt(0).toLowerCase() + task.slice(1)
}

/**
 * Finds searches to try, with how many skills each finds: those of the operator, else tasks of skills of different authors
 * and categories, where a search for the task finds its skill first.
 */
export const findExamples = (
  listed: readonly SkillFacts[],
  given: readonly string[] | undefined,
  index: PackedIndex,
): Example[] => {
  const find = (q: string) =>
    index.findPage({ q, sort: 'popular', categories: [], limit: 1, offset: 0 })
  if (given) return given.map((q) => ({ q, count: find(q).total }))
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
