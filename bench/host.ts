import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSite } from '../build/site/build.ts'
import { createProgress } from '../build/machine/progress.ts'
import { PROJECT_ROOT, readSettings } from '../build/site/settings.ts'
import { readOptions } from './options.ts'
import {
  compareServers,
  listSkillPages,
  load,
  printRates,
  residentOf,
  startHost,
  startServer,
  stopServer,
} from './load.ts'
import type { Running } from './load.ts'

const values = readOptions(
  "Measures the CPU time of the server's process per answer, and the time that a server takes to start.",
  {
    out: {
      type: 'string',
      about: 'a built site to serve; without this option, the catalog is built',
    },
    rounds: { type: 'string', default: '5', about: 'rounds, in which the servers take turns' },
    requests: { type: 'string', default: '2000', about: 'requests per round' },
    beside: {
      type: 'string',
      about: 'another checkout, whose server takes turns with this one',
    },
  },
)

const ROUNDS = Number(values.rounds)
const REQUESTS = Number(values.requests)
const QUERIES = ['csv', 'code review', 'write release notes', 'meeting', 'accessible colours', '']
const PAGES_REQUESTED = 500

const apiPaths = QUERIES.map((query) =>
  query === '' ? '/api/v1/skills' : `/api/v1/skills?q=${encodeURIComponent(query)}`,
)

/** Lists addresses of pages, spread over the catalog. */
const listPages = (output: string): string[] => {
  const pages = listSkillPages(output)
  const step = Math.max(1, Math.floor(pages.length / PAGES_REQUESTED))
  return pages.filter((_, at) => at % step === 0)
}

/** Lists addresses of zips, spread over the catalog. */
const listZips = (output: string): string[] => {
  const zips = readdirSync(join(output, 'public', 'api', 'skills', 'download'))
  const step = Math.max(1, Math.floor(zips.length / PAGES_REQUESTED))
  return zips.filter((_, at) => at % step === 0).map((id) => `/api/skills/download/${id}`)
}

const startBeside = async (output: string): Promise<Running[]> =>
  values.beside === undefined
    ? []
    : [await startHost(output, resolve(values.beside), `Node host of ${values.beside}`)]

const startSirvs = async (output: string): Promise<Running[]> => {
  const isInstalled = existsSync(join(import.meta.dirname, 'node_modules/sirv'))
  if (!isInstalled) console.error('sirv is not installed (run npm ci --prefix bench): not measured')
  const modes = isInstalled ? ['dev', 'production'] : []
  const program = join(PROJECT_ROOT, 'bench/sirv-server.mjs')
  const folder = join(output, 'current', 'public')
  return Promise.all(
    modes.map((mode) => startServer(`sirv alone, ${mode}`, [program, folder, mode], process.env)),
  )
}

const measureApi = async (output: string): Promise<void> => {
  const servers = [await startHost(output), ...(await startBeside(output))]
  printRates('API', await compareServers(servers, apiPaths, REQUESTS, ROUNDS))
  servers.forEach(stopServer)
}

/** Pages, their twins and zips in turn. */
const mix = (pages: readonly string[], zips: readonly string[]): string[] =>
  pages.flatMap((page, at) => [page, `${page}.md`, zips[at % zips.length]!])

const measurePages = async (output: string): Promise<void> => {
  const servers = [
    await startHost(output),
    ...(await startBeside(output)),
    ...(await startSirvs(output)),
  ]
  const pages = listPages(output)
  const zips = listZips(output)
  for (const connections of [10, 200]) {
    const measure = async (title: string, paths: readonly string[], coding = ''): Promise<void> =>
      printRates(
        `${title}, ${connections} connections`,
        await compareServers(servers, paths, REQUESTS, ROUNDS, { connections, coding }),
      )
    await measure('pages', pages)
    await measure('pages in brotli', pages, 'br')
    await measure('zips', zips)
    await measure('pages, twins and zips', mix(pages, zips))
  }
  console.log('\n| server | start, ms | MiB resident after the load |\n| --- | --- | --- |')
  for (const server of servers) {
    console.log(
      `| ${server.name} | ${Math.round(server.start)} | ${Math.round(residentOf(server.pid))} |`,
    )
  }
  servers.forEach(stopServer)
}

const measureStart = async (output: string): Promise<void> => {
  const host = await startHost(output)
  const started = residentOf(host.pid)
  await load(host.port, [...apiPaths, ...listPages(output)], REQUESTS)
  console.log('\n| Node host | start, ms | MiB resident at start | after a mixed load |')
  console.log('| --- | --- | --- | --- |')
  const cells = [host.start, started, residentOf(host.pid)].map(Math.round)
  console.log(`| ${listSkillPages(output).length} skills | ${cells.join(' | ')} |`)
  stopServer(host)
}

const main = async (): Promise<void> => {
  const scratch =
    values.out === undefined ? mkdtempSync(join(tmpdir(), 'skill-registry-host-')) : ''
  const output = resolve(values.out ?? scratch)
  if (scratch !== '') {
    const settings = { ...readSettings(process.env), outputFolder: output }
    await buildSite(settings, createProgress(process.stderr))
  }
  await measureApi(output)
  await measurePages(output)
  await measureStart(output)
  if (scratch !== '') rmSync(scratch, { recursive: true, force: true })
}

await main()
