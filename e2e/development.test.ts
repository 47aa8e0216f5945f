import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, findFreePort, startSite } from './site.ts'
import type { RunningSite } from './site.ts'

let site: RunningSite
let development: ChildProcess
let origin: string
const content = mkdtempSync(join(tmpdir(), 'skill-registry-content-'))

/** The environment without what the test runner adds: Astro serves no pages under it. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV$|TEST$)/.test(name)),
  )

const isUp = async (): Promise<boolean> => {
  try {
    return (await fetch(`${origin}/api/v1/skills`)).ok
  } catch {
    return false
  }
}

const waitUntil = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not come to pass in 30 seconds')
}

beforeAll(async () => {
  cpSync(join(ROOT, 'content'), content, { recursive: true })
  const moved = [{ id: 900, slug: 'was-here', movedTo: 'csv-clean' }]
  writeFileSync(join(content, 'retired.json'), JSON.stringify(moved))
  const port = await findFreePort()
  origin = `http://localhost:${port}`
  const astro = join(
    dirname(createRequire(import.meta.url).resolve('astro/package.json')),
    'bin/astro.mjs',
  )
  development = spawn(process.execPath, [astro, 'dev', '--port', String(port)], {
    cwd: ROOT,
    env: {
      ...cleanEnvironment(),
      CONTENT_DIR: content,
      SITE_URL: origin,
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  })
  site = await startSite({ SITE_URL: origin, CONTENT_DIR: content })
  await waitUntil(isUp)
}, 120_000)

afterAll(async () => {
  development.kill('SIGKILL')
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const ask = async (base: string, path: string, accept = 'text/html'): Promise<object> => {
  const response = await fetch(base + path, { headers: { accept }, redirect: 'manual' })
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  const body = await response.text()
  const heading = /<h1[\s>].*?<\/h1>/.exec(body)?.[0]
  const fields = [
    'content-type',
    'cache-control',
    'vary',
    'x-robots-tag',
    'content-disposition',
    'location',
  ]
  return {
    status: response.status,
    ...Object.fromEntries(fields.map((name) => [name, response.headers.get(name)])),
    // A page in development has what reloads it; the rest must be the same to the byte.
    ...(isPage ? { heading } : { body, etag: response.headers.get('etag') }),
  }
}

describe('npm run dev answers as production does', () => {
  test.each([
    ['/', 'text/html'],
    ['/skills', 'text/html'],
    ['/skills/csv-clean', 'text/html'],
    ['/skills/csv-clean', 'text/markdown'],
    ['/skills/csv-clean.md', 'text/html'],
    ['/skills/csv-clean/SKILL.md', 'text/html'],
    ['/skills/csv-clean/references/recipes.md', 'text/html'],
    ['/files/csv-clean/SKILL.md/view', 'text/html'],
    ['/files/csv-clean/scripts/profile_csv.py/view.md', 'text/html'],
    ['/files/csv-clean/nothing.md/view', 'text/html'],
    ['/skills/', 'text/html'],
    ['/skills/CSV-Clean', 'text/html'],
    ['/categories/data-and-analytics.md', 'text/html'],
    ['/skills/was-here?x=1', 'text/html'],
    ['/skills/was-here.md', 'text/html'],
    ['/api/skills/download/900', 'text/html'],
    ['/nope', 'text/html'],
    ['/nope.md', 'text/html'],
    ['/%zz', 'text/html'],
    ['/skills/%E0%A4.md', 'text/html'],
    ['/api/skills/download/8', 'text/html'],
    ['/api/skills/download/999', 'text/html'],
    ['/api/v1/skills?q=csv&limit=3', 'text/html'],
    ['/api/v1/skills?sort=best', 'text/html'],
    ['/api/nope', 'text/html'],
    ['/openapi.json', 'text/html'],
    ['/llms.txt', 'text/html'],
    ['/robots.txt', 'text/html'],
    ['/sitemap.xml', 'text/html'],
    ['/favicon.svg', 'text/html'],
  ])('%s %s', async (path, accept) => {
    expect(await ask(origin, path, accept)).toEqual(await ask(site.origin, path, accept))
  })
})

test('a changed file is served at once, a bad one changes nothing', async () => {
  const file = join(content, 'skills/csv-clean/SKILL.md')
  const twin = async (): Promise<string> => (await fetch(`${origin}/skills/csv-clean.md`)).text()
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nA sentence that was not there.\n`)
  await waitUntil(async () => (await twin()).includes('A sentence that was not there.'))
  const page = await (await fetch(`${origin}/skills/csv-clean`)).text()
  expect(page).toContain('A sentence that was not there.')

  const before = await twin()
  writeFileSync(join(content, 'skills/csv-clean/skill.json'), '{ "id": ')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await twin()).toBe(before)
})
