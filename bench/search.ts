import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './measures.ts'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { listBigDocuments, readBigRows } from './big-rows.ts'
import type { Column, Measured, Task } from './engines/child.ts'
import { findMissing } from './installed.ts'
import { readOptions } from './options.ts'
import { writePlainSources } from './plain-sources.ts'

const ENGINES = ['packed', 'minisearch', 'orama', 'flexsearch', 'fts5'] as const

/** Engines that are packages of bench/package.json. */
const PACKAGES: Readonly<Record<string, string>> = {
  orama: '@orama/orama',
  flexsearch: 'flexsearch',
}

const options = readOptions(
  'Measures the packed index beside other engines, each step in a process of its own: user and system time.',
  {
    rows: {
      type: 'string',
      default: '1000,10000,100000',
      about: 'sizes of the catalog, a table each',
    },
    engines: { type: 'string', default: ENGINES.join(','), about: 'what is measured, in turns' },
    big: { type: 'string', required: true, about: 'catalog.ndjson.gz with names and descriptions' },
    rounds: { type: 'string', default: '3', about: 'rounds, of which the median counts' },
    minutes: { type: 'string', default: '10', about: 'how long a step may take' },
  },
)

/** Long and hostile queries: 10 KB, thousands of words, most of them common, and signs that mean something elsewhere. */
const HOSTILE_QUERIES = [
  'a'.repeat(10_240),
  Array.from({ length: 5_000 }, (_, at) => `w${at.toString(36)}`).join(' '),
  'user code data agent skill project tool file create build test review write '.repeat(130),
  Array.from({ length: 1_000 }, (_, at) => `kubernets${at}`).join(' '),
  `${'(a+)+$|'.repeat(1_400)}`,
  `'; DROP TABLE skills; -- ${'%_\\'.repeat(2_000)}`,
  '__proto__ constructor toString hasOwnProperty valueOf prototype',
  '\ud83d'.repeat(5_000),
  '数据分析'.repeat(2_500),
]

const COLUMNS: Column[] = [
  {
    name: 'one term',
    manner: 'words',
    queries: ['react', 'docker', 'kubernetes', 'spreadsheet', 'accessibility'],
  },
  {
    name: 'three',
    manner: 'words',
    queries: [
      'test driven development',
      'python data analysis',
      'deploy docker containers',
      'security code audit',
      'write blog posts',
    ],
  },
  {
    name: 'six',
    manner: 'words',
    queries: [
      'create pdf report from csv data',
      'migrate database schema without any downtime',
      'review pull request for security issues',
    ],
  },
  { name: 'prefix', manner: 'prefix', queries: ['kube', 'docu', 'pyth', 'migr', 'access'] },
  {
    name: 'typo',
    manner: 'typo',
    queries: ['kubernets', 'pyhton', 'documentaton', 'databse', 'spreadshet'],
  },
]

const listDistinct = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z]+/g))

/** Finds the word that is in nearest to a third of the descriptions. */
const findCommonWord = (rows: number): string => {
  const counts = new Map<string, number>()
  const sample = listBigDocuments(readBigRows(options.big), Math.min(rows, 50_000))
  for (const { description } of sample)
    for (const word of listDistinct(description)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const distance = (count: number): number => Math.abs(count - sample.length / 3)
  const [word = ''] = [...counts].reduce((best, next) =>
    distance(next[1]) < distance(best[1]) ? next : best,
  )
  return word
}

const readFailure = (error: unknown): string => {
  const { code, signal, stderr } = error as { code?: string; signal?: string; stderr?: string }
  if (code === 'ETIMEDOUT') return `not within ${options.minutes} minutes`
  const line = stderr?.split('\n').find((text) => /Error|FATAL/.test(text))
  return (line ?? signal ?? String(error)).trim().slice(0, 90)
}

const child = join(writePlainSources(), 'bench/engines/child.js')

/** What `npm run serve` starts Node with: every engine answers under the same. */
const readServeFlags = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
    scripts: { serve: string }
  }
  return scripts.serve.split(' ').filter((word) => word.startsWith('--'))
}

