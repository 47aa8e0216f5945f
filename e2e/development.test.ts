import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './connect.ts'
import { ROOT, copySkills, findFreePort, waitForAddress } from './site.ts'

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
  browser = await openBrowser()
  page = await browser.newPage()
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
  await waitForAddress(development)
  // Whatever waits for the page fails then.
  development.once('exit', () => void page.close())
})

afterAll(async () => {
  await browser.close()
  if (development.exitCode === null && development.kill()) await once(development, 'exit')
  for (const one of [folder, content]) rmSync(one, { recursive: true, force: true })
})

const PROBLEM = 'skills/csv-clean/skill.json: category: "Cooking" — must be one of "Coding"'
const KILLED = 'The server ended with code null;'

const alert = (text: string): Locator => page.getByRole('alert').filter({ hasText: text })

/** Waits for something on the page. Fails if the page reports a problem that no test has caused. */
const expectShown = async (wanted: Locator): Promise<void> => {
  const alerts = page.getByRole('alert').filter({ hasNotText: PROBLEM })
  const unwanted = alerts.filter({ hasNotText: KILLED })
  await wanted.or(unwanted).first().waitFor()
  expect(await unwanted.allInnerTexts()).toEqual([])
}

test('bad content at the start is reported with file, field and remedy, until it is fixed', async () => {
  await page.goto(`${origin}/skills/csv-clean`)
  await expectShown(alert(PROBLEM))
  writeFileSync(record, right)
  await expectShown(page.getByRole('heading', { level: 1, name: 'csv-clean' }))
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a text that an editor saved by a rename appears without a manual reload', async () => {
  const text = readFileSync(skillMd, 'utf8')
  writeFileSync(`${skillMd}.new`, `${text}\nA sentence that was not there.\n`)
  renameSync(`${skillMd}.new`, skillMd)
  await expectShown(page.getByText('A sentence that was not there.'))
})

test('bad content is reported above the last good page', async () => {
  writeFileSync(record, wrong)
  await expectShown(alert(PROBLEM))
  expect(await page.getByText('A sentence that was not there.').isVisible()).toBe(true)
  writeFileSync(record, right)
  await alert(PROBLEM).waitFor({ state: 'detached' })
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
  await expectShown(alert(KILLED))
  writeFileSync(skillMd, `${readFileSync(skillMd, 'utf8')}\nAnother sentence.\n`)
  await expectShown(page.getByText('Another sentence.'))
  expect(await page.getByRole('alert').count()).toBe(0)
})
