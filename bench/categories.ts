/**
 * Measures how often the category chosen for a skill is the one a reader gave it:
 *   npm run bench:categories -- --corpus <folder with manifest.ndjson> --labels <ndjson>
 *   npm run bench:categories -- --labels <ndjson whose rows have name and description themselves>
 * `--wrong` lists the rows that the shipped table gets wrong, with what spoke for its answer.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { showValue } from '../src/catalog/text.ts'
import { classify } from '../build/catalog/classify/classify.ts'
import type { Category } from '../src/catalog/categories.ts'
import { JUDGES } from './category-judges.ts'
import type { LabelledSkill } from './category-judges.ts'
import { measureAgreement } from './category-measures.ts'
import { readRows, skillKey } from './judged.ts'

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    labels: { type: 'string' },
    wrong: { type: 'boolean', default: false },
  },
})

interface Row {
  owner: string
  repo: string
  path: string
  name: string
  description?: string
}

interface Label extends Row {
  category: Category
  also?: Category
}

const readLabelled = (labels: string, corpus: string | undefined): LabelledSkill[] => {
  const manifest = corpus === undefined ? [] : readRows<Row>(join(corpus, 'manifest.ndjson'))
  const described = new Map(manifest.map((row) => [skillKey(row), row]))
  return readRows<Label>(labels).map((label) => {
    const row = described.get(skillKey(label)) ?? label
    return {
      name: row.name,
      description: row.description ?? '',
      category: label.category,
      also: label.also,
      repository: `${label.owner}/${label.repo}`,
    }
  })
}

const show = (value: number): string => `${(value * 100).toFixed(1)} %`.padStart(9)

if (options.labels === undefined) {
  throw new Error('usage: bench:categories [--corpus <folder>] --labels <ndjson> [--wrong]')
}
const rows = readLabelled(options.labels, options.corpus)
console.log(
  `${rows.length} labelled skills of ${new Set(rows.map((r) => r.repository)).size} repositories\n`,
)
console.log(`${''.padEnd(36)}   strict  lenient    macro  lenient macro`)
for (const [name, judge] of Object.entries(JUDGES)) {
  const { strict, lenient, strictMacro, lenientMacro } = measureAgreement(rows, judge(rows))
  console.log(name.padEnd(36), [strict, lenient, strictMacro, lenientMacro].map(show).join(''))
}

if (options.wrong) {
  for (const row of rows) {
    const { category, evidence } = classify(row)
    if (category === row.category || category === row.also) continue
    const words = evidence.slice(0, 5).map(({ word, weight }) => `${word} ${weight}`)
    console.log(`${showValue(row.name)}: ${row.category}, not ${category} (${words.join(', ')})`)
  }
}