const listFlags = (task: Task): string[] => [
  ...(task.step === 'ask' ? readServeFlags() : []),
  // Peers keep objects; the heap that is usual for Node would not hold the largest of them.
  ...(task.step === 'build' || task.engine !== 'packed' ? ['--max-old-space-size=14000'] : []),
]

const run = (task: Task): Measured | string => {
  try {
    const output = execFileSync(process.execPath, [...listFlags(task), child], {
      input: JSON.stringify(task),
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: Number(options.minutes) * 60_000,
    })
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured
  } catch (error) {
    return readFailure(error)
  }
}

const write = (value: number | undefined, digits: number): string =>
  value === undefined || Number.isNaN(value) ? '—' : value.toFixed(digits)

const HOSTILE: Omit<Column, 'queries'> = { name: 'worst hostile', manner: 'words', worst: true }

const engines = options.engines.split(',').filter((engine) => {
  const missing = PACKAGES[engine] && findMissing(PACKAGES[engine])
  if (missing !== undefined) console.error(`${engine}: not measured, ${missing}`)
  return missing === undefined
})

const measureSize = (rows: number): void => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-search-'))
  const common = findCommonWord(rows)
  const columns: Column[] = [
    ...COLUMNS,
    { name: 'common', manner: 'words', queries: [common] },
    { ...HOSTILE, queries: HOSTILE_QUERIES },
  ]
  const taskOf = (step: Task['step'], engine: string): Task => {
    const own = join(folder, engine)
    mkdirSync(own, { recursive: true })
    return { step, engine, folder: own, big: options.big, rows, columns }
  }
  const built = new Map(engines.map((engine) => [engine, run(taskOf('build', engine))]))
  const asked = new Map<string, Measured[]>()
  const failed = new Map<string, string>()
  for (let round = 0; round < Number(options.rounds); round++)
    for (const engine of engines) {
      if (typeof built.get(engine) === 'string' || failed.has(engine)) continue
      const measured = run(taskOf('ask', engine))
      if (typeof measured === 'string') failed.set(engine, measured)
      else asked.set(engine, [...(asked.get(engine) ?? []), measured])
    }

  console.log(`\n### ${rows.toLocaleString('en')} skills (common word: “${common}”)\n`)
  const heads = ['build s', 'file MB', 'cold ms', 'MB', ...columns.map(({ name }) => name)]
  console.log(`| | ${heads.join(' | ')} |\n|---|${heads.map(() => '---:|').join('')}`)
  for (const engine of engines) {
    const build = built.get(engine)
    const rounds = asked.get(engine) ?? []
    const failure = typeof build === 'string' ? build : failed.get(engine)
    const pick = (read: (measured: Measured) => number | undefined): number | undefined =>
      rounds.length === 0 ? undefined : median(rounds.map((round) => read(round) ?? Number.NaN))
    const cells = [
      write(typeof build === 'object' ? build.cpu / 1000 : undefined, 1),
      write(typeof build === 'object' ? (build.fileSize ?? 0) / 1e6 : undefined, 1),
      write(
        pick(({ cpu }) => cpu),
        0,
      ),
      write(
        pick(({ resident }) => (resident ?? 0) / 1e6),
        0,
      ),
      ...columns.map(({ name }) =>
        write(
          pick((measured) => measured.columns?.[name]),
          2,
        ),
      ),
    ]
    console.log(`| ${engine}${failure ? ` (${failure})` : ''} | ${cells.join(' | ')} |`)
    console.error(engine, JSON.stringify(rounds[0]?.totals))
  }
  rmSync(folder, { recursive: true })
}

console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`)
for (const rows of options.rows.split(',')) measureSize(Number(rows))
