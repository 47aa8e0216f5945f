import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { API_CLAUSES } from '../../testing/contract/api-clauses.ts'
import { askOverHttp } from '../../testing/contract/ask.ts'
import type { AskSite } from '../../testing/contract/ask.ts'
import { needsRawTarget } from '../../testing/contract/clause.ts'
import { holdContract } from '../../testing/contract/hold.ts'
import { publishFixture } from '../../testing/fixture.ts'
import { SITE_VALUES } from '../../testing/sample-site.ts'
import { compileTemplate } from '../../src/documents/template.ts'
import { PROJECT_ROOT } from './settings.ts'

describe('npx astro build', () => {
  // Inside the project, so that Astro's bundle can resolve its packages.
  const built = mkdtempSync(join(PROJECT_ROOT, 'node_modules/.cache/astro-build-'))
  const outDir = mkdtempSync(join(tmpdir(), 'astro-build-'))
  const server = createServer({ maxHeaderSize: 64 * 1024 })
  let ask: AskSite
  beforeAll(async () => {
    const astro = join(PROJECT_ROOT, 'node_modules/.bin/astro')
    const env = { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' }
    await promisify(execFile)(astro, ['build', '--outDir', built], { cwd: PROJECT_ROOT, env })
    publishFixture(outDir, 'one')
    vi.stubEnv('OUT_DIR', outDir)
    const path = join(built, 'server/entry.mjs')
    server.on('request', ((await import(path)) as { handler: RequestListener }).handler)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ask = askOverHttp((server.address() as AddressInfo).port)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    server.close()
    rmSync(built, { recursive: true, force: true })
    rmSync(outDir, { recursive: true, force: true })
  })

  test('renders the layouts', () => {
    const page = readFileSync(join(built, 'client/templates/skill.html'), 'utf8')
    expect(compileTemplate(page, SITE_VALUES)).toContain('install')
  })

  // Astro matches routes before decoding, so a path with an escaped slash does not match /api.
  holdContract(
    () => ask,
    API_CLAUSES.filter((clause) => !needsRawTarget(clause) && !clause.line.includes(' /api%2F')),
  )
})
