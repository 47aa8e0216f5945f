import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SMALL_CONTENT, writeFiles } from '../../src/catalog/testing/content.ts'
import { chooseFreePort } from '../../testing/free-port.ts'
import { writeRegistry } from './new-registry.ts'

const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

// No machine has this address, so a server that starts by mistake ends at once.
const env = { ...process.env, HOST: '192.0.2.1' }
const run = (...args: string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8', input: '', env })

describe('skill-registry', () => {
  test.each([
    [['--help'], 0, 'stdout'],
    [['upgrade', '--help'], 0, 'stdout'],
    [[], 2, 'stderr'],
    [['toString'], 2, 'stderr'],
  ] as const)('%j -> prints the commands, exit %d', (args, status, stream) => {
    const result = run(...args)
    expect(result.status).toBe(status)
    expect(result[stream]).toMatch(/Usage: skill-registry <command>\n\n {2}init <folder>/)
  })

  test.each([
    [['build', '--nope'], 2, /Unknown option '--nope'/],
    [['catalog', 'nope'], 2, /unknown command 'nope'/],
    [['host', 'cloudflare', '--nope'], 2, /Unknown option '--nope'/],
    [['init', 'a', 'b'], 2, /^Usage: skill-registry init/],
    [['init', ''], 2, /^Usage: skill-registry init/],
    [['upgrade', 'x'], 2, /^Unexpected argument 'x'.*\nUsage, in the folder of a registry:\n/],
    [['back', '--nope'], 2, /"back" takes no arguments, but got "--nope"/],
    [['versions', 'content'], 2, /"versions" takes no arguments, but got "content"/],
    [['serve', '--quiet'], 2, /"serve" takes no arguments, but got "--quiet"/],
  ] as const)('%j -> the output and exit code of the program', (args, status, message) => {
    const result = run(...args)
    expect(result.stderr).toMatch(message)
    expect(result.status).toBe(status)
  })

  test('start, when the build fails -> its exit code, and nothing is served', () => {
    const { status, stderr } = run('start')
    expect([status, stderr]).toEqual([1, expect.stringContaining('no such content folder')])
    expect(stderr).not.toContain('HOST')
  })
})

describe('npm start', () => {
  let child: ReturnType<typeof spawn> | undefined
  afterAll(() => {
    try {
      // The group of npm, its shell and the server.
      process.kill(-child!.pid!, 'SIGKILL')
    } catch {
      // The group has already ended.
    }
  })

  test('on another port -> pages have that port, and the server ends when npm ends', async () => {
    const registry = join(folder, 'started')
    writeFiles(registry, { 'package.json': { scripts: { start: `node "${MAIN}" start` } } })
    writeFiles(join(registry, 'content'), SMALL_CONTENT)
    const port = await chooseFreePort()
    const places = { CONTENT_DIR: '', OUT_DIR: '', SITE_URL: '' }
    child = spawn('npm', ['start'], {
      cwd: registry,
      env: { ...process.env, ...places, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    for await (const line of createInterface(child.stdout!)) if (line.includes('Serving')) break
    const address = `http://localhost:${port}`
    const page = await (await fetch(`${address}/skills/near.md`)).text()
    expect(page).toContain(`${address}/api/skills/download/1`)
    expect(page).not.toContain('localhost:4321')
    child.kill()
    const isUp = () => fetch(`${address}/healthz`).then(Boolean, () => false)
    await expect.poll(isUp).toBe(false)
  })
})

const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

const TARBALL = 'vendor/skill-registry-1.0.0.tgz'

// Only a package can create a registry; the tests of build/package run the commands that it prints.
describe('a registry written by init', () => {
  beforeAll(() => {
    writeRegistry(join(folder, 'acme-skills'), undefined, TARBALL)
  })

  test('a new folder -> a registry named after it, with valid files', () => {
    const files = readdirSync(join(folder, 'acme-skills'), {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile())
    expect(files).not.toHaveLength(0)
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), 'utf8')).not.toMatch(/%\w+%|undefined/)
    expect(JSON.parse(read('acme-skills/package.json'))).toMatchObject({
      name: 'acme-skills',
      dependencies: { 'skill-registry': `file:${TARBALL}` },
    })
    const site = { name: 'Acme Skills', policy: { worst: 'low' }, review: 'all' }
    expect(JSON.parse(read('acme-skills/content/site.json'))).toMatchObject(site)
    expect(read('acme-skills/.gitignore')).toContain('node_modules/\n')
    expect(existsSync(join(folder, 'acme-skills/gitignore'))).toBe(false)
  })

  test.each(['.github/workflows/registry.yml', '.gitlab-ci.yml'])(
    '%s -> valid YAML; its npm scripts and catalog commands exist',
    (file) => {
      const text = read(`acme-skills/${file}`)
      parse(text, { strict: true, uniqueKeys: true })
      const { scripts } = JSON.parse(read('acme-skills/package.json')) as { scripts: object }
      const called = [...text.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name]) => name)
      expect(new Set(called)).toEqual(new Set(['check', 'build', 'catalog']))
      for (const name of called) expect(scripts).toHaveProperty(name!)
      expect(text).toContain('catalog -- update >')
    },
  )

  test('git keeps the bytes of skills even with core.autocrlf', () => {
    const registry = join(folder, 'with-git')
    writeRegistry(registry, undefined, TARBALL)
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'core.autocrlf=true', ...args], { cwd: registry, encoding: 'utf8' })
    const texts = { 'skills/a/run.bat': 'one\r\ntwo\r\n', 'skills/b/run.sh': 'one\ntwo\n' }
    git('init', '--quiet')
    for (const [path, text] of Object.entries(texts)) {
      const file = join(registry, 'content', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      git('add', file)
      rmSync(file)
      git('checkout', '--', file)
      expect(readFileSync(file, 'utf8')).toBe(text)
      expect(git('show', `:content/${path}`).stdout).toBe(text)
    }
  })

  // A GitLab job checks out a commit, so git cannot guess what a new name is; upload-pages-artifact drops dotfiles.
  test('its workflows -> push a branch by its full name, and publish /.well-known', () => {
    expect(read('acme-skills/.gitlab-ci.yml')).toContain(' "HEAD:refs/heads/$branch"\n')
    const { jobs } = parse(read('acme-skills/.github/workflows/registry.yml')) as {
      jobs: { deploy: { steps: { uses?: string; with?: object }[] } }
    }
    const upload = jobs.deploy.steps.find(({ uses }) => uses?.includes('upload-pages-artifact'))
    expect(upload).toMatchObject({ with: { 'include-hidden-files': true } })
  })

  test('--name with special characters of JSON, HTML and YAML -> kept unchanged', () => {
    const name = `A "B" <i>\\ $& %slug% C`
    writeRegistry(join(folder, 'Über uns'), name, TARBALL)
    expect(JSON.parse(read('Über uns/content/site.json'))).toMatchObject({ name })
    expect(JSON.parse(read('Über uns/package.json'))).toMatchObject({ name: 'ber-uns' })
  })

  test.each([
    [
      ['init', 'acme-skills'],
      /^acme-skills is not empty: it contains \.dockerignore\. Name a new folder/,
    ],
    [['init', 'file'], /^ENOTDIR: .*'file'\nName another folder\.\n$/],
    [['init', 'new'], /^This is a checkout, not the package\. Run "npm run pack"/],
    [['upgrade'], /^ENOENT: .*'package\.json'\nUsage, in the folder of a registry:\n/],
  ] as const)('%j -> refused, and nothing is written', (args, message) => {
    writeFileSync(join(folder, 'file'), '')
    const before = readdirSync(folder)
    const { status, stderr } = run(...args)
    expect(stderr).toMatch(message)
    expect(status).toBe(1)
    expect(readdirSync(folder)).toEqual(before)
  })
})
