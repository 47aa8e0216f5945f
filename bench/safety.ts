/**
 * Counts what the safety rules flag in labelled sets of skills, and prints no text of theirs:
 *   npm run bench:safety -- --malicious <folder> --benign <folder>
 * The half of a set that a hash chooses is for tuning, the other is run once.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { FrontMatterError, parseFrontMatter } from '../src/catalog/front-matter.ts'
import { MEASUREMENT, intervalOf, SAFETY_RULES } from '../src/catalog/safety/rules.ts'
import type { MeasuredSet, Measurement } from '../src/catalog/safety/rules.ts'
import type { SkillNames } from '../src/catalog/safety/rule.ts'
import { judgeFindings, needsReview, scanSkill } from '../src/catalog/safety/scan.ts'
import { listSkillFiles, readSkillFile } from '../src/catalog/skill-folder.ts'
import { decodeLoosely } from '../src/catalog/text.ts'
import { readOptions } from './options.ts'

const options = readOptions(
  'Counts what the safety rules flag in sets of skills: folders whose subfolders are skills.',
  {
    malicious: { type: 'string', about: 'folder of skills known to be malicious' },
    benign: { type: 'string', about: 'folder of skills known to be benign' },
    half: { type: 'string', default: 'all', about: 'tune, test (the other half) or all' },
    json: { type: 'boolean', about: 'prints the counts as one JSON object' },
    list: { type: 'boolean', about: 'names the benign skills that are flagged, and why' },
    write: { type: 'boolean', about: 'writes the figures into the measurement that pages show' },
  },
)

const HALVES = ['tune', 'test', 'all']
if (!HALVES.includes(options.half)) throw new Error(`--half is one of ${HALVES.join(', ')}`)

const isSkillMd = (name: string): boolean => name.toLowerCase() === 'skill.md'

/** Folders of skills below one: those with a SKILL.md, wherever they lie, and what holds none as it is. */
const listSkills = (folder: string, depth = 0): string[] => {
  const entries = readdirSync(folder, { withFileTypes: true })
  if (depth > 0 && entries.some(({ name }) => isSkillMd(name))) return [folder]
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => listSkills(join(folder, name), depth + 1))
  return depth === 1 && inner.length === 0 ? [folder] : inner
}

const isOfHalf = (name: string): boolean => {
  const isTuned = (createHash('sha256').update(name).digest()[0] ?? 0) < 128
  return options.half === 'all' || isTuned === (options.half === 'tune')
}

const readNames = (folder: string, skillMd: string | undefined): SkillNames => {
  const name = basename(folder)
  if (skillMd === undefined) return { name, description: '' }
  try {
    const front = parseFrontMatter(decodeLoosely(readFileSync(join(folder, skillMd))))
    return { name: front.name ?? name, description: front.description ?? '' }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    return { name, description: '' }
  }
}

interface Run extends Omit<MeasuredSet, 'isTuned'> {
  /** Milliseconds of CPU a skill, reading left out. */
  cost: number
}

const runSet = (root: string, isListed: boolean): Run => {
  const rules: Record<string, number> = {}
  let flagged = 0
  let spent = 0
  const skills = listSkills(root).filter((folder) => isOfHalf(relative(root, folder)))
  for (const folder of skills) {
    const { files } = listSkillFiles(folder, basename(folder))
    const bytes = new Map(files.map(({ path }) => [path, readSkillFile({ folder }, path)]))
    const names = readNames(folder, files.find(({ path }) => isSkillMd(path))?.path)
    const before = process.cpuUsage()
    const findings = scanSkill({ folder, files, read: (_, path) => bytes.get(path)!, names })
    const { user, system } = process.cpuUsage(before)
    spent += (user + system) / 1_000
    const grave = findings.filter(needsReview)
    for (const rule of new Set(grave.map((one) => one.rule))) rules[rule] = (rules[rule] ?? 0) + 1
    if (judgeFindings(findings) === 'Review') flagged += 1
    if (isListed)
      for (const { rule, severity, file, line } of grave)
        console.error(`${relative(root, folder)}/${file}:${line} ${severity} ${rule}`)
  }
  return { n: skills.length, flagged, rules, cost: spent / Math.max(1, skills.length) }
}

const measure = (folder: string | undefined, isListed = false): Run | null =>
  folder !== undefined && existsSync(folder) ? runSet(folder, isListed) : null

const malicious = measure(options.malicious)
const benign = measure(options.benign, options.list)

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const tell = (name: string, set: Run | null): string => {
  if (!set) return `${name.padEnd(10)} not measured`
  const [from, to] = intervalOf(set.flagged, set.n)
  const share = percent(set.n === 0 ? 0 : set.flagged / set.n)
  return `${name.padEnd(10)} ${String(set.n).padStart(6)} skills ${String(set.flagged).padStart(6)} Review ${share.padStart(8)}  95 % ${percent(from)} to ${percent(to)}  ${set.cost.toFixed(2)} ms a skill`
}

const countsOf = (id: string) => ({
  malicious: malicious?.rules[id] ?? 0,
  benign: benign?.rules[id] ?? 0,
})

const rows = SAFETY_RULES.map(({ id }) => [id, countsOf(id)] as const).filter(
  ([, counts]) => counts.malicious + counts.benign > 0,
)

const strip = (set: Run | null) => set && { n: set.n, flagged: set.flagged }

if (options.json) {
  console.log(
    JSON.stringify({
      malicious: strip(malicious),
      benign: strip(benign),
      rules: Object.fromEntries(rows),
    }),
  )
} else {
  console.log(tell('malicious', malicious))
  console.log(tell('benign', benign))
  console.log(`\n${'rule'.padEnd(28)} malicious   benign`)
  for (const [id, counts] of rows)
    console.log(
      `${id.padEnd(28)} ${String(counts.malicious).padStart(9)} ${String(counts.benign).padStart(8)}`,
    )
}

const keep = (set: Run | null): MeasuredSet | null =>
  set && { n: set.n, flagged: set.flagged, isTuned: options.half !== 'test', rules: set.rules }

if (options.write) {
  const written: Measurement = {
    ...MEASUREMENT,
    date: new Date().toISOString().slice(0, 10),
    malicious: keep(malicious) ?? MEASUREMENT.malicious,
    benign: keep(benign) ?? MEASUREMENT.benign,
  }
  const file = new URL('../src/catalog/safety/measured.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
}

const { floors } = MEASUREMENT
const shareOf = (set: Run | null): number | undefined =>
  set && set.n > 0 ? set.flagged / set.n : undefined
if ((shareOf(benign) ?? 0) > floors.benign) {
  console.error(`benign: more than ${percent(floors.benign)} are flagged`)
  process.exitCode = 1
}
if (floors.malicious !== null && (shareOf(malicious) ?? 1) < floors.malicious) {
  console.error(`malicious: less than ${percent(floors.malicious)} are found`)
  process.exitCode = 1
}
