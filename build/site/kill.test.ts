import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWN_RECORD, skillMd } from '../../src/catalog/testing/content.ts'
import { removeFolders } from '../../testing/sample-folders.ts'
import { PROJECT_ROOT } from './settings.ts'
import { TestSite } from './testing/test-site.ts'

/** `KILLS=50 npx vitest run build/site/kill` is the thorough run. */
const KILLS = Number(process.env['KILLS'] ?? 3)
const SKILLS = 12

let site: TestSite
beforeAll(() => {
  site = new TestSite()
})
afterAll(removeFolders)

const environment = (out: string): NodeJS.ProcessEnv => ({
  ...process.env,
  CONTENT_DIR: site.content,
  OUT_DIR: join(site.root, out),
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
  const slugs = Array.from({ length: SKILLS }, (_, index) => `first-${index}`)
  const description = `Edition ${edition} of it.`
  for (const [index, slug] of slugs.entries())
    site.write({
      [`skills/${slug}/skill.json`]: { ...OWN_RECORD, id: 100 + index, description },
      [`skills/${slug}/SKILL.md`]: skillMd(slug, `Edition ${edition}.`),
    })
}

const build = async (out?: string): Promise<number | null> => {
  const child = run('build/site/main.mjs', out)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
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
    const child = run('build/site/main.mjs')
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
  expect(site.tree()).toEqual(site.tree('clean'))
  expect(seen.size).toBeGreaterThan(1)
})
