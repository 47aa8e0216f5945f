import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ROOT, copySkills, findFreePort, startSite } from '../site.ts'
import type { RunningSite } from '../site.ts'
import { Home, fetchZip, listLines } from './client.ts'

// A private registry, used through a proxy that requires a password.

const [port, proxyPort] = [await findFreePort(), await findFreePort()]
const ORIGIN = `http://localhost:${proxyPort}`
const LOGIN = Buffer.from('ada:secret word').toString('base64')
const PACKAGE = '@acme/skills'
const content = copySkills(['csv-clean', 'premortem'], { private: true, npm: PACKAGE })

let site: RunningSite
let home: Home

/** The packed versions of the package. */
const tarballs = new Map<string, Buffer>()

/** The answer of an npm registry about the package. */
const describePackage = () => {
  const versions = Array.from(tarballs, ([version, tarball]) => {
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const dist = { tarball: `${ORIGIN}/${version}.tgz`, integrity }
    return [version, { name: PACKAGE, version, dist }] as const
  })
  const latest = versions.at(-1)?.[0]
  return { name: PACKAGE, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }
}

/** Requires the password, answers requests for the npm package, and passes others to the registry. */
const proxy = createServer((incoming, answer) => {
  if (incoming.headers.authorization !== `Basic ${LOGIN}`)
    return void answer.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('Sign in')
  if (incoming.url === '/@acme%2fskills') return void answer.end(JSON.stringify(describePackage()))
  const [, version = ''] = /^\/(.+)\.tgz$/.exec(incoming.url ?? '') ?? []
  if (version !== '') return void answer.end(tarballs.get(version))
  const { method = 'GET', url: path, headers } = incoming
  const outgoing = request({ port, method, path, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 500, response.headers)
    response.pipe(answer)
  })
  return incoming.pipe(outgoing)
})

const VERSIONS = ['2026.1126.1', '2026.1126.2'] as const

const packageOf = (version: string): string[] => ['--npm', '--npm-version', version]

/** Packs the package of the last build. */
const pack = async (version: string): Promise<void> => {
  const folder = join(site.outputFolder, 'npm')
  const packed = await promisify(execFile)('npm', ['pack', '--silent'], { cwd: folder })
  tarballs.set(version, readFileSync(join(folder, packed.stdout.trim())))
}

beforeAll(async () => {
  const page = 'pages/docs-clients.md'
  cpSync(join(ROOT, 'content', page), join(content, page))
  const environment = { CONTENT_DIR: content, SITE_URL: ORIGIN, PORT: String(port) }
  site = await startSite(environment, packageOf(VERSIONS[0]))
  await new Promise<void>((resolve) => proxy.listen(proxyPort, 'localhost', resolve))
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

const LOCAL = `http://localhost:${port}`

const lineWith = async (program: string): Promise<string> =>
  (await listLines(LOCAL, 'csv-clean')).find((line) =>
    line.replace(/^DISABLE_TELEMETRY=1 /, '').startsWith(`${program} `),
  ) ?? ''

test('npm: with a login in .npmrc, npm installs and updates the package and skills experimental_sync its skills', async () => {
  const project = home.makeProject('work')
  writeFileSync(join(project, '.npmrc'), `@acme:registry=${ORIGIN}/\n`)
  const manifest = { name: 'work', skills: [`npm:${PACKAGE}`] }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  const install = ['install', '--save-dev', '--no-audit', '--no-fund', `${PACKAGE}@latest`]
  await pack(VERSIONS[0])
  const refused = await home.run('npm', install, { cwd: project })
  expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('E401') })
  writeFileSync(home.path('.npmrc'), `//localhost:${proxyPort}/:_auth=${LOGIN}\n`)
  const text = join(content, 'skills/csv-clean/SKILL.md')
  for (const version of VERSIONS) {
    if (!tarballs.has(version)) {
      await site.rebuild(packageOf(version))
      await pack(version)
    }
    const installed = await home.run('npm', install, { cwd: project })
    expect(installed.status, installed.output).toBe(0)
    const args = ['experimental_sync', '--yes', '--agent', 'claude-code']
    expect(await home.run('skills', args, { cwd: project })).toMatchObject({ status: 0 })
    const lock = JSON.parse(readFileSync(join(project, 'skills-lock.json'), 'utf8'))
    expect(lock.skills['csv-clean']).toMatchObject({ source: PACKAGE, version })
    const files = home.read('work/.claude/skills/csv-clean')
    expect(files['SKILL.md']).toEqual(readFileSync(text))
    expect(Object.keys(files)).toContain('scripts/profile_csv.py')
    appendFileSync(text, '\nAsk before you delete a column.\n')
  }
})

test('curl -n: with a login in ~/.netrc, the line on the page installs the skill', async () => {
  const line = await lineWith('curl')
  expect(line).toMatch(/^curl -n /)
  const refused = await home.run('sh', ['-c', line])
  expect(refused.output).toContain('401')
  expect(existsSync(home.path('.claude/skills/csv-clean.zip'))).toBe(false)
  writeFileSync(home.path('.netrc'), 'machine localhost login ada password "secret word"\n')
  expect(await home.run('sh', ['-c', line])).toMatchObject({ status: 0 })
  const zip = /\/api\/skills\/download\/\d+/.exec(line)?.[0] ?? ''
  expect(home.read('.claude/skills/csv-clean')).toEqual(await fetchZip(LOCAL + zip))
  expect(readdirSync(home.path('.claude/skills'))).toEqual(['csv-clean'])
})

test('npx skills sends no login, so its line fails, and the page says so', async () => {
  const line = await lineWith('npx')
  const [telemetry, , client = '', ...args] = line.split(' ')
  expect(telemetry).toBe('DISABLE_TELEMETRY=1')
  const { status, output } = await home.run(client, [...args, '-y', '-g'])
  expect([status, output]).toEqual([1, expect.stringContaining('Installation failed')])
  const page = await (await fetch(LOCAL + PAGE)).text()
  expect(page).toContain('updates it; sends no login')
  const category = `${LOCAL}/categories/data-and-analytics.md`
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
  const text = await (await fetch(`${LOCAL}/docs/clients.md`)).text()
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
