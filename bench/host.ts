import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSite } from '../build/site/build.ts'
import { createPageModule } from '../build/site/integration.ts'
import { createProgress } from '../build/site/progress.ts'
import { PROJECT_ROOT, readSettings } from '../build/site/settings.ts'
import { renderWithAstro } from '../build/site/templates.ts'
import { openWorkspace } from '../build/site/workspace.ts'

// Measures what Astro's adapter costs around the function: the same answers from the Node host and
// from the adapter's on-demand route, in turns, as CPU time of the server's process.

const ROUNDS = 5
const REQUESTS = 2_000
const PARALLEL = 16
const QUERIES = ['csv', 'code review', 'write release notes', 'meeting', 'accessible colours', '']
const TICKS_PER_SECOND = 100

/** CPU seconds of a process so far, its own and the system's for it (proc(5), fields 14 and 15). */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const waitForPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const port = /localhost:(\d+)/.exec(chunk.toString())?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    child.on('exit', (code) => reject(new Error(`a server ended with ${code}`)))
  })

const ask = (agent: Agent, port: number, query: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const path = `/api/v1/skills${query === '' ? '' : `?q=${encodeURIComponent(query)}`}`
    get({ host: 'localhost', port, path, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      response.resume().on('end', resolve)
    }).on('error', reject)
  })

const load = async (port: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL })
  let next = 0
  const work = async (): Promise<void> => {
    while (next < REQUESTS) {
      next += 1
      await ask(agent, port, QUERIES[next % QUERIES.length] ?? '')
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  agent.destroy()
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const main = async (): Promise<void> => {
  const scratch = mkdtempSync(join(tmpdir(), 'skill-registry-host-'))
  const settings = { ...readSettings(process.env), outputFolder: scratch }
  await buildSite(settings, createProgress(process.stderr))
  const rendered = await renderWithAstro(createPageModule(() => openWorkspace(settings)))
  const adapter = join(scratch, 'adapter.mjs')
  writeFileSync(
    adapter,
    `import { createServer } from 'node:http'
import { handler } from ${JSON.stringify(rendered.entry)}
const server = createServer(handler).listen(0, 'localhost', () => console.log('localhost:' + server.address().port))`,
  )
  const environment = { ...process.env, OUT_DIR: scratch, PORT: '0', LOG: 'off' }
  const hosts = { 'Node host': join(PROJECT_ROOT, 'functions/hosts/node.ts'), adapter }
  const running = await Promise.all(
    Object.entries(hosts).map(async ([name, file]) => {
      const child = spawn(process.execPath, [file], {
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return { name, child, port: await waitForPort(child), rates: [] as number[] }
    }),
  )
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { child, port, rates } of running) {
      const before = cpuOf(child.pid ?? 0)
      await load(port)
      // The first round warms up.
      if (round > 0) rates.push(REQUESTS / (cpuOf(child.pid ?? 0) - before))
    }
  }
  console.log('| host | answers a CPU second (median, min to max) |\n| --- | --- |')
  for (const { name, child, rates } of running) {
    const range = `${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}`
    console.log(`| ${name} | ${Math.round(median(rates))} (${range}) |`)
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
  }
  rendered.remove()
  rmSync(scratch, { recursive: true, force: true })
}

await main()
