/**
 * Counts the skills that the safety rules flag in labelled sets, without printing their texts:
 *   npm run bench:safety -- --benign corpus=<folder> --malicious campaign=<folder>
 */
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { FrontMatterError, parseFrontMatter } from '../src/catalog/front-matter.ts'
import type { MEASUREMENT } from '../src/catalog/safety/rules.ts'
import type { SkillNames } from '../src/catalog/safety/rule.ts'
import { judgeFindings, needsReview, scanSkill } from '../src/catalog/safety/scan.ts'
import { listSkillFiles, readSkillFile } from '../src/catalog/folder-files.ts'
import { decodeLoosely } from '../src/catalog/text.ts'
import { readOptions } from './options.ts'

/** The largest tolerated share of benign skills that need a review. */
const MAX_BENIGN = 0.02

const options = readOptions(
  'Counts the skills that the safety rules flag. Sets are folders of skills, named as in name=folder,name=folder.',
  {
    malicious: { type: 'string', default: '', about: 'sets of skills known to be malicious' },
    benign: { type: 'string', default: '', about: 'sets of skills known to be benign' },
    list: { type: 'boolean', about: 'list the findings of benign skills that need a review' },
    write: { type: 'boolean', about: 'write the figures into the measurement that pages show' },
  },
)

const isSkillMd = (name: string): boolean => name.toLowerCase() === 'skill.md'

/** Lists the folders of skills: every folder with a SKILL.md at any depth, and subfolders without any SKILL.md. */
const listSkills = (folder: string, depth = 0): string[] => {
  const entries = readdirSync(folder, { withFileTypes: true })
  if (depth > 0 && entries.some(({ name }) => isSkillMd(name))) return [folder]
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => listSkills(join(folder, name), depth + 1))
  return depth === 1 && inner.length === 0 ? [folder] : inner
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

type Run = (typeof MEASUREMENT)['sets'][number] & {
  /** Skills with a finding that needs a review, by rule. */
  rules: Map<string, number>
  /** The findings of skills that need a review: copies of a script have the same. */
  texts: Set<string>
  /** Skills that need no review but have findings of low severity, which pages show. */
  noted: number
  /** CPU time per skill in milliseconds, without reading. */
  cost: number
}

const runSet = (name: string, root: string, isMalicious: boolean): Run => {
  const run: Run = {
    name,
    isMalicious,
    n: 0,
    flagged: 0,
    noted: 0,
    rules: new Map(),
    texts: new Set(),
    cost: 0,
  }
  const skills = listSkills(root)
  const seen = new Set<string>()
  for (const folder of skills) {
    const { files } = listSkillFiles(folder, basename(folder))
    const bytes = new Map(files.map(({ path }) => [path, readSkillFile({ folder }, path)]))
    // A copy counts once, as in a catalog.
    const digest = createHash('sha256')
    for (const { path } of files) digest.update(path).update(bytes.get(path)!)
    const known = digest.digest('hex')
    if (seen.has(known)) continue
    seen.add(known)
    const names = readNames(folder, files.find(({ path }) => isSkillMd(path))?.path)
    const before = process.cpuUsage()
    const findings = scanSkill({ files, read: (path) => bytes.get(path)!, names })
    const { user, system } = process.cpuUsage(before)
    run.cost += (user + system) / 1_000 / skills.length
    run.n += 1
    const severe = findings.filter(needsReview)
    for (const rule of new Set(severe.map((one) => one.rule)))
      run.rules.set(rule, (run.rules.get(rule) ?? 0) + 1)
    if (severe.length > 0) run.texts.add(severe.map((one) => one.digest).join())
    if (judgeFindings(findings) === 'Review') run.flagged += 1
    else if (findings.some(({ severity }) => severity === 'low')) run.noted += 1
    if (options.list && !isMalicious)
      for (const { rule, severity, file, line } of severe)
        console.error(`${relative(root, folder)}/${file}:${line} ${severity} ${rule}`)
  }
  return run
}

const runSets = (sets: string, isMalicious: boolean): Run[] =>
  sets
    .split(',')
    .filter(Boolean)
    .map((one) => {
      const [name = '', folder = ''] = one.split('=')
      return runSet(name, folder, isMalicious)
    })

const runs = [...runSets(options.malicious, true), ...runSets(options.benign, false)]
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

for (const { name, isMalicious, n, flagged, noted, rules, texts, cost } of runs) {
  const kind = isMalicious ? 'malicious' : 'benign'
  const share = percent(n === 0 ? 0 : flagged / n)
  console.log(
    `${name} (${kind}): ${flagged} of ${n} Review, ${share}, ${texts.size} without copies; ${noted} noted; ${cost.toFixed(2)} ms per skill`,
  )
  for (const [rule, count] of [...rules].sort(([, a], [, b]) => b - a))
    console.log(`  ${rule.padEnd(28)} ${count}`)
  if (!isMalicious && flagged / n > MAX_BENIGN) {
    console.error(`${name}: more than ${percent(MAX_BENIGN)} need a review`)
    process.exitCode = 1
  }
}

if (options.write) {
  const written: typeof MEASUREMENT = {
    date: new Date().toISOString().slice(0, 10),
    sets: runs.map(({ name, isMalicious, n, flagged }) => ({ name, isMalicious, n, flagged })),
  }
  const file = new URL('../src/catalog/safety/measured.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
}
