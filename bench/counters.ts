import { spawnSync } from 'node:child_process'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { readOptions } from './options.ts'
import { WRITERS, writeLog } from './access-logs.ts'

const values = readOptions(
  'Measures what `npm run catalog -- counters` costs: logs of each format, mixed, and the mix as gzip.',
  {
    lines: { type: 'string', default: '1000000', about: 'lines of each log' },
    skills: { type: 'string', default: '1000', about: 'skills of the catalog' },
    folder: { type: 'string', default: tmpdir(), about: 'where the logs are written' },
  },
)
const [lines, skills] = [Number(values.lines), Number(values.skills)]

const writeCatalog = (content: string): void => {
  mkdirSync(join(content, 'skills'), { recursive: true })
  for (let id = 1; id <= skills; id += 1) {
    mkdirSync(join(content, 'skills', `skill-${id}`))
    const source = { kind: 'own' }
    const record = { id, author: 'bench', category: 'Coding', updated: '2026-01-01', source }
    writeFileSync(join(content, 'skills', `skill-${id}`, 'skill.json'), JSON.stringify(record))
  }
}

/** Prints the cost of a process on standard error when it ends. */
const METER = `data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();
process.stderr.write('\\nCOST '+JSON.stringify([(u.userCPUTime+u.systemCPUTime)/1e6,u.maxRSS/1024])+'\\n')})`

const count = (content: string, log: string): { cpu: number; memory: number; total: object } => {
  // As the script `catalog` of package.json runs it.
  const args = [
    '--max-semi-space-size=2',
    '--import',
    METER,
    join(PROJECT_ROOT, 'build/catalog/main.ts'),
  ]
  const command = ['counters', log, '--content', content, '--dry-run', '--json']
  const ended = spawnSync(process.execPath, [...args, ...command], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (ended.status !== 0) throw new Error(ended.stderr)
  const [cpu = 0, memory = 0] = JSON.parse(
    /COST (\[.*\])/.exec(ended.stderr)?.[1] ?? '[]',
  ) as number[]
  const { total } = JSON.parse(ended.stdout) as { total: object }
  return { cpu, memory, total }
}

const scratch = mkdtempSync(join(values.folder, 'skill-registry-bench-'))
const content = join(scratch, 'content')
writeCatalog(content)
console.log('| log | lines | MiB | CPU s | peak MiB | views | installs | repeats | robots |')
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')

const printRow = (name: string, log: string): void => {
  const { cpu, memory, total } = count(content, log)
  const { views, installs, repeats, robots } = total as Record<string, number>
  const size = statSync(log).size / 1_048_576
  const cells = [name, lines, size.toFixed(0), cpu.toFixed(1), memory.toFixed(0)]
  console.log(`| ${[...cells, views, installs, repeats, robots].join(' | ')} |`)
}

const formats = Object.keys(WRITERS)
for (const format of [...formats, 'mixed']) {
  const log = join(scratch, 'access.log')
  writeLog(log, lines, skills, format === 'mixed' ? formats : [format])
  printRow(format, log)
  if (format === 'mixed') {
    // As a stream: a child's peak memory starts at that of its parent.
    await pipeline(createReadStream(log), createGzip(), createWriteStream(`${log}.gz`))
    printRow('mixed, gzip', `${log}.gz`)
  }
}
rmSync(scratch, { recursive: true, force: true })
