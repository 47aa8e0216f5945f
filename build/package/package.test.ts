import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendToOrigin } from '../../testing/contract/requests.ts'
import { checkSite } from '../../testing/contract/site-up.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACK = join(ROOT, 'build/package/pack.ts')
const folder = mkdtempSync(join(tmpdir(), 'package-'))
/** The folder in which README's commands run; the registry is created beside it. */
const checkout = join(folder, 'checkout')
const registry = join(folder, 'my-registry')
const code = join(registry, 'node_modules/skill-registry')

/** Without the variables that other tests set, and with an empty npm cache. */
const { CONTENT_DIR: _content, OUT_DIR: _out, SITE_URL: _url, ...inherited } = process.env
const environment: NodeJS.ProcessEnv = {
  ...inherited,
  HOST: '127.0.0.1',
  PORT: '0',
  npm_config_cache: join(folder, 'cache'),
}

/** Runs a program asynchronously: this process must notice when the server closes a connection. */
const run = async (
  program: string,
  args: readonly string[],
  cwd: string,
  env = environment,
): Promise<string> => (await promisify(execFile)(program, args, { cwd, env })).stdout

/** Runs a line in a shell. */
const type = (line: string, cwd: string, env = environment): Promise<string> =>
  run('bash', ['-ec', line], cwd, env)

const servers: ChildProcess[] = []
const stopServers = (): void => {
  for (const { pid } of servers.splice(0)) process.kill(-pid!, 'SIGKILL')
}

/** Runs a line that starts a server; returns the origin of the server. */
const serve = (line: string, cwd: string, env = environment): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-ec', line], { cwd, env, detached: true })
    servers.push(child)
    let output = ''
    const listen = (chunk: Buffer): void => {
      output += chunk.toString()
      const [, origin] = /Serving .* on (http:[^\s"]+)/.exec(output) ?? []
      if (origin !== undefined) resolve(origin)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('exit', () => reject(new Error(`${line} has ended:\n${output}`)))
  })

const COMMAND = join(registry, 'node_modules/.bin/skill-registry')
const call = (...args: string[]): Promise<string> => run(COMMAND, args, registry)

/** Calls a command that may end with 3, because something needs a look. */
const look = (...args: string[]): Promise<string> =>
  call(...args).catch((error: { code?: number; stdout: string }) => {
    if (error.code === 3) return error.stdout
    throw error
  })

const readText = (path: string): string => readFileSync(path, 'utf8')
const readJson = <Value>(path: string): Value => JSON.parse(readText(path)) as Value

/** Lists every file of the installed package, with its size and time, to detect writes. */
const listState = (): string[] =>
  globSync('**', { cwd: code }).map((name) => {
    const { size, mtimeMs } = statSync(join(code, name))
    return `${name} ${size} ${mtimeMs}`
  })

/** The commands in README's section "A registry of your own". */
const [, packing = '', beginning = ''] =
  /## A registry of your own\n[^]*?```sh\n(.*)\n(.*)\n```/.exec(
    readText(join(ROOT, 'README.md')),
  ) ?? []

let initOutput: string
let origin: string
let before: string[]
beforeAll(async () => {
  await run(process.execPath, [PACK, join(checkout, 'dist/package')], ROOT)
  initOutput = await type(beginning, checkout)
  const [, now = ''] = /\n\nNow: (.*)\n$/.exec(initOutput) ?? []
  origin = await serve(now, checkout)
  await run('chmod', ['-R', 'a-w', code], folder)
  before = listState()
})
afterAll(async () => {
  stopServers()
  await run('chmod', ['-R', 'u+w', folder], '/')
  rmSync(folder, { recursive: true })
})

test("README's commands and the command that init prints -> a site", async () => {
  expect(packing).toBe('npm run pack')
  expect(initOutput).toMatch(/^wrote \S+\/vendor\/skill-registry-[\d.]+\.tgz\n/)
  const page = await (await fetch(`${origin}/skills/write-a-skill`)).text()
  expect(page).toContain('Acme Skills')
  stopServers()
})

test('npm does not request a package with our name', () => {
  const index = join(folder, 'cache/_cacache/index-v5')
  const requested = globSync('*/*/*', { cwd: index })
    .map((name) => /"key":"([^"]*)"/.exec(readText(join(index, name)))?.[1])
    .join('\n')
  expect(requested).toMatch(/https:\/\/\S+\/resvg-js\b/)
  expect(requested).not.toMatch(/https?:\S*skill-registry/)
})

test('no text tells users to install a package with our name from npm', () => {
  const ask =
    /\b(?:npx|npm (?:i|install|add|exec)|yarn|pnpm|bunx)(?: -\S+)* skill-registry\b|npmjs\.com\/package\/skill/
  const texts = [
    '*.{md,mjs}',
    '{content,docs,src,build,functions,bench}/**/*.{md,ts,mjs,astro,yml}',
  ]
  const asking = globSync(texts, { cwd: ROOT, exclude: ['**/node_modules/**'] }).filter((name) =>
    ask.test(readText(join(ROOT, name))),
  )
  expect(asking).toEqual([])
})

