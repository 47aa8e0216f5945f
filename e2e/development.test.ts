import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './connect.ts'
import { ROOT, copySkills, findFreePort } from './site.ts'

const folder = mkdtempSync(join(tmpdir(), 'skill-registry-dev-'))
const content = copySkills(['csv-clean'])
const record = join(content, 'skills/csv-clean/skill.json')
const skillMd = join(content, 'skills/csv-clean/SKILL.md')
const right = readFileSync(join(ROOT, 'content/skills/csv-clean/skill.json'), 'utf8')
const wrong = right.replace(/"category": "[^"]*"/, '"category": "Cooking"')

let origin: string
let development: ChildProcess
let browser: Browser
let page: Page

beforeAll(async () => {
  writeFileSync(record, wrong)
  const port = await findFreePort()
  origin = `http://localhost:${port}`
  const env = {
    ...process.env,
    CONTENT_DIR: content,
    OUT_DIR: join(folder, 'out'),
    PORT: String(port),
    SITE_URL: origin,
  }
  development = spawn(process.execPath, ['build/site/dev.ts'], { cwd: ROOT, env })
  await once(development.stdout!, 'data')
  browser = await openBrowser()
  page = await browser.newPage()
})

afterAll(async () => {
  await browser.close()
  development.kill()
  await once(development, 'exit')
  for (const one of [folder, content]) rmSync(one, { recursive: true, force: true })
})

const PROBLEM = /^skills\/csv-clean\/skill\.json: category: "Cooking" — must be one of "Coding"/

test('bad content at the start is reported with file, field and remedy, until it is fixed', async () => {
  await page.goto(`${origin}/skills/csv-clean`)
  await expect.poll(() => page.getByRole('alert').innerText()).toMatch(PROBLEM)
  writeFileSync(record, right)
  await page.getByRole('heading', { level: 1, name: 'csv-clean' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a text that an editor saved by a rename appears without a manual reload', async () => {
  const text = readFileSync(skillMd, 'utf8')
  writeFileSync(`${skillMd}.new`, `${text}\nA sentence that was not there.\n`)
  renameSync(`${skillMd}.new`, skillMd)
  const sentence = page.getByText('A sentence that was not there.')
  await expect.poll(() => sentence.count()).toBe(1)
})

test('bad content is reported above the last good page', async () => {
  writeFileSync(record, wrong)
  await expect.poll(() => page.getByRole('alert').innerText()).toMatch(PROBLEM)
  expect(await page.getByText('A sentence that was not there.').isVisible()).toBe(true)
  writeFileSync(record, right)
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

test('addresses that are not pages have the answers of the host', async () => {
  const answers = ['/skills/csv-clean.md', '/api/v1/skills?q=csv', '/api/nope', '/%zz'].map(
    async (path) => (await fetch(origin + path)).status,
  )
  expect(await Promise.all(answers)).toEqual([200, 200, 404, 404])
})

test('the end of the server is reported, and the next change starts it again', async () => {
  const children = execFileSync('pgrep', ['-P', String(development.pid), '-f', 'hosts/node.mjs'])
  process.kill(Number(children.toString()), 'SIGKILL')
  await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/^The server ended/)
  writeFileSync(skillMd, `${readFileSync(skillMd, 'utf8')}\nAnother sentence.\n`)
  await page.getByText('Another sentence.').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})
