import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { readBodies, readSkills, writeContent } from './build-content.ts'

// Measures what a build costs: clean, with nothing changed, with one text changed, and with one
// description changed, which lists and the search index tell too.

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000,10000' },
    big: { type: 'string' },
    bodies: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
  },
})

interface Cost {
  wall: number
  cpu: number
  /** MiB. */
  memory: number
  index: number
  written: number
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

const build = async (content: string, output: string): Promise<Cost> => {
  const started = performance.now()
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'build/site/main.ts'), '--timings'], {
    env: { ...process.env, CONTENT_DIR: content, OUT_DIR: output },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`a build ended with ${code}`)
  return {
    wall: (performance.now() - started) / 1_000,
    cpu: numberIn(text, /In all: ([\d.]+) CPU s/),
    memory: numberIn(text, /Peak memory: (\d+)/),
    index: numberIn(text, /Writing the index.*? ([\d.]+) CPU s/),
    written: numberIn(text, /: (\d+) written/),
  }
}

const printRow = (
  rows: number,
  name: string,
  { wall, cpu, memory, index, written }: Cost,
): void => {
  const cells = [rows, name, cpu.toFixed(1), index.toFixed(1), wall.toFixed(1), memory, written]
  console.log(`| ${cells.join(' | ')} |`)
}

const measure = async (rows: number, big: string, bodies: string): Promise<void> => {
  const scratch = mkdtempSync(join(values.folder, 'skill-registry-bench-'))
  const [content, output] = [join(scratch, 'content'), join(scratch, 'dist')]
  writeContent(content, await readSkills(big, readBodies(bodies), rows))
  const slugs = readdirSync(join(content, 'skills'))
  const retouch = (at: number): void =>
    appendFileSync(join(content, 'skills', slugs[at] ?? '', 'SKILL.md'), '\nRetouched.\n')
  printRow(rows, 'clean', await build(content, output))
  // Files that were written just now are read again, so the first look is not the usual one.
  await build(content, output)
  printRow(rows, 'nothing changed', await build(content, output))
  for (const at of [1, 2, 3]) {
    retouch(Math.floor((slugs.length * at) / 4))
    printRow(rows, 'one text changed', await build(content, output))
  }
  rmSync(scratch, { recursive: true, force: true })
}

if (values.big === undefined || values.bodies === undefined) {
  console.error(
    'Usage: npm run bench:build -- --big <catalog.ndjson.gz> --bodies <folder> [--rows 1000,10000] [--folder <scratch>]',
  )
  process.exitCode = 1
} else {
  console.log(
    '| skills | build | CPU s | of it index and tables | wall s | peak MiB | files written |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const rows of values.rows.split(',').map(Number))
    await measure(rows, values.big, values.bodies)
}
