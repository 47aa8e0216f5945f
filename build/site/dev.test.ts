import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SMALL_CONTENT, writeFiles } from '../../src/catalog/testing/content.ts'
import { chooseFreePort } from '../../testing/free-port.ts'
import { PROJECT_ROOT } from './settings.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-dev-'))
  writeFiles(join(root, 'content'), SMALL_CONTENT)
})
afterAll(() => rmSync(root, { recursive: true }))

/** Starts `npm run dev`; returns the builds that it has reported to browsers so far, and a function that stops it. */
const startDevelopment = async () => {
  const port = await chooseFreePort()
  const env = {
    ...process.env,
    CONTENT_DIR: join(root, 'content'),
    OUT_DIR: join(root, 'out'),
    PORT: String(port),
  }
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'build/site/dev.ts')], {
    env: { ...env, SITE_URL: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  const builds: number[] = []
  const listen = async (): Promise<void> => {
    const { body } = await fetch(`http://localhost:${port}/@dev/news`)
    for await (const chunk of body!.pipeThrough(new TextDecoderStream()))
      for (const [, build] of chunk.matchAll(/"build":(\d+)/g)) builds.push(Number(build))
  }
  // The connection breaks when the server is stopped.
  void listen().catch(() => undefined)
  const stop = async (): Promise<void> => {
    child.kill()
    await once(child, 'exit')
  }
  return { builds, stop }
}

/** A pause in which no build ends. On a busy machine, the events of one save can come so far apart that each is built. */
const QUIET = 500

/** Waits until no build ends for a while. Returns the number of builds. */
const settle = async (builds: readonly number[]): Promise<number> => {
  for (;;) {
    const { length } = builds
    await pause(QUIET)
    if (builds.length === length) return length
  }
}

test('a save by rename or in place -> a build, and no endless series of builds', async () => {
  const path = join(root, 'content/skills/near/SKILL.md')
  const text = readFileSync(path, 'utf8')
  const saves = {
    'by rename': () => {
      writeFileSync(`${path}.new`, `${text}\nBy rename.\n`)
      renameSync(`${path}.new`, path)
    },
    'in place': () => writeFileSync(path, `${text}\nIn place.\n`),
  }
  const { builds, stop } = await startDevelopment()
  try {
    await expect.poll(() => builds.at(-1)).toBeGreaterThan(0)
    for (const name of ['by rename', 'in place'] as const) {
      const before = await settle(builds)
      saves[name]()
      await expect.poll(() => builds.length, { message: name }).toBeGreaterThan(before)
    }
  } finally {
    await stop()
  }
})

test.each([
  [
    'EMFILE',
    /raise fs\.inotify\.max_user_instances \(sysctl\) or the number of open files \(ulimit -n\)/,
  ],
  ['ENOSPC', /raise fs\.inotify\.max_user_watches \(sysctl\)/],
])('the system gives no watcher, %s -> names the limit to raise', async (code, message) => {
  const refuse = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    fs.watch = () => { throw Object.assign(new Error('watch'), { code: '${code}' }) }; syncBuiltinESMExports()`
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(PROJECT_ROOT, 'build/site/dev.ts')],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        CONTENT_DIR: join(root, 'content'),
        OUT_DIR: join(root, 'unwatched'),
        PORT: String(await chooseFreePort()),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refuse)}`,
      },
    },
  )
  expect(stderr).toMatch(message)
  expect(status).toBe(1)
})
