import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ROOT, findFreePort, startSite } from '../site.ts'
import type { RunningSite } from '../site.ts'
import { Home, fetchZip } from './client.ts'

// A private registry, used through a proxy that requires a password.

const [port, proxyPort] = [await findFreePort(), await findFreePort()]
const ORIGIN = `http://localhost:${proxyPort}`
const LOGIN = Buffer.from('ada:secret word').toString('base64')
const PACKAGE = '@acme/skills'
const content = mkdtempSync(join(tmpdir(), 'skill-registry-private-'))

let site: RunningSite
let home: Home
let tarball = Buffer.alloc(0)

/** The answer of an npm registry about the package. */
const describePackage = () => {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const dist = { tarball: `${ORIGIN}/acme.tgz`, integrity }
  const version = { name: PACKAGE, version: '1.0.0', dist }
  return { name: PACKAGE, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }
}

/** Requires the password, answers requests for the npm package, and passes others to the registry. */
const proxy = createServer((incoming, answer) => {
  if (incoming.headers.authorization !== `Basic ${LOGIN}`)
    return void answer.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('Sign in')
  if (incoming.url === '/@acme%2fskills') return void answer.end(JSON.stringify(describePackage()))
  if (incoming.url === '/acme.tgz') return void answer.end(tarball)
  const { method = 'GET', url: path, headers } = incoming
  const outgoing = request({ port, method, path, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 500, response.headers)
    response.pipe(answer)
  })
  return incoming.pipe(outgoing)
})

/** Runs a program with the reader's home folder. */
const run = (program: string, args: readonly string[], cwd = home.folder) =>
  promisify(execFile)(program, args, {
    cwd,
    env: { HOME: home.folder, PATH: process.env['PATH'] },
  })

beforeAll(async () => {
  cpSync(join(ROOT, 'content'), content, { recursive: true })
  const own = JSON.parse(readFileSync(join(content, 'site.json'), 'utf8'))
  const record = { ...own, private: true, npm: PACKAGE }
  writeFileSync(join(content, 'site.json'), JSON.stringify(record))
  const environment = { CONTENT_DIR: content, SITE_URL: ORIGIN, PORT: String(port) }
  site = await startSite(environment)
  await new Promise<void>((resolve) => proxy.listen(proxyPort, 'localhost', resolve))
  const build = ['build/site/main.ts', '--npm', '--npm-version', '1.0.0']
  const env = { ...process.env, ...environment, OUT_DIR: site.outputFolder }
  await promisify(execFile)(process.execPath, build, { cwd: ROOT, env })
  const folder = join(site.outputFolder, 'npm')
  const packed = await promisify(execFile)('npm', ['pack', '--silent'], { cwd: folder })
  tarball = readFileSync(join(folder, packed.stdout.trim()))
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await site?.stop()
  rmSync(content, { recursive: true, force: true })
})
beforeEach(() => {
  home = new Home()
})
afterEach(() => home.remove())

const PAGE = '/skills/csv-clean'

/** Lists the install lines of a skill's page. Each is a separate block of code. */
const listLines = async (): Promise<string[]> => {
  const twin = await (await fetch(`http://localhost:${port}${PAGE}.md`)).text()
  return Array.from(twin.matchAll(/^```sh\n(.+)\n```$/gm), ([, line = '']) => line)
}

const lineWith = async (program: string): Promise<string> =>
  (await listLines()).find((line) =>
    line.replace(/^DISABLE_TELEMETRY=1 /, '').startsWith(`${program} `),
  ) ?? ''

test('npm: with a login in .npmrc, npm installs the package and skills experimental_sync its skills', async () => {
  const project = home.makeProject('work')
  writeFileSync(join(project, '.npmrc'), `@acme:registry=${ORIGIN}/\n`)
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'work', skills: [`npm:${PACKAGE}`] }),
  )
  const install = ['install', '--save-dev', '--no-audit', '--no-fund', PACKAGE]
  await expect(run('npm', install, project)).rejects.toThrow(/E401/)
  writeFileSync(home.path('.npmrc'), `//localhost:${proxyPort}/:_auth=${LOGIN}\n`)
  await run('npm', install, project)
  const sync = ['experimental_sync', '--yes', '--agent', 'claude-code']
  expect(await home.run('skills', sync, { cwd: project })).toMatchObject({ status: 0 })
  const installed = home.read('work/.claude/skills/csv-clean')
  expect(installed).toEqual(await fetchZip(`http://localhost:${port}${await zipPath()}`))
})

const zipPath = async (): Promise<string> =>
  /\/api\/skills\/download\/\d+/.exec(await lineWith('curl'))?.[0] ?? ''

test('curl -n: with a login in ~/.netrc, the line on the page installs the skill', async () => {
  const line = await lineWith('curl')
  expect(line).toMatch(/^curl -n /)
  await expect(run('sh', ['-c', line])).rejects.toThrow(/401/)
  expect(existsSync(home.path('.claude/skills/csv-clean.zip'))).toBe(false)
  writeFileSync(home.path('.netrc'), 'machine localhost login ada password "secret word"\n')
  await run('sh', ['-c', line])
  const installed = home.read('.claude/skills/csv-clean')
  expect(installed).toEqual(await fetchZip(`http://localhost:${port}${await zipPath()}`))
  expect(readdirSync(home.path('.claude/skills'))).toEqual(['csv-clean'])
})

test('npx skills sends no login, so its line fails, and the page says so', async () => {
  const line = await lineWith('npx')
  const [telemetry, , client = '', ...args] = line.split(' ')
  expect(telemetry).toBe('DISABLE_TELEMETRY=1')
  const { status, output } = await home.run(client, [...args, '-y', '-g'])
  expect([status, output]).toEqual([1, expect.stringContaining('Installation failed')])
  const page = await (await fetch(`http://localhost:${port}${PAGE}`)).text()
  expect(page).toContain('updates it; sends no login')
  const category = `http://localhost:${port}/categories/data-and-analytics.md`
  expect(await (await fetch(category)).text()).toContain(
    'A command for several skills sends no login',
  )
})

const connect = async (headers: Record<string, string>): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const options = { requestInit: { headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', ORIGIN), options))
  return client
}

test('MCP: a client that sends the login as a header connects and searches', async () => {
  await expect(connect({})).rejects.toThrow('Sign in')
  const client = await connect({ Authorization: `Basic ${LOGIN}` })
  const { content: found } = (await client.callTool({
    name: 'search_skills',
    arguments: { q: 'csv', limit: 1 },
  })) as { content: { text: string }[] }
  expect(JSON.parse(found[0]!.text)).toMatchObject({ skills: [{ slug: 'csv-clean' }] })
  await client.close()
})

test('its page for clients has the three ways in order', async () => {
  const text = await (await fetch(`http://localhost:${port}/docs/clients.md`)).text()
  const ways = Array.from(
    text.matchAll(/^\*\*(npm|curl and MCP|The network)\b/gm),
    ([, way]) => way,
  )
  expect(ways).toEqual(['npm', 'curl and MCP', 'The network'])
  expect(text).toContain(`npm install -D ${PACKAGE}\n`)
  expect(text).toContain('\nmachine localhost login ada password secret\n')
  expect(text).toContain(`skills ${ORIGIN}/mcp --header "Authorization: Basic`)
  expect(text).not.toMatch(/\{site-|<!--/)
})
