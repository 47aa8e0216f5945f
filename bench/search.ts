import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import { VECTOR_FILE } from '../src/search/vector-file.ts'
import { median } from './measures.ts'
import { readOptions } from './options.ts'
import type { ENGINES, Measured, Task } from './search-step.ts'

const options = readOptions(
  'Compares the packed index with MiniSearch: time and memory, with a process for each step.',
  {
    big: { type: 'string', required: true, about: 'catalog.ndjson.gz with names and descriptions' },
    bodies: {
      type: 'string',
      default: '',
      about: 'folder with SKILL.md files; without it, skills have no texts',
    },
    rows: { type: 'string', default: '1000,10000,100000', about: 'numbers of skills to measure' },
    rounds: { type: 'string', default: '3', about: 'rounds; the median is printed' },
  },
)

const COLUMNS: Readonly<Record<string, string[]>> = {
  'one term': ['react', 'docker', 'kubernetes', 'spreadsheet', 'accessibility'],
  three: [
    'test driven development',
    'python data analysis',
    'deploy docker containers',
    'security code audit',
    'write blog posts',
  ],
  six: [
    'create pdf report from csv data',
    'migrate database schema without any downtime',
    'review pull request for security issues',
  ],
  prefix: ['kube', 'docu', 'pyth', 'migr', 'access'],
  typo: ['kubernets', 'pyhton', 'documentaton', 'databse', 'spreadshet'],
  hostile: [
    'a'.repeat(10_240),
    Array.from({ length: 5_000 }, (_, at) => `w${at.toString(36)}`).join(' '),
    'user code data agent skill project tool file create build test review write '.repeat(130),
    '数据分析'.repeat(2_500),
  ],
}

const scratch = mkdtempSync(join(tmpdir(), 'bench-search-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
const step = join(scratch, 'step.mjs')
// Bundled, as on hosts. Otherwise, Node's removal of types would take 40 MB of each process.
await build({
  input: join(import.meta.dirname, 'search-step.ts'),
  platform: 'node',
  output: { dir: scratch, format: 'esm', entryFileNames: 'step.mjs', chunkFileNames: '[name].mjs' },
  logLevel: 'silent',
})

// The bundled code reads this file from its own folder.
copyFileSync(VECTOR_FILE, join(scratch, 'words.vectors'))

/** Runs a step, with a larger heap, since a large index of MiniSearch does not fit into Node's default heap. */
const run = (task: Task): Measured =>
  JSON.parse(
    execFileSync(process.execPath, ['--max-old-space-size=14000', step], {
      input: JSON.stringify(task),
      encoding: 'utf8',
    }),
  ) as Measured

const measureSize = (rows: number): void => {
  const names = Object.keys(COLUMNS)
  const heads = ['build s', 'file MB', 'cold ms', 'MB', ...names]
  console.log(`\n### ${rows.toLocaleString('en')} skills\n`)
  console.log(`| | ${heads.join(' | ')} |\n|---|${heads.map(() => '---:|').join('')}`)
  for (const engine of ['packed', 'minisearch'] satisfies (keyof typeof ENGINES)[]) {
    const task: Task = { engine, folder: scratch, columns: COLUMNS }
    const made = run({ ...task, build: { rows, big: options.big, bodies: options.bodies } })
    const rounds = Array.from({ length: Number(options.rounds) }, () => run(task))
    const pick = (read: (measured: Measured) => number): number => median(rounds.map(read))
    const cells = [
      (made.cpu / 1_000).toFixed(1),
      (made.size / 1e6).toFixed(1),
      pick(({ cpu }) => cpu).toFixed(0),
      (pick(({ resident }) => resident) / 1e6).toFixed(0),
      ...names.map((name) => pick(({ columns }) => columns[name] ?? Number.NaN).toFixed(2)),
    ]
    console.log(`| ${engine} | ${cells.join(' | ')} |`)
  }
}

console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`)
for (const rows of options.rows.split(',')) measureSize(Number(rows))
