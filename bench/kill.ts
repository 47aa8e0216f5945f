import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { writeContent } from './build-content.ts'
import { readOptions } from './options.ts'
import { startServer, stopServer } from './load.ts'

const values = readOptions(
  'Kills builds at random moments while a client asks, and counts answers that failed or mixed two builds.',
  {
    kills: { type: 'string', default: '50', about: 'builds to kill' },
    skills: { type: 'string', default: '1000', about: 'skills of the catalog' },
    rate: { type: 'string', default: '50', about: 'requests a second' },
  },
)
const [KILLS, SKILLS, RATE] = [Number(values.kills), Number(values.skills), Number(values.rate)]
const MILLISECONDS = 1_000

const slugOf = (id: number): string => `skill-${id}`

/** Every text and record of an edition names it. */
const writeEdition = (content: string, edition: number): void => {
  rmSync(content, { recursive: true, force: true })
  mkdirSync(content)
  writeContent(
    content,
    Array.from({ length: SKILLS }, (_, at) => ({
      id: at + 1,
      slug: slugOf(at + 1),
      name: `Skill ${at + 1}`,
      author: 'bench',
      category: 'Coding',
      description: `Edition ${edition} of it.`,
      url: `https://github.com/bench/skills/tree/main/${at + 1}`,
      updated: '2026-01-01',
      body: `# Skill\n\nEdition ${edition}.\n`,
    })),
  )
}

const pathsOf = (id: number): string[] => [
  `/skills/${slugOf(id)}`,
  `/skills/${slugOf(id)}.md`,
  `/skills/${slugOf(id)}/SKILL.md`,
  `/api/skills/download/${id}`,
  '/skills',
  '/api/v1/skills?limit=100',
]

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit)

interface Watch {
  asked: number
  faults: string[]
}

const ask = async (port: number, watch: Watch): Promise<void> => {
  const paths = pathsOf(1 + randomBelow(SKILLS))
  const path = paths[randomBelow(paths.length)] ?? '/'
  watch.asked += 1
  try {
    const response = await fetch(`http://localhost:${port}${path}`)
    const editions = new Set((await response.text()).match(/Edition \d+/g))
    if (response.status !== 200) watch.faults.push(`${path}: ${response.status}`)
    if (editions.size > 1) watch.faults.push(`${path}: ${[...editions].join(' and ')}`)
  } catch (error) {
    watch.faults.push(`${path}: ${String(error)}`)
  }
}

const main = async (): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'skill-registry-kills-'))
  const [content, output] = [join(root, 'content'), join(root, 'dist')]
  const environment = {
    ...process.env,
    CONTENT_DIR: content,
    OUT_DIR: output,
    PORT: '0',
    LOG: 'off',
  }
  const build = () =>
    spawn(process.execPath, [join(PROJECT_ROOT, 'build/site/main.ts')], {
      env: environment,
      stdio: 'ignore',
    })
  writeEdition(content, 0)
  const started = performance.now()
  await once(build(), 'exit')
  // How long a build takes: the first one's time, then that of the last one that was not caught.
  let whole = performance.now() - started
  const server = await startServer(
    'Node host',
    [join(PROJECT_ROOT, 'functions/hosts/node.mjs')],
    environment,
  )
  const watch: Watch = { asked: 0, faults: [] }
  const asking = new Set<Promise<void>>()
  const timer = setInterval(() => {
    const one = ask(server.port, watch).finally(() => asking.delete(one))
    asking.add(one)
  }, MILLISECONDS / RATE)
  let killed = 0
  let edition = 0
  while (killed < KILLS) {
    writeEdition(content, ++edition)
    const begin = performance.now()
    const child = build()
    const exited = once(child, 'exit')
    await Promise.race([pause(randomBelow(whole)), exited])
    if (child.exitCode === null) killed += 1
    else whole = performance.now() - begin
    child.kill('SIGKILL')
    await exited
  }
  writeEdition(content, ++edition)
  const [code] = (await once(build(), 'exit')) as [number]
  await pause(MILLISECONDS)
  clearInterval(timer)
  await Promise.all(asking)
  const last = await (await fetch(`http://localhost:${server.port}/api/v1/skills?limit=100`)).text()
  stopServer(server)
  rmSync(root, { recursive: true, force: true })
  const isWhole =
    code === 0 &&
    new Set(last.match(/Edition \d+/g)).size === 1 &&
    last.includes(`Edition ${edition} `)
  console.log('| builds | killed before their end | answers | failed or mixed | the next build |')
  console.log('| --- | --- | --- | --- | --- |')
  console.log(
    `| ${edition - 1} | ${killed} | ${watch.asked} | ${watch.faults.length} | ${isWhole ? 'whole' : 'not whole'} |`,
  )
  for (const fault of watch.faults.slice(0, 10)) console.log(fault)
  if (watch.faults.length > 0 || !isWhole) process.exitCode = 1
}

await main()
