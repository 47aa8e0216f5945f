import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { readBodies, readSkills, writeContent } from './build-content.ts'
import { EDITS, openEdits } from './build-edits.ts'
import type { Edited } from './build-edits.ts'
import { readOptions } from './options.ts'
import { measureProcess } from './process-cost.ts'
import type { ProcessCost } from './process-cost.ts'

// Each round builds into a separate folder, and all are removed at the end, because a file system is slow after many
// files are deleted.

const values = readOptions(
  'Measures what a build costs: clean, with nothing changed, and with one skill changed in several ways.',
  {
    big: { type: 'string', required: true, about: 'catalog.ndjson.gz with names and descriptions' },
    bodies: { type: 'string', required: true, about: 'folder with SKILL.md files' },
    rows: { type: 'string', default: '1000,10000', about: 'sizes of the catalog' },
    rounds: { type: 'string', default: '2', about: 'rounds, each into a separate folder' },
    folder: { type: 'string', default: tmpdir(), about: 'where catalogs and sites are written' },
  },
)

/** The cost of a build, and the number of files that it wrote. */
type Measured = ProcessCost & { files: number }

/** The measurements of all rounds, by the name of the change. */
type Table = Map<string, Measured[]>

const build = async (content: string, output: string): Promise<Measured> => {
  const cost = await measureProcess([process.execPath, join(PROJECT_ROOT, 'build/site/main.mjs')], {
    folder: PROJECT_ROOT,
    environment: { CONTENT_DIR: content, OUT_DIR: output },
  })
  return { ...cost, files: Number(/: (\d+) written/.exec(cost.output)?.[1] ?? 0) }
}

const measureRound = async (table: Table, output: string, edited: Edited): Promise<void> => {
  const { content } = edited
  const measure = async (name: string): Promise<void> => {
    const measured = await build(content, output)
    console.error(`${name}: ${measured.cpu.toFixed(1)} CPU s, ${measured.wall.toFixed(1)} s`)
    table.set(name, [...(table.get(name) ?? []), measured])
  }
  await measure('clean')
  // Recently written files are read again, so the first rebuild is not typical.
  await build(content, output)
  await measure('nothing changed')
  for (const [name, edit] of Object.entries(EDITS)) {
    edit(edited)
    await measure(name)
  }
}

const printRow = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.join(' | ')} |`)

const printTable = (rows: number, table: Table): void => {
  const heads = ['CPU s, least (all)', 'CPU ms a skill', 'wall s, least', 'peak MiB', 'files']
  const columns = ['skills', 'build', ...heads]
  printRow(columns)
  printRow(columns.map(() => '---'))
  for (const [name, all] of table) {
    const cpu = Math.min(...all.map((one) => one.cpu))
    printRow([
      rows,
      name,
      `${cpu.toFixed(1)} (${all.map((one) => one.cpu.toFixed(1)).join(', ')})`,
      ((cpu / rows) * 1_000).toFixed(2),
      Math.min(...all.map(({ wall }) => wall)).toFixed(1),
      Math.max(...all.map(({ memory }) => memory)),
      all.at(-1)?.files ?? 0,
    ])
  }
  console.log('')
}

const bodies = readBodies(values.bodies)
console.log(`Texts: ${bodies.length}, repeated over all skills.\n`)
const scratches: string[] = []
try {
  for (const rows of values.rows.split(',').map(Number)) {
    const scratch = mkdtempSync(join(values.folder, 'skill-registry-bench-'))
    scratches.push(scratch)
    const content = join(scratch, 'content')
    const skills = readSkills(values.big, bodies, rows)
    writeContent(content, skills)
    const edited = openEdits(content, skills)
    const table: Table = new Map()
    for (let round = 1; round <= Number(values.rounds); round += 1)
      await measureRound(table, join(scratch, `site-${round}`), edited)
    printTable(rows, table)
  }
} finally {
  for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true })
}
