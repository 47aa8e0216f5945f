import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { openBits } from './vectors/factorize.ts'
import { CATEGORIES } from '../src/catalog/categories.ts'
import { packFacets } from '../src/catalog/facets.ts'
import { LISTING_DESCRIPTION } from '../src/catalog/skill.ts'
import { summarize, truncateAtWord } from '../src/catalog/text.ts'
import { pickBody, listBodyStems } from '../src/search/body.ts'
import type { SearchDocument } from '../src/search/rank.ts'
import { openShippedVectors } from '../src/search/vector-file.ts'

/** A row of a large catalog: a published skill, or a combination of two. */
interface BigRow {
  name: string
  author: string
  description: string
  sourceUrl: string
  category?: string
  /** Size of its SKILL.md, if known. */
  bytes?: number
}

/** Makes a generator of whole numbers below a bound. Equal seeds produce equal numbers. */
export const openRandom = (seed: number): ((bound: number) => number) => {
  const draw = openBits(seed)
  return (bound) => draw() % bound
}

const LETTERS = 'aeioubcdfghjklmnprstvwyz'

const makeWord = (random: (bound: number) => number): string =>
  Array.from({ length: 4 + random(6) }, () => LETTERS[random(LETTERS.length)]).join('')

const halve = (text: string): [string, string] => {
  const words = text.split(' ')
  const middle = words.length >> 1
  return [words.slice(0, middle).join(' '), words.slice(middle).join(' ')]
}

/** Makes a realistic row from halves of two rows, sometimes with a unique word. */
const makeRow = (rows: readonly BigRow[], at: number): BigRow => {
  const random = openRandom(at)
  const pick = (): BigRow => rows[random(rows.length)] as BigRow
  const [first, second] = [pick(), pick()]
  const extra = random(4) === 0 ? ` ${makeWord(random)}` : ''
  const name = `${first.name.split('-')[0]}-${second.name.split('-').at(-1)}`
  return {
    name: random(3) === 0 ? `${name}-${makeWord(random)}` : name,
    author: random(2) === 0 ? pick().author : `${pick().author}${random(100)}`,
    description: halve(first.description)[0] + extra + ' ' + halve(second.description)[1],
    sourceUrl: `${second.sourceUrl}-${at}`,
  }
}

/** Parses JSON rows. Splits only at LF, since texts contain U+2028. */
export const parseRows = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row)

/** Reads a large catalog: gzipped JSON rows. */
export const readBigRows = (file: string): BigRow[] =>
  parseRows(gunzipSync(readFileSync(file)).toString('utf8'))

/** Mixes halves of the stems of two texts, since there are more rows than texts. */
const mixBodies = (bodies: readonly string[], random: (bound: number) => number): string => {
  if (bodies.length === 0) return ''
  const halves = [0, 1].flatMap((half) =>
    listBodyStems(bodies[random(bodies.length)]!).filter((_, at) => at % 2 === half),
  )
  return [...new Set(halves)].sort().join(' ')
}

const LICENCES = [undefined, 'MIT', 'Apache-2.0', 'GPL-3.0-only', 'CC-BY-NC-4.0']

/** Converts a row. Views, installs and facts are invented; their distribution is like that of real ones. */
const toDocument = (row: BigRow, at: number, bodies: readonly string[]): SearchDocument => {
  const random = openRandom(at + 1_000_000_007)
  const { name, author, description, sourceUrl } = row
  const category =
    row.category !== undefined && CATEGORIES.includes(row.category)
      ? row.category
      : (CATEGORIES[random(3) === 0 ? 0 : random(CATEGORIES.length)] ?? 'Coding')
  const facts = {
    summary: summarize(description),
    licence: LICENCES[random(LICENCES.length)],
    tokens: random(12_000),
    safety: random(5) === 0 ? ('Review' as const) : ('No findings' as const),
  }
  return {
    description,
    body: mixBodies(bodies, openRandom(at + 500_000_003)),
    vector: openShippedVectors().ofSkill(row),
    facts,
    facets: packFacets(facts),
    listed: {
      id: at + 1,
      slug: `skill-${at + 1}`,
      name,
      author,
      description: truncateAtWord(description, LISTING_DESCRIPTION),
      category,
      views: Math.floor(50_000 / (1 + random(20_000))),
      installs: Math.floor(1_000_000 / (1 + random(400_000))),
      sourceUrl,
    },
  }
}

/** Lists the real rows, then combined ones, with stems from some texts. The result is the same in every run. */
export const listBigDocuments = (
  rows: readonly BigRow[],
  count: number,
  texts: readonly string[],
): SearchDocument[] => {
  const bodies = texts.map(pickBody)
  return Array.from({ length: count }, (_, at) =>
    toDocument(rows[at] ?? makeRow(rows, at), at, bodies),
  )
}
