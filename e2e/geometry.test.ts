import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'

// Positions of elements on the first screen of a desktop and of a small phone.

const DESKTOP = { width: 1280, height: 800 }
const LARGE = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 740 }

/** One page of each kind. */
const PAGES = [
  '/',
  '/skills',
  '/skills?q=csv',
  '/categories/coding',
  '/authors/registry',
  '/skills/csv-clean',
  '/blog',
  '/blog/how-search-ranks',
  '/docs',
  '/docs/api',
  '/docs/safety',
  '/docs/directories',
  '/docs/own',
  '/about',
  '/nope',
]

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
  test.each([
    ['/skills', DESKTOP, { '#results .entry': 7 }],
    ['/skills', PHONE, { '#results .entry': 3 }],
    ['/skills?q=a', DESKTOP, { '#results .entry': 7 }],
    ['/', LARGE, { '[data-part="categories"] .entry': 9, '.specimen .label': 1, '#home-q': 1 }],
  ])('of %s at %o shows at least %o', async (path, viewport, least) => {
    await visit(path, viewport, async (page) => {
      for (const [selector, count] of Object.entries(least))
        expect([selector, await countInSight(page, selector)]).toEqual([
          selector,
          expect.toSatisfy((seen: number) => seen >= count, `at least ${count}`),
        ])
    })
  })

  test('of the start page on a phone has the search at the top, and does not focus it', async () => {
    await visit('/', PHONE, async (page) => {
      const box = await page.locator('#home-q').boundingBox()
      expect(box?.y).toBeLessThan(360)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    })
  })

  test('categories are in three rows of three, each with a description', async () => {
    await visit('/', DESKTOP, async (page) => {
      const tops = await page
        .locator('[data-part="categories"] .entry')
        .evaluateAll((entries) => entries.map((entry) => entry.getBoundingClientRect().top))
      expect([...new Set(tops)].map((top) => tops.filter((one) => one === top).length)).toEqual([
        3, 3, 3,
      ])
      const texts = page.locator('[data-part="categories"] .entry > p').filter({ visible: true })
      expect(await texts.count()).toBe(9)
    })
  })

  test('example tasks lead to skills', async () => {
    await visit('/', DESKTOP, async (page) => {
      const links = await page
        .locator('.tries a')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
      expect(links).toHaveLength(3)
      for (const link of links) {
        await page.goto(link)
        expect(await page.locator('#results .entry').count()).toBeGreaterThan(0)
      }
    })
  })
})

test('the name and the description in a row have the same baseline', async () => {
  const offences = await visit('/skills', DESKTOP, (page) =>
    page.locator('[data-part="all-skills"] .entry').evaluateAll((entries) =>
      entries.flatMap((entry) => {
        const baselines = ['.who > a', '.what > p'].flatMap((selector) => {
          const cell = entry.querySelector(selector)
          if (!cell) return []
          const probe = document.createElement('span')
          probe.className = 'probe'
          probe.style.cssText = 'display: inline-block; width: 0; height: 0'
          cell.prepend(probe)
          return probe.getBoundingClientRect().bottom
        })
        const apart = Math.max(...baselines) - Math.min(...baselines)
        return apart > 0.5 ? [[entry.querySelector('a')?.textContent, apart]] : []
      }),
    ),
  )
  expect(offences).toEqual([])
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
  const pages = await Promise.all(PAGES.map(fetchText))
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
