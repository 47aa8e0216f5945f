import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'
import { VIEWPORTS } from './look/checks.ts'

// Positions of elements on the first screen of a desktop and of a small phone.

const { desktop: DESKTOP, phone: PHONE } = VIEWPORTS
const LARGE = { width: 1440, height: 900 }

const site = inject('site')
const browser = await connectBrowser()

/** Opens a page with an empty cache, calls `use`, and closes it. */
const visit = async <Result>(
  path: string,
  viewport: { width: number; height: number },
  use: (page: Page) => Promise<Result>,
  options: BrowserContextOptions = {},
): Promise<Result> => {
  const context = await browser.newContext({ viewport, ...options })
  const page = await context.newPage()
  await page.goto(site.origin + path)
  const result = await use(page)
  await context.close()
  return result
}

/** Counts the elements that are completely on the first screen. */
const countInSight = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluateAll(
    (elements) =>
      elements.filter((element) => {
        const { top, bottom, height } = element.getBoundingClientRect()
        return height > 0 && top >= 0 && bottom <= innerHeight
      }).length,
  )

const background = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

const fetchText = async (path: string): Promise<string> =>
  (await fetch(new URL(path, site.origin))).text()

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)

describe('the first screen', () => {
  test('of the start page has nine categories, a label and the search', async () => {
    await visit('/', LARGE, async (page) => {
      const count = (selector: string) => countInSight(page, selector)
      expect(await count('[data-part="categories"] .entry')).toBe(9)
      expect([await count('.specimen .label'), await count('#q')]).toEqual([1, 1])
    })
  })

  test('of the start page on a phone has the search at the top, and does not focus it', async () => {
    await visit('/', PHONE, async (page) => {
      const box = await page.locator('#q').boundingBox()
      expect(box?.y).toBeLessThan(360)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    })
  })
})

describe('colours', () => {
  test('a chosen scheme applies to every page before it is drawn, until the system’s scheme is chosen', async () => {
    const context = await browser.newContext({ viewport: DESKTOP, colorScheme: 'light' })
    const page = await context.newPage()
    await page.goto(site.origin)
    const light = await background(page)
    const button = page.locator('.theme')
    await button.click()
    await button.click()
    expect(await button.getAttribute('aria-label')).toBe('Theme: dark')
    const dark = await background(page)
    expect(dark).not.toBe(light)

    await page.goto(`${site.origin}/blog`, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.body !== null)
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    expect(await background(page)).toBe(dark)
    await page.locator('.theme').click()
    await page.reload()
    expect(await background(page)).toBe(light)
    await context.close()
  })

  test('without scripts, they follow the system, and there is no switch', async () => {
    await visit(
      '/',
      DESKTOP,
      async (page) => {
        expect(await page.locator('.theme').isVisible()).toBe(false)
        expect(await background(page)).toBe('rgb(24, 23, 19)')
      },
      { javaScriptEnabled: false, colorScheme: 'dark' },
    )
  })
})

test('the contents mark the section in view', async () => {
  await visit('/docs/api', DESKTOP, async (page) => {
    const current = page.locator('.contents [aria-current]')
    await expect.poll(() => current.allTextContents()).toEqual(['GET /api/v1/skills'])
    await page.locator('#errors').evaluate((heading) => heading.scrollIntoView())
    await expect.poll(() => current.allTextContents()).toEqual(['Errors'])
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(() => current.allTextContents()).toEqual(['GET /api/v1/skills'])
  })
})

test('on a phone, the menu opens without scripts', async () => {
  await visit(
    '/skills/csv-clean',
    PHONE,
    async (page) => {
      const link = page.locator('.masthead nav a', { hasText: 'Blog' })
      expect(await link.isVisible()).toBe(false)
      await page.locator('.menu').click()
      await link.click()
      expect(new URL(page.url()).pathname).toBe('/blog')
    },
    { javaScriptEnabled: false },
  )
})

test('fonts, scripts and a skill page without its text are within their size limits', async () => {
  const pages = await Promise.all(['/', '/skills', '/skills/csv-clean', '/docs/api'].map(fetchText))
  const skill = await fetchText('/skills/csv-clean')
  const styles = skill.match(/\/_astro\/[^"]+\.css/g) ?? []
  const scripts = new Set(pages.flatMap((html) => html.match(/\/_astro\/[^"]+\.js/g) ?? []))
  const fonts = new Set(pages.flatMap((html) => html.match(/\/_astro\/[^"]+\.woff2/g) ?? []))

  const css = sum(await Promise.all(styles.map(async (path) => (await fetchText(path)).length)))
  const html = skill.replace(/<section class="part" data-part="about">[^]*?<\/section>/, '')
  expect(css + html.length).toBeLessThan(48_500)

  const packed = await Promise.all(
    [...scripts].map(async (path) => gzipSync(await fetchText(path)).length),
  )
  expect(sum(packed)).toBeGreaterThan(0)
  expect(sum(packed)).toBeLessThan(10_000)

  expect(fonts.size).toBe(3)
  const bytes = await Promise.all(
    [...fonts].map(
      async (path) => (await (await fetch(site.origin + path)).arrayBuffer()).byteLength,
    ),
  )
  expect(sum(bytes)).toBeLessThan(60_000)
})
