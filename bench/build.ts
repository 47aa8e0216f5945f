import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { readBodies, readSkills, writeContent } from './build-content.ts'
import type { BenchSkill } from './build-content.ts'
import { astro } from './peers/astro.ts'
import { eleventy } from './peers/eleventy.ts'
import { hugo } from './peers/hugo.ts'
import type { Peer } from './peers/peer.ts'
import { measureProcess } from './process-cost.ts'
import type { ProcessCost } from './process-cost.ts'

// Measures what a build costs: clean, with nothing changed, and with one skill changed, whose text alone
// its own page tells, whose description lists and the search index tell too. Peers make a lighter page
// of the same texts, no twins, zips, lists or index, in turn with ours.

const PEERS: readonly Peer[] = [hugo, eleventy, astro]

const USAGE = `Usage: npm run bench:build -- --big <catalog.ndjson.gz> --bodies <folder> [--rows 1000,10000]
  [--peers hugo,eleventy,astro] [--folder <scratch>]`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000,10000' },
    big: { type: 'string' },
    bodies: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
    peers: { type: 'string', default: '' },
  },
})

const printRow = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.join(' | ')} |`)

const printCost = (
  rows: number,
  build: string,
  { cpu, wall, memory }: ProcessCost,
  files: number,
): void =>
  printRow([
    rows,
    build,
    cpu.toFixed(1),
    ((cpu / rows) * 1_000).toFixed(2),
    wall.toFixed(1),
    memory,
    files,
  ])

const buildOurs = (content: string, output: string): Promise<ProcessCost> =>
  measureProcess([process.execPath, join(PROJECT_ROOT, 'build/site/main.ts')], {
    folder: PROJECT_ROOT,
    environment: { CONTENT_DIR: content, OUT_DIR: output },
  })

const writtenOf = ({ output }: ProcessCost): number =>
  Number(/: (\d+) written/.exec(output)?.[1] ?? 0)

type Record_ = Record<string, unknown>

const editRecord = (folder: string, edit: (record: Record_) => Record_): void => {
  const path = join(folder, 'skill.json')
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')) as Record_)))
}

/** Changes of one skill, by what changes. */
const EDITS: Readonly<Record<string, (folder: string) => void>> = {
  'one text changed': (folder) => appendFileSync(join(folder, 'SKILL.md'), '\nRetouched.\n'),
  'one description changed': (folder) =>
    editRecord(folder, (record) => ({
      ...record,
      description: `${record['description']} Retouched.`,
    })),
  'one name changed': (folder) =>
    editRecord(folder, (record) => ({ ...record, name: `${record['name']} again` })),
  'one category changed': (folder) =>
    editRecord(folder, (record) => ({
      ...record,
      category: record['category'] === 'Coding' ? 'Design' : 'Coding',
    })),
}

const measureOurs = async (rows: number, scratch: string, skills: readonly BenchSkill[]) => {
  const [content, output] = [join(scratch, 'content'), join(scratch, 'dist')]
  writeContent(content, skills)
  const clean = await buildOurs(content, output)
  printCost(rows, 'ours, clean', clean, writtenOf(clean))
  // Files that were written just now are read again, so the first look is not the usual one.
  await buildOurs(content, output)
  const same = await buildOurs(content, output)
  printCost(rows, 'ours, nothing changed', same, writtenOf(same))
  for (const [at, [name, edit]] of Object.entries(EDITS).entries()) {
    edit(join(content, 'skills', skills[Math.floor((skills.length * (at + 1)) / 6)]?.slug ?? ''))
    const cost = await buildOurs(content, output)
    printCost(rows, `ours, ${name}`, cost, writtenOf(cost))
  }
}

const countFiles = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length

const measurePeer = async (
  rows: number,
  scratch: string,
  skills: readonly BenchSkill[],
  peer: Peer,
): Promise<void> => {
  const missing = peer.missing()
  if (missing !== undefined) return console.log(`${peer.name}: not measured, ${missing}`)
  const folder = join(scratch, peer.name)
  mkdirSync(folder)
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'))
  peer.prepare(folder, skills)
  const { environment = {} } = peer
  const build = (): Promise<ProcessCost> => measureProcess(peer.command, { folder, environment })
  const count = (): number => countFiles(join(folder, peer.output))
  printCost(rows, `${peer.name}, clean`, await build(), count())
  printCost(rows, `${peer.name}, nothing changed`, await build(), count())
  appendFileSync(join(folder, peer.sourceOf(skills.at(-1)?.slug ?? '')), '\nRetouched.\n')
  printCost(rows, `${peer.name}, one text changed`, await build(), count())
}

const measure = async (rows: number, big: string, bodies: string, peers: readonly Peer[]) => {
  const scratch = mkdtempSync(join(values.folder, 'skill-registry-bench-'))
  const skills = await readSkills(big, readBodies(bodies), rows)
  await measureOurs(rows, scratch, skills)
  for (const peer of peers) await measurePeer(rows, scratch, skills, peer)
  rmSync(scratch, { recursive: true, force: true })
}

const main = async (): Promise<void> => {
  const { big, bodies } = values
  const named = values.peers.split(',').filter((name) => name !== '')
  const peers = PEERS.filter(({ name }) => named.includes(name.toLowerCase()))
  if (big === undefined || bodies === undefined || peers.length !== named.length) {
    console.error(USAGE)
    process.exitCode = 1
    return
  }
  printRow(['skills', 'build', 'CPU s', 'CPU ms a skill', 'wall s', 'peak MiB', 'files written'])
  printRow(Array.from({ length: 7 }, () => '---'))
  for (const rows of values.rows.split(',').map(Number)) await measure(rows, big, bodies, peers)
}

await main()
