import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askOrigin } from '../../testing/contract/ask.ts'
import { holdSite } from '../../testing/contract/site-up.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACK = join(ROOT, 'build/package/pack.ts')
const folder = mkdtempSync(join(tmpdir(), 'package-'))
const installed = join(folder, 'installed')
const code = join(installed, 'node_modules/skill-registry')
const registry = join(folder, 'acme')

/** Without the folders that tests of this checkout give their programs. */
const { CONTENT_DIR: _content, OUT_DIR: _out, SITE_URL: _url, ...environment } = process.env

/** Not in one go with this process, which could not see meanwhile that the server closes a connection. */
const run = async (program: string, args: readonly string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd, env: environment })).stdout

const COMMAND = join(installed, 'node_modules/.bin/skill-registry')
const call = (...args: string[]): Promise<string> => run(COMMAND, args, registry)

const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(path, 'utf8')) as Value

type Wanted = Readonly<Record<string, string>>
interface Locked {
  dev?: boolean
  dependencies?: Wanted
  optionalDependencies?: Wanted
  peerDependencies?: Wanted
}

/** Installs a tarball with the versions that this checkout has, so that npm finds them in its cache. */
const install = async (tarball: string, manifest: Locked): Promise<void> => {
  const { packages } = readJson<{ packages: Record<string, Locked> }>(
    join(ROOT, 'package-lock.json'),
  )
  const dependencies = { 'skill-registry': `file:${tarball}` }
  const taken: Record<string, object> = {
    '': { dependencies },
    'node_modules/skill-registry': { ...manifest, resolved: `file:${tarball}` },
  }
  const take = (wanted: Locked): void => {
    const { dependencies: own, optionalDependencies: optional, peerDependencies: peers } = wanted
    for (const name of Object.keys({ ...own, ...optional, ...peers })) {
      const path = `node_modules/${name}`
      const inside = Object.keys(packages).filter((one) => one.startsWith(`${path}/`))
      for (const one of [path, ...inside]) {
        if (one in taken || !packages[one]) continue
        const { dev: _, ...locked } = packages[one]
        taken[one] = locked
        take(locked)
      }
    }
  }
  take(manifest)
  mkdirSync(installed)
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ dependencies }))
  const lock = { lockfileVersion: 3, packages: taken }
  writeFileSync(join(installed, 'package-lock.json'), JSON.stringify(lock))
  await run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], installed)
}

/** Every file of the installed package with what a write would change. */
const listState = (): string[] =>
  globSync('**', { cwd: code }).map((name) => {
    const { size, mtimeMs } = statSync(join(code, name))
    return `${name} ${size} ${mtimeMs}`
  })

let before: string[]
let server: ChildProcess
beforeAll(async () => {
  await run(process.execPath, [PACK, join(folder, 'package')], ROOT)
  const manifest = readJson<Locked & { version: string }>(join(folder, 'package/package.json'))
  await install(join(folder, `skill-registry-${manifest.version}.tgz`), manifest)
  await run('chmod', ['-R', 'a-w', code], folder)
  before = listState()
})
afterAll(async () => {
  server?.kill('SIGKILL')
  await run('chmod', ['-R', 'u+w', folder], '/')
  rmSync(folder, { recursive: true })
})

test('a folder that is there already -> stays as it is', async () => {
  const kept = join(folder, 'kept')
  mkdirSync(kept)
  writeFileSync(join(kept, 'thesis.txt'), '')
  await expect(run(process.execPath, [PACK, kept], ROOT)).rejects.toThrow('is there already')
  expect(globSync('*', { cwd: kept })).toEqual(['thesis.txt'])
})

test('the package is small, and so is what it needs', () => {
  expect(before.length).toBeLessThan(200)
  const sizes = globSync('**', { cwd: join(installed, 'node_modules') }).map(
    (name) => statSync(join(installed, 'node_modules', name)).size,
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60e6)
  const { packages } = readJson<{ packages: object }>(
    join(installed, 'node_modules/.package-lock.json'),
  )
  expect(Object.keys(packages).length).toBeLessThan(60)
})

test('its docs have every field of site.json and every command', () => {
  const docs = ['own', 'authors', 'operators'].map((name) =>
    readFileSync(join(code, `docs/${name}.md`), 'utf8'),
  )
  expect(docs.join('')).not.toMatch(/\{(?:site|theme)-|\(\/docs\/own/)
  expect(docs.join('')).toMatch(/- `navigation`: [^]*## retire\n[^]*`METRICS_PORT`/)
  for (const name of ['own', 'authors', 'operators'])
    expect(readFileSync(join(code, 'README.md'), 'utf8')).toContain(`(docs/${name}.md)`)
})

test('init, build, serve, the contract, add and update run from it, and write nothing into it', async () => {
  await run(COMMAND, ['init', 'acme', '--name', 'Acme Skills'], folder)
  expect(await call('build')).toMatch(/^Built 1 skill,/)
  const env = { ...environment, PORT: '0' }
  server = spawn(COMMAND, ['serve', '--quiet'], { cwd: registry, env })
  const [said] = (await once(server.stdout!, 'data')) as [Buffer]
  const [origin = ''] = /http:\S+/.exec(said.toString()) ?? []
  const page = await (await fetch(`${origin}/skills/write-a-skill`)).text()
  expect(page).toContain('Acme Skills')
  expect(await holdSite(askOrigin(origin), false)).toMatchObject({ lost: [] })

  const source = join(folder, 'source')
  const git = (...args: string[]): Promise<string> => run('git', args, source)
  const commit = async (message: string): Promise<void> => {
    await git('add', '.')
    await git('-c', 'user.name=Ada', '-c', 'user.email=ada@a.example', 'commit', '-qm', message)
  }
  cpSync(join(ROOT, 'content/skills/csv-clean'), join(source, 'csv-clean'), { recursive: true })
  cpSync(join(ROOT, 'LICENSE'), join(source, 'LICENSE'))
  await git('init', '-q')
  await commit('one')
  const address = `file://${source}`
  await call('catalog', 'add', address, '--source', 'https://github.com/ada/skills')
  writeFileSync(join(source, 'csv-clean/notes.md'), 'Commas.\n')
  await commit('two')
  const report = await call('catalog', 'update', '--markdown')
  expect(report).toContain('csv-clean')
  expect(await call('build')).toMatch(/^Built 2 skills/)
  expect(await call('catalog', 'check')).toBe('')
  expect((await fetch(`${origin}/skills/csv-clean/notes.md`)).status).toBe(200)
  await call('host', 'cloudflare')
  await call('build', '--static')
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
  expect(listState()).toEqual(before)
  expect(globSync('node_modules', { cwd: registry })).toEqual([])
}, 120_000)
