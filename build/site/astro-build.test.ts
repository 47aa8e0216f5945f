import { execFile, spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SMALL_CONTENT, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { API_CLAUSES } from '../../testing/contract/api-clauses.ts'
import { sendOverHttp } from '../../testing/contract/requests.ts'
import { needsRawTarget, splitLine } from '../../testing/contract/clause.ts'
import type { ContractClause } from '../../testing/contract/clause.ts'
import { testContract } from '../../testing/contract/tests.ts'
import { SITE_CLAUSES } from '../../testing/contract/site-clauses.ts'
import { publishFixture } from '../../testing/fixture.ts'
import { PROJECT_ROOT } from './settings.ts'

const ASTRO = join(PROJECT_ROOT, 'node_modules/.bin/astro')

const folder = mkdtempSync(join(tmpdir(), 'astro-build-'))
const content = join(folder, 'content')
// Inside the project, so that Astro's bundle can resolve its packages.
const built = mkdtempSync(join(PROJECT_ROOT, 'node_modules/.cache/astro-build-'))

// Astro does not serve pages if VITEST is set.
const { VITEST: _, ...inherited } = process.env
const environment = {
  ...inherited,
  NODE_ENV: 'production',
  ASTRO_TELEMETRY_DISABLED: '1',
  CONTENT_DIR: content,
}

/** A server that prints its port in its first lines. */
type Server = ChildProcessByStdio<null, Readable, null>

const findPort = async ({ stdout }: Server): Promise<number> => {
  let shown = ''
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    shown += chunk
    const [, port] = /http:\/\/[\w.]+:(\d+)/.exec(shown) ?? []
    if (port !== undefined) return Number(port)
  }
  throw new Error(`The server ended: ${shown}`)
}

const start = (program: string, options: string[], env: NodeJS.ProcessEnv): Server =>
  spawn(program, options, { cwd: PROJECT_ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] })

const stop = async (server: Server): Promise<void> => {
  server.kill()
  await once(server, 'close')
}

beforeAll(() => writeFiles(content, SMALL_CONTENT))
afterAll(() => {
  rmSync(built, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

/** Whether Astro's server answers a request itself, because the percent-encoding of the address is malformed. */
const isMalformed = (clause: ContractClause): boolean => {
  try {
    return decodeURI(splitLine(clause).target) === ''
  } catch {
    return true
  }
}

describe('npx astro build', () => {
  const outDir = join(folder, 'dist')
  const fixture = join(folder, 'fixture')
  let server: Server
  let port: number
  beforeAll(async () => {
    const env = { ...environment, OUT_DIR: outDir }
    await promisify(execFile)(ASTRO, ['build', '--outDir', built], { cwd: PROJECT_ROOT, env })
    publishFixture(fixture, 'one')
    const entry = join(built, 'server/entry.mjs')
    const serving = { ...environment, OUT_DIR: fixture, HOST: '127.0.0.1', PORT: '0' }
    server = start(process.execPath, ['--max-http-header-size=65536', entry], serving)
    port = await findPort(server)
  })
  afterAll(() => stop(server))

  test('builds the whole site in OUT_DIR', () => {
    const page = readFileSync(join(outDir, 'current/public/skills/near.html'), 'utf8')
    expect(page).toContain('<h1')
  })

  test('Astro itself serves only styles, scripts and fonts', () => {
    expect(readdirSync(join(built, 'client'))).toEqual(['_astro'])
  })

  test.each(['/templates/skill', '/templates/skill.html', '/_image?href=/favicon.svg'])(
    '%s, an address known to Astro, is not a page of the site',
    async (path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('404 one'),
      ])
    },
  )

  test.each(['a b<>', 'a:99999', 'a?b', '%', '['])(
    'Host: %s -> 400 for any address',
    async (host) => {
      const sent = request({ port, path: '/skills/nope', headers: { Host: host } }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(400)
      expect(await json(response)).toMatchObject({ error: { code: 'BAD_REQUEST' } })
    },
  )

  const clauses = [...API_CLAUSES, ...SITE_CLAUSES]
  const applied = clauses.filter((clause) => !needsRawTarget(clause) && !isMalformed(clause))
  testContract(() => (asked) => sendOverHttp(port)(asked), applied)

  test('more than 90 % of the contract is tested here', () => {
    expect(applied.length / clauses.length).toBeGreaterThan(0.9)
  })
})

describe('npx astro dev', () => {
  const skill = join(content, 'skills/near/SKILL.md')
  let server: Server
  let origin: string
  const read = async (path: string): Promise<string> => (await fetch(origin + path)).text()
  beforeAll(async () => {
    const env = { ...environment, NODE_ENV: 'development', OUT_DIR: join(folder, 'dev') }
    server = start(ASTRO, ['dev', '--ignore-lock', '--port', '0'], env)
    origin = `http://localhost:${await findPort(server)}`
  })
  afterAll(() => stop(server))

  test('serves the site, and builds it again when content changes', async () => {
    await expect.poll(() => read('/skills/near')).toContain('<h1')
    expect(JSON.parse(await read('/api/v1/skills'))).toMatchObject({ total: 1 })
    writeFileSync(skill, skillMd('near', 'A sentence that was not there.\n'))
    await expect.poll(() => read('/skills/near.md')).toContain('not there')
  })
})
