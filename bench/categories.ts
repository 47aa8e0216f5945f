import { join } from 'node:path'
import { showValue } from '../src/catalog/text.ts'
import { classify } from '../build/catalog/classify/classify.ts'
import type { Category } from '../src/catalog/categories.ts'
import { JUDGES } from './category-judges.ts'
import type { LabelledSkill } from './category-judges.ts'
import { measureAgreement } from './category-measures.ts'
import { readOptions } from './options.ts'
import { readRows, skillKey } from './judged.ts'

const options = readOptions(
  'Measures how often the category chosen for a skill is the one a reader gave it.',
  {
    labels: { type: 'string', required: true, about: 'the categories given, an ndjson file' },
    corpus: {
      type: 'string',
      about:
        'a folder with manifest.ndjson, unless the labels have name and description themselves',
    },
    wrong: {
      type: 'boolean',
      about: 'list what the table gets wrong, and what spoke for its answer',
    },
  },
)

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
