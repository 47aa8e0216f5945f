import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  OWN_RECORD,
  SMALL_CONTENT,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { PROJECT_ROOT } from './settings.ts'

const KILLS = Number(process.env['KILLS'] ?? 5)
const SKILLS = 40

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-kill-'))
  mkdirSync(join(root, 'content'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const environment = (out: string): NodeJS.ProcessEnv => ({
  ...process.env,
  CONTENT_DIR: join(root, 'content'),
  OUT_DIR: join(root, out),
  PORT: '0',
  LOG: 'off',
})

const run = (file: string, out = 'dist') =>
  spawn(process.execPath, [join(PROJECT_ROOT, file)], {
    env: environment(out),
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Writes content whose pages and search records all contain the number of the edition. */
const writeEdition = (edition: number): void => {
  writeFiles(join(root, 'content'), {
    ...SMALL_CONTENT,
    ...Object.fromEntries(
      Array.from({ length: SKILLS }, (_, index) => [
        [
          `skills/first-${index}/skill.json`,
          { ...OWN_RECORD, id: 100 + index, description: `Edition ${edition} of it.` },
        ],
        [`skills/first-${index}/SKILL.md`, skillMd(`first-${index}`, `Edition ${edition}.`)],
      ]).flat(),
    ),
  })
}

const build = async (out?: string): Promise<number | null> => {
  const child = run('build/site/main.ts', out)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

const readTree = (out: string): Map<string, string> => {
  const folder = realpathSync(join(root, out, 'current'))
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [relative(folder, path), readFileSync(path, 'latin1')]),
  )
}

const editionsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/Edition (\d+)/g)].map(([, edition = '']) => edition))

const startServer = async (): Promise<{ url: string; stop: () => void }> => {
  const child = run('functions/hosts/node.mjs')
  for await (const chunk of child.stdout) {
    const url = /http:\/\/\S+/.exec(String(chunk))?.[0]
    if (url !== undefined) return { url, stop: () => void child.kill('SIGKILL') }
  }
  throw new Error('the server did not report its address')
}

test(`a build killed ${KILLS} times under load: every response is complete and from one edition, and the next build is complete`, async () => {
  writeEdition(0)
  expect(await build()).toBe(0)
  const server = await startServer()
  const faults: string[] = []
  const seen = new Set<string>()
  const over = new AbortController()
  const ask = async (path: string): Promise<void> => {
    const response = await fetch(server.url + path)
    const editions = editionsIn(await response.text())
    if (response.status !== 200) faults.push(`${path}: ${response.status}`)
    if (editions.size !== 1) faults.push(`${path}: editions ${[...editions].join(', ')}`)
    for (const edition of editions) seen.add(edition)
  }
  const client = async (): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const slug = `first-${(turn * 7) % SKILLS}`
      const paths = [
        `/skills/${slug}`,
        `/skills/${slug}.md`,
        '/skills',
        '/api/v1/skills?limit=40',
        `/skills/${slug}/SKILL.md`,
      ]
      await ask(paths[turn % paths.length] ?? '').catch((error: unknown) =>
        faults.push(String(error)),
      )
      await pause(20)
    }
  }
  const load = client()
  for (let kill = 1; kill <= KILLS; kill += 1) {
    writeEdition(kill)
    const child = run('build/site/main.ts')
    const exited = once(child, 'exit')
    // Kill at different times during a build, and after it.
    await Promise.race([pause(100 + ((kill - 1) * 1_000) / (KILLS - 1 || 1)), exited])
    child.kill('SIGKILL')
    await exited
  }
  writeEdition(KILLS + 1)
  expect(await build()).toBe(0)
  await pause(200)
  over.abort()
  await load
  const last = await (await fetch(`${server.url}/api/v1/skills?limit=40`)).text()
  server.stop()
  expect(faults).toEqual([])
  expect([...editionsIn(last)]).toEqual([String(KILLS + 1)])
  expect(await build('clean')).toBe(0)
  expect(readTree('dist')).toEqual(readTree('clean'))
  expect(seen.size).toBeGreaterThan(1)
})
