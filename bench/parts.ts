import { loadCatalog } from '../src/catalog/load.ts'
import type { Skill } from '../src/catalog/skill.ts'
import { PARTS } from '../src/catalog/parts.ts'
import { readSkillMd } from '../src/catalog/skill-folder.ts'
import { readPartSource } from '../src/documents/skill-page.ts'
import { derivePart } from '../src/documents/parts/print.ts'
import { readOptions } from './options.ts'

/** Where a part comes from, in the order in which it is looked for; `mentioned` where it is not shown on its own. */
type PartOrigin = ReturnType<typeof derivePart>['origin']

const ORIGINS: readonly PartOrigin[] = [
  'author',
  'text',
  'front matter',
  'description',
  'mentioned',
  'none',
]

const options = readOptions(
  'Measures how often each part of a skill page is found, and where it comes from.',
  { content: { type: 'string', default: 'content', about: 'the content folder' } },
)

const isLinkAlone = ({ blocks }: ReturnType<typeof derivePart>): boolean =>
  blocks.length === 1 && blocks[0]?.type === 'paragraph' && blocks[0].children.length === 2

const deriveAll = (skill: Skill) => {
  const source = readPartSource(skill, readSkillMd(skill))
  return PARTS.map(({ name }) => derivePart(name, source))
}

const originOf = ({ origin, blocks }: ReturnType<typeof derivePart>): PartOrigin =>
  blocks.length === 0 && origin !== 'none' ? 'mentioned' : origin

const countOf = (values: readonly string[], value: string): number =>
  values.filter((one) => one === value).length

const { skills } = loadCatalog(options.content)
const found = skills.map(deriveAll)

console.log(`${skills.length} skills\n`)
console.log('part'.padEnd(14), 'found', '   share', ...ORIGINS.map((one) => one.padStart(12)))
for (const [at, { name: part }] of PARTS.entries()) {
  const origins = found.flatMap((one) => (one[at] ? [originOf(one[at])] : []))
  const missing = origins.filter((one) => one === 'none' || one === 'mentioned').length
  const share = ((skills.length - missing) / skills.length) * 100
  console.log(
    part.padEnd(14),
    String(skills.length - missing).padStart(5),
    `${share.toFixed(1)} %`.padStart(8),
    ...ORIGINS.map((one) => String(countOf(origins, one)).padStart(12)),
  )
}

const describeFilled = (parts: typeof found): string => {
  const filled = parts.flat().filter(({ blocks }) => blocks.length > 0)
  const share = (filled.length / parts.flat().length) * 100
  return `${filled.length} filled (${share.toFixed(1)} %), ${filled.filter(isLinkAlone).length} of them a link alone`
}
const nine = found.map(([, ...others]) => others)
console.log(
  `\nThe nine without Activation, whose description every page has: ${describeFilled(nine)}`,
)
console.log(`All ten, with what the text says of Activation: ${describeFilled(found)}`)

const show = (title: string, values: readonly string[]): void => {
  const counts = [...new Set(values)].sort().map((one) => `${one} ${countOf(values, one)}`)
  console.log(`\n${title}: ${counts.join(', ')}`)
}
show(
  'Difficulty',
  skills.map(({ difficulty }) => difficulty),
)
show(
  'Category',
  skills.map(({ category }) => category),
)
