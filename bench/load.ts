import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { SERVE_FLAGS } from '../build/cli/flags.mjs'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { median } from './measures.ts'

const TICKS_PER_SECOND = 100
const MIB = 1_048_576
const PAGE_BYTES = 4_096

/** CPU seconds that a process and its children have used, user and system (proc(5), fields 14 and 15). */
const cpuOf = (pid: number): number => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
  return [pid, ...children].map(Number).reduce((sum, one) => sum + cpuAlone(one), 0)
}

const cpuAlone = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Resident memory of a process in MiB (proc(5), statm). */
export const residentOf = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB

/** A server that is measured. */
export interface Running {
  name: string
  child: ChildProcess
  pid: number
  port: number
  /** Milliseconds from its start until it listens. */
  start: number
}

/** Starts a server that prints `localhost:<port>` once it listens. */
export const startServer = (
  name: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Running> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, args, {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.on('data', (chunk: Buffer) => {
      const port = /localhost:(\d+)/.exec(chunk.toString())?.[1]
      if (port === undefined) return
      const start = performance.now() - started
      resolve({ name, child, pid: child.pid ?? 0, port: Number(port), start })
    })
    child.on('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })

/** Starts the Node host of a checkout for a built site. */
export const startHost = (
  output: string,
  root = PROJECT_ROOT,
  name = 'Node host',
): Promise<Running> => {
  const program = join(root, 'functions/hosts/node.mjs')
  const environment = { ...process.env, OUT_DIR: output, PORT: '0', LOG: 'off' }
  return startServer(name, [...SERVE_FLAGS, program], environment)
}

/** Lists the addresses of the skill pages of a built site. */
export const listSkillPages = (output: string): string[] =>
  readdirSync(join(output, 'public', 'skills'))
    .filter((name) => name.endsWith('.html'))
    .map((name) => `/skills/${name.slice(0, -'.html'.length)}`)

/** Ends a server. */
export const stopServer = ({ child }: Running): void => {
  child.removeAllListeners('exit')
  child.kill('SIGKILL')
}

const ask = (agent: Agent, port: number, path: string, coding: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = coding === '' ? {} : { 'Accept-Encoding': coding }
    get({ host: 'localhost', port, path, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      response.resume().on('end', resolve)
    }).on('error', reject)
  })

/** How requests are sent. */
interface SendOptions {
  connections?: number
  /** Accept-Encoding. */
  coding?: string
}

/** Sends `requests` requests for the paths in turn, over persistent connections. */
export const load = async (
  port: number,
  paths: readonly string[],
  requests: number,
  { connections = 16, coding = '' }: SendOptions = {},
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const work = async (): Promise<void> => {
    while (next < requests) {
      next += 1
      await ask(agent, port, paths[next % paths.length] ?? '/', coding)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
}

/** Measures the answers per CPU second of each server. The servers take turns, and the first round is a warm-up. */
export const compareServers = async (
  servers: readonly Running[],
  paths: readonly string[],
  requests: number,
  rounds: number,
  options: SendOptions = {},
): Promise<Map<string, number[]>> => {
  const rates = new Map(servers.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, pid, port } of servers) {
      const before = cpuOf(pid)
      await load(port, paths, requests, options)
      if (round > 0) rates.get(name)?.push(requests / (cpuOf(pid) - before))
    }
  }
  return rates
}

/** Prints a table of rates: median, minimum and maximum. */
export const printRates = (title: string, rates: ReadonlyMap<string, readonly number[]>): void => {
  console.log(`\n| ${title} | answers per CPU second (median, min to max) |\n| --- | --- |`)
  for (const [name, values] of rates) {
    const range = `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`
    console.log(`| ${name} | ${Math.round(median(values))} (${range}) |`)
  }
}
