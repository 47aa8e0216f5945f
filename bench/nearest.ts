import { readFileSync } from 'node:fs'
import { COMPARED_SKILLS } from '../src/documents/comparison.ts'
import { isComparable } from '../src/catalog/references.ts'
import { loadCatalog } from '../src/catalog/load.ts'
import { decodeWords } from '../build/site/nearest-words.ts'
import { WordIndex } from '../build/site/nearest.ts'
import type { Neighbours } from '../build/site/nearest.ts'
import { encodeSkillWords } from '../build/site/skill-files.ts'
import { readOptions } from './options.ts'

const options = readOptions(
  'Measures which skills stand beside others as alternatives, and which as going with them, against labels by hand.',
  {
    labels: {
      type: 'string',
      required: true,
      about:
        'files of labelled pairs, between commas; a line has slug, slug, label and half (tune or judge) between tabs',
    },
    content: { type: 'string', default: 'content', about: 'the content folder' },
    sample: { type: 'string', default: '0', about: 'list so many rows of all that are shown' },
    seed: { type: 'string', default: '1', about: 'which rows are listed' },
  },
)

const LABELS = ['alternative', 'copy', 'together', 'unrelated'] as const
const HALVES = ['tune', 'judge'] as const
type Place = keyof Neighbours | 'none'
const PLACES: readonly Place[] = ['alternatives', 'together', 'none']

const { skills, copies } = loadCatalog(options.content)
const bySlug = new Map(skills.map((skill, at) => [skill.slug, at]))
const byId = new Map(skills.map((skill) => [skill.id, skill]))
const readers = skills.map((skill) => ({
  id: skill.id,
  ...decodeWords(encodeSkillWords(skill)),
  isCompared: isComparable(skill, copies, (id) => byId.get(id)),
}))
const words = new WordIndex(readers)
const found = readers.map((_, at) => words.findNeighbours(at, COMPARED_SKILLS))

/** Where a page sets another skill. */
const placeOf = (slug: string, other: string): Place => {
  const neighbours = found[bySlug.get(slug) ?? -1]
  const id = skills[bySlug.get(other) ?? -1]?.id
  if (!neighbours || id === undefined)
    throw new Error(`${slug} or ${other} is no skill of the content`)
  return PLACES.find((place) => place !== 'none' && neighbours[place].includes(id)) ?? 'none'
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`

const pairs = options.labels.split(',').flatMap((file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [slug = '', other = '', label = '', half = ''] = line.split('\t')
      // A pair may be shown on either page, and counts once for each.
      return [placeOf(slug, other), placeOf(other, slug)].map((place) => ({ label, half, place }))
    }),
)
for (const half of HALVES) {
  console.log(`\n${half}`.padEnd(15), ...PLACES.map((place) => place.padStart(13)))
  const of = pairs.filter((pair) => pair.half === half)
  const count = (place: Place, label?: string): number =>
    of.filter((one) => one.place === place && (label === undefined || one.label === label)).length
  for (const label of LABELS)
    console.log(
      label.padEnd(14),
      ...PLACES.map((place) => String(count(place, label)).padStart(13)),
    )
  const shown = count('alternatives')
  const wanted = of.filter(({ label }) => label === 'alternative').length
  const good = count('alternatives', 'alternative') + count('alternatives', 'copy')
  console.log(
    `rows: ${percent(good, shown)} alternatives or copies, ${percent(count('alternatives', 'unrelated'), shown)} unrelated;`,
    `${percent(count('alternatives', 'alternative'), wanted)} of the alternatives found`,
  )
}

const rows = found.flatMap(({ alternatives }, at) =>
  alternatives.map((id) => [skills[at]!.slug, byId.get(id)!.slug].join('\t')),
)
const share = (place: keyof Neighbours): string =>
  percent(found.filter((one) => one[place].length > 0).length, skills.length)
const isBare = ({ alternatives, together }: Neighbours): boolean =>
  alternatives.length + together.length === 0
console.log(
  `\n${skills.length} skills: ${rows.length} rows on ${share('alternatives')} of the pages, a line of what goes with it on ${share('together')}, neither on ${percent(found.filter(isBare).length, skills.length)}`,
)

/** A number that looks random and is the same for the same text and seed. */
const drawOf = (text: string): number =>
  [...`${options.seed} ${text}`].reduce(
    (sum, sign) => Math.imul(sum ^ sign.codePointAt(0)!, 16_777_619),
    2_166_136_261,
  ) >>> 0

const drawn = rows.toSorted((a, b) => drawOf(a) - drawOf(b)).slice(0, Number(options.sample))
if (drawn.length > 0) console.log(`\n${drawn.join('\n')}`)