test('an existing folder -> is not changed', async () => {
  const kept = join(folder, 'kept')
  mkdirSync(kept)
  writeFileSync(join(kept, 'thesis.txt'), '')
  await expect(run(process.execPath, [PACK, kept], ROOT)).rejects.toThrow('already exists')
  expect(globSync('*', { cwd: kept })).toEqual(['thesis.txt'])
})

test('the package and its dependencies are small', () => {
  expect(before.length).toBeLessThan(200)
  const modules = join(registry, 'node_modules')
  const sizes = globSync('**', { cwd: modules, exclude: ['node', 'node-*'] }).map(
    (name) => statSync(join(modules, name)).size,
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60e6)
  const { packages } = readJson<{ packages: object }>(join(modules, '.package-lock.json'))
  expect(Object.keys(packages).length).toBeLessThan(60)
})

test('the docs of the package have every field of site.json and every command', () => {
  const docs = ['own', 'authors', 'commands', 'operators'].map((name) =>
    readText(join(code, `docs/${name}.md`)),
  )
  expect(docs.join('')).not.toMatch(/\{(?:site|theme)-|\((?:\/docs\/|\.\.\/content\/)/)
  expect(docs.join('')).toMatch(/- `navigation`: [^]*## retire\n[^]*`METRICS_PORT`/)
  expect(docs[0]).toContain('The package has its `CHANGELOG.md`')
  for (const name of ['own', 'authors', 'commands', 'operators']
    .map((page) => `docs/${page}.md`)
    .concat('CHANGELOG.md')) {
    expect(readText(join(code, 'README.md'))).toContain(`(${name})`)
    expect(readText(join(code, name))).not.toBe('')
  }
})

test('build, serve, add and update run from the installed package, and write nothing into it', async () => {
  expect(await call('build', '--clean')).toMatch(/^Built 1 skill,/)
  const server = spawn(COMMAND, ['serve'], {
    cwd: registry,
    env: { ...environment, LOG: 'off' },
    detached: true,
  })
  servers.push(server)
  const [first] = (await once(server.stdout, 'data')) as [Buffer]
  const [address = ''] = /http:\S+/.exec(first.toString()) ?? []

  const source = join(folder, 'source')
  const git = (...args: string[]): Promise<string> => run('git', args, source)
  const commit = async (message: string): Promise<void> => {
    await git('add', '.')
    await git('-c', 'user.name=Ada', '-c', 'user.email=ada@a.example', 'commit', '-qm', message)
  }
  cpSync(join(ROOT, 'content/skills/csv-clean'), join(source, 'csv-clean'), { recursive: true })
  cpSync(join(ROOT, 'LICENSE'), join(source, 'LICENSE'))
  mkdirSync(join(source, 'all-mine'))
  writeFileSync(
    join(source, 'all-mine/SKILL.md'),
    '---\nname: all-mine\ndescription: Counts.\nlicense: All rights reserved\n---\n# Mine\n',
  )
  await git('init', '-q')
  await commit('one')
  const row = ['--source', 'https://github.com/ada/skills']
  await look('catalog', 'add', `file://${source}`, ...row)
  writeFileSync(join(source, 'csv-clean/notes.md'), 'Commas.\n')
  await commit('two')
  const report = await look('catalog', 'update')
  expect(report).toContain('csv-clean')
  expect(await call('build')).toMatch(/^Built 3 skills/)
  expect(await call('catalog', 'check')).toBe('')
  expect((await fetch(`${address}/skills/csv-clean/notes.md`)).status).toBe(200)

  // Its first skill has no text, and without a starter set the site has no index.
  const site = join(registry, 'content/site.json')
  const { starter: _starter, ...fields } = readJson<{ starter?: string[] }>(site)
  writeFileSync(site, JSON.stringify(fields))
  await call('build')
  const listed = await (await fetch(`${address}/api/v1/skills`)).json()
  expect(listed).toMatchObject({ skills: [{ name: 'all-mine' }, {}, {}] })
  expect((await fetch(`${address}/.well-known/agent-skills/index.json`)).status).toBe(404)
  const { passed, failed } = await checkSite(sendToOrigin(address), false)
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(250)

  await call('host', 'cloudflare')
  await call('build', '--static')
  servers.pop()?.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
  expect(listState()).toEqual(before)
  expect(readdirSync(join(registry, 'node_modules'))).not.toContain('.cache')
})

test('a registry without skills fulfils the clauses of the contract that need no skills', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(join(empty, 'content/skills'), { recursive: true })
  // The address of the examples in the documentation, which the test site of the contract has too.
  const fields = { name: 'Empty', tagline: 'No skill yet', description: 'A new registry.' }
  const site = JSON.stringify({ ...fields, origin: 'https://skills.example' })
  writeFileSync(join(empty, 'content/site.json'), site)
  const address = await serve(`${COMMAND} start`, empty)
  const { passed, failed } = await checkSite(sendToOrigin(address), false)
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(180)
  stopServers()
})

test('its Dockerfile sends what its first stage copies, and what its second stage copies serves the site', async () => {
  const lines = readText(join(registry, 'Dockerfile')).split('\n')
  const list = (pattern: RegExp): string[] =>
    lines.flatMap((line) => pattern.exec(line)?.[1]?.split(' ') ?? [])
  const ignored = readText(join(registry, '.dockerignore')).split('\n')
  const sent = list(/^COPY (?!--)(.*) \S+$/)
  expect(sent).toContain('package-lock.json')
  for (const name of sent) {
    expect(ignored).not.toContain(`${name}/`)
    expect(existsSync(join(registry, name)), name).toBe(true)
  }
  const image = join(folder, 'image')
  mkdirSync(image)
  for (const name of list(/^COPY --from=build \/registry\/(\S+) /))
    symlinkSync(join(registry, name), join(image, name))
  const variables = Object.fromEntries(list(/^ENV (.*)$/).map((one) => one.split('=')))
  expect(variables).toMatchObject({ HOST: '0.0.0.0', PORT: '8080' })
  const command = (JSON.parse(list(/^CMD (.*)$/).join(' ')) as string[]).join(' ')
  const own = await serve(command, image, {
    ...environment,
    ...variables,
    HOST: '127.0.0.1',
    PORT: '0',
  })
  expect((await fetch(`${own}/skills/write-a-skill`)).status).toBe(200)
  stopServers()
})

const upgrade = (): Promise<string> =>
  type(`npx --yes --package ../skill-registry-9.8.7.tgz skill-registry upgrade`, registry)

/** Reads the dependencies of the registry, and the package that npm has locked and installed. */
const readInstalled = () => {
  const { dependencies } = readJson<{ dependencies: object }>(join(registry, 'package.json'))
  const { packages } = readJson<{ packages: Record<string, { integrity: string }> }>(
    join(registry, 'package-lock.json'),
  )
  return {
    dependencies,
    integrity: packages['node_modules/skill-registry']?.integrity,
    files: readdirSync(join(registry, 'vendor')),
    text: readText(join(code, 'README.md')),
  }
}
describe('upgrade', () => {
  const newer = join(folder, 'newer')
  beforeAll(async () => {
    await run('chmod', ['-R', 'u+w', code], folder)
    cpSync(join(checkout, 'dist/package'), newer, { recursive: true })
    const manifest = readJson<{ version: string }>(join(newer, 'package.json'))
    writeFileSync(join(newer, 'package.json'), JSON.stringify({ ...manifest, version: '9.8.7' }))
    const sections = ['9.8.7', '9.0.0', manifest.version].map(
      (one) => `## ${one} (a day)\n\n### Before you update\n\n- To ${one}.\n\n### Reading\n\n- x\n`,
    )
    writeFileSync(join(newer, 'CHANGELOG.md'), ['# Changelog\n', ...sections].join('\n'))
    writeFileSync(join(newer, 'README.md'), 'newer\n')
    await type('npm pack ./newer', folder)
  })

  test('a newer package -> installed; prints what to do, and commands that run; once', async () => {
    const printed = await upgrade()
    const file = readFileSync(join(registry, 'vendor/skill-registry-9.8.7.tgz'))
    const installed = readInstalled()
    expect(installed).toMatchObject({
      dependencies: { 'skill-registry': 'file:vendor/skill-registry-9.8.7.tgz' },
      integrity: `sha512-${createHash('sha512').update(file).digest('base64')}`,
      files: ['skill-registry-9.8.7.tgz'],
      text: 'newer\n',
    })
    expect(printed).toContain('\nBefore you update\n\n- To 9.8.7.\n\n- To 9.0.0.\n\nNow: ')
    const [, now = ''] = /\nNow: (.*)\n$/.exec(printed) ?? []
    const commands = now.match(/npm run [a-z]+/g) ?? []
    expect(await type(commands.join(' && '), registry)).toMatch(/^Built 3 skills/m)
    expect(await upgrade()).toBe(
      'Nothing to do: the registry uses this vendor/skill-registry-9.8.7.tgz already.\n',
    )
    expect(readInstalled()).toEqual(installed)
  })

  test('the installed package itself -> refused', async () => {
    await expect(call('upgrade')).rejects.toMatchObject({
      stderr: expect.stringMatching(/^This package is already installed/),
    })
  })
})
