import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterEach, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'
import { findViolations } from './violations.ts'

const site = inject('site')
const browser = await connectBrowser()

/** Errors on the pages of a test: script errors, and refused or missing files. */
const errors: string[] = []

/** The browser contexts of a test. */
const opened: BrowserContext[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((context) => context.close()))
  expect(errors.splice(0)).toEqual([])
})

/** Opens an empty page. Any error on the addresses that it visits fails the test. */
const openPage = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage()
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    const { url } = message.location()
    const isExpected = REFUSED.some((path) => url === site.origin + path)
    if (message.type() === 'error' && !isExpected) errors.push(`${url}: ${message.text()}`)
  })
  return page
}

/** Opens an address of the site in a new context. */
const visit = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser.newContext(options)
  opened.push(context)
  const page = await openPage(context)
  await page.goto(site.origin + path)
  return page
}

/** Addresses with an error status, which the browser reports on the console. */
const REFUSED = ['/nope', '/skills?sort=best']

/** A page of each kind. */
const PAGES = [
  '/',
  '/skills',
  '/skills?q=spredsheet',
  '/skills?q=csv&cat=Design&licence=copyleft',
  '/skills/csv-clean',
  '/skills/wants-a-review',
  '/categories',
  '/categories/coding',
  '/blog/how-search-ranks',
  '/docs/api',
  '/files/csv-clean/SKILL.md/view',
  ...REFUSED,
]

// One tab for all pages: a context per page costs twice the CPU time.
const tab = await openPage(await browser.newContext())

test.each([
  ...PAGES.map((path) => [path, 1_280] as const),
  ...['/', '/skills?q=csv', '/skills/csv-clean'].map((path) => [path, 360] as const),
])('%s at %d px passes axe in light and dark, without errors', async (path, width) => {
  await tab.setViewportSize({ width, height: 740 })
  await tab.emulateMedia({ colorScheme: 'light' })
  await tab.goto(site.origin + path)
  expect(await findViolations(tab)).toEqual({ light: [], dark: [] })
})

const FILE = '/files/csv-clean/scripts/profile_csv.py/view'

const readFile = async (): Promise<string> =>
  (await fetch(`${site.origin}/skills/csv-clean/scripts/profile_csv.py`)).text()

const readChosen = (page: Page): Promise<string[]> =>
  page.locator('.source .chosen').evaluateAll((lines) => lines.map(({ id }) => id))

test('the text of a file is selected and copied without line numbers', async () => {
  const page = await visit(FILE, { permissions: ['clipboard-read', 'clipboard-write'] })
  const text = await readFile()
  expect(await page.locator('.source code').textContent()).toBe(text)
  const selected = await page.evaluate(() => {
    getSelection()?.selectAllChildren(document.querySelector('.source code')!)
    return String(getSelection())
  })
  expect(selected.trimEnd()).toBe(text.trimEnd())
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
})

test('an address highlights lines, and clicks on line numbers change the address', async () => {
  // Without motion, since a smooth scroll could still be going on when the position is read.
  const page = await visit(`${FILE}#L30-L32`, { reducedMotion: 'reduce' })
  expect(await readChosen(page)).toEqual(['L30', 'L31', 'L32'])
  expect(await page.locator('#L30').isVisible()).toBe(true)
  const number = { position: { x: 10, y: 5 } }
  await page.locator('#L34').click(number)
  expect([await readChosen(page), new URL(page.url()).hash]).toEqual([['L34'], '#L34'])
  const top = await page.evaluate(() => scrollY)
  await page.locator('#L32').click({ ...number, modifiers: ['Shift'] })
  expect([await readChosen(page), new URL(page.url()).hash]).toEqual([
    ['L32', 'L33', 'L34'],
    '#L32-L34',
  ])
  expect(await page.evaluate(() => scrollY)).toBe(top)
  await page.locator('#L3').click({ position: { x: 120, y: 5 } })
  expect(new URL(page.url()).hash).toBe('#L32-L34')
})

test('without JavaScript, the line in the address is highlighted and in sight', async () => {
  const page = await visit(`${FILE}#L34`, { javaScriptEnabled: false })
  const line = page.locator('#L34')
  const colour = (one: typeof line): Promise<string> =>
    one.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await colour(line)).not.toBe(await colour(page.locator('#L33')))
  // Polled, since the page can scroll smoothly.
  await expect.poll(async () => (await line.boundingBox())!.y).toBeLessThan(720)
})
