import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join, resolve } from 'node:path'
import { SERVE_FLAGS } from '../build/cli/flags.mjs'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { median } from './measures.ts'
import { readOptions } from './options.ts'

const values = readOptions(
  "Measures the CPU time of the server's process per answer, its memory, and the time that it takes to start.",
  {
    out: { type: 'string', default: 'dist', about: 'a built site to serve' },
    rounds: { type: 'string', default: '5', about: 'rounds, in which the servers take turns' },
    requests: { type: 'string', default: '2000', about: 'requests per round' },
    beside: { type: 'string', about: 'another checkout, whose server takes turns with this one' },
  },
)

const OUTPUT = resolve(values.out)
const REQUESTS = Number(values.requests)
const QUERIES = ['csv', 'code review', 'write release notes', 'meeting', 'accessible colours']
const MOST_PAGES = 500

const TICKS_PER_SECOND = 100
const MIB = 1_048_576
const PAGE_BYTES = 4_096

/** CPU seconds that a process and its children have used, user and system (proc(5), fields 14 and 15). */
const cpuOf = (pid: number): number => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
  return [pid, ...children.map(Number)].reduce((sum, one) => {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8').replace(/^.*\) /s, '')
    const fields = stat.split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  }, 0)
}

/** Resident memory of a process in MiB (proc(5), statm). */
const residentOf = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB

/** A server that is measured. */
interface Running {
  name: string
  child: ChildProcess
  pid: number
  port: number
  /** Milliseconds from its start until it listens. */
  start: number
  /** MiB at its start. */
  resident: number
}

/** Starts the Node host of a checkout. */
const startHost = (name: string, root: string): Promise<Running> =>
  new Promise((found, reject) => {
    const started = performance.now()
    const program = join(root, 'functions/hosts/node.mjs')
    const child = spawn(process.execPath, [...SERVE_FLAGS, program], {
      env: { ...process.env, OUT_DIR: OUTPUT, PORT: '0', LOG: 'off' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.on('data', (chunk: Buffer) => {
      const port = /localhost:(\d+)/.exec(chunk.toString())?.[1]
      if (port === undefined) return
      const [pid, start] = [child.pid ?? 0, performance.now() - started]
      found({ name, child, pid, port: Number(port), start, resident: residentOf(pid) })
    })
    child.on('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })

const ask = (agent: Agent, port: number, path: string, coding: string): Promise<void> =>
  new Promise((answered, reject) => {
    const headers = coding === '' ? {} : { 'Accept-Encoding': coding }
    get({ host: 'localhost', port, path, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      response.resume().on('end', answered)
    }).on('error', reject)
  })

/** How requests are sent. */
interface SendOptions {
  connections: number
  /** Accept-Encoding. */
  coding?: string
}

/** Sends requests for the paths in turn, over persistent connections. */
const load = async (
  port: number,
  paths: readonly string[],
  options: SendOptions,
): Promise<void> => {
  const { connections, coding = '' } = options
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const work = async (): Promise<void> => {
    while (next < REQUESTS) {
      next += 1
      await ask(agent, port, paths[next % paths.length] ?? '/', coding)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
}

/** Prints the answers per CPU second of each server. The servers take turns, and the first round is a warm-up. */
const compareServers = async (
  title: string,
  servers: readonly Running[],
  paths: readonly string[],
  options: SendOptions,
): Promise<void> => {
  const rates = new Map(servers.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const { name, pid, port } of servers) {
      const before = cpuOf(pid)
      await load(port, paths, options)
      if (round > 0) rates.get(name)?.push(REQUESTS / (cpuOf(pid) - before))
    }
  }
  const head = `${title}, ${options.connections} connections`
  console.log(`\n| ${head} | answers per CPU second (median, min to max) |\n| --- | --- |`)
  for (const [name, all] of rates) {
    const range = `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`
    console.log(`| ${name} | ${Math.round(median(all))} (${range}) |`)
  }
}

/** Picks at most `MOST_PAGES` names, spread over all. */
const spread = (names: readonly string[]): string[] => {
  const step = Math.max(1, Math.floor(names.length / MOST_PAGES))
  return names.filter((_, at) => at % step === 0)
}

const listNames = (folder: string): string[] => readdirSync(join(OUTPUT, 'public', folder))

const searches = QUERIES.map((query) => `/api/v1/skills?q=${encodeURIComponent(query)}`)
const pages = spread(listNames('skills').filter((name) => name.endsWith('.html'))).map(
  (name) => `/skills/${name.slice(0, -'.html'.length)}`,
)
const zips = spread(listNames('api/skills/download')).map((id) => `/api/skills/download/${id}`)
/** Pages, their twins and zips in turn. */
const mixed = pages.flatMap((page, at) => [page, `${page}.md`, zips[at % zips.length]!])

const checkouts = new Map([['this checkout', PROJECT_ROOT]])
if (values.beside !== undefined) checkouts.set(values.beside, resolve(values.beside))
const servers: Running[] = []
for (const [name, root] of checkouts) servers.push(await startHost(name, root))
await compareServers('searches', servers, ['/api/v1/skills', ...searches], { connections: 16 })
for (const connections of [10, 200]) {
  await compareServers('pages', servers, pages, { connections })
  await compareServers('pages in brotli', servers, pages, { connections, coding: 'br' })
  await compareServers('pages, twins and zips', servers, mixed, { connections })
}
console.log(
  '\n| server | start, ms | MiB at the start | MiB after all |\n| --- | --- | --- | --- |',
)
for (const { name, child, pid, start, resident } of servers) {
  const cells = [start, resident, residentOf(pid)].map(Math.round)
  console.log(`| ${name} | ${cells.join(' | ')} |`)
  child.removeAllListeners('exit')
  child.kill('SIGKILL')
}
