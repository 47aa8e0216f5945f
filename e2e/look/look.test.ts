import type { BrowserContext, Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import { connectBrowser } from '../connect.ts'
import { CHECKS, SMALLEST, VIEWPORTS } from './checks.ts'
import { EXTREME_PATHS, FAMILY, RIGHT_TO_LEFT } from './extremes.ts'

const site = inject('site')
const browser = await connectBrowser()

/** Shipped skills of three kinds: with files, without, and with a table. The extreme ones show more. */
const SHIPPED = ['csv-clean', 'find-skills-here', 'ab-test-readout'].map(
  (slug) => `/skills/${slug}`,
)

type TextSize = '100%' | '200%'

const setTextSize = (page: Page, size: TextSize): Promise<void> =>
  page.evaluate((given) => void (document.documentElement.style.fontSize = given), size)

/** Window and text sizes. At 200 % and at 320 px, only the checks with `isForAll` are made. */
const SIZES = [
  [VIEWPORTS.desktop, '100%'],
  [VIEWPORTS.desktop, '200%'],
  [VIEWPORTS.phone, '200%'],
  [VIEWPORTS.phone, '100%'],
  [SMALLEST, '100%'],
] as const

const isUsual = ([viewport, size]: (typeof SIZES)[number]): boolean =>
  size === '100%' && viewport !== SMALLEST

/** Lists what the checks find on a page at each size. Shipped skills are less extreme: the usual sizes do for them. */
const lookAt = async (page: Page, path: string): Promise<string[]> => {
  const problems: string[] = []
  const fitting = CHECKS.filter(({ pages }) => pages.test(path))
  await page.goto(site.origin + path)
  const sizes = SHIPPED.includes(path) ? SIZES.filter(isUsual) : SIZES
  for (const shown of sizes) {
    const [viewport, size] = shown
    await page.setViewportSize(viewport)
    await setTextSize(page, size)
    const checks = fitting.filter(({ isForAll }) => isForAll || isUsual(shown))
    // One call for all checks: their number makes the cost of this test.
    const found = await page.evaluate<string[][]>(`[${checks.map(({ find }) => `(${find})()`)}]`)
    for (const [at, all] of found.entries())
      for (const problem of all)
        problems.push(
          `${checks[at]!.name}, ${viewport.width} px, text ${size}: ${path}: ${problem}`,
        )
  }
  return problems
}

test('the pages of shipped and extreme skills pass all checks', async () => {
  const paths = [
    ...SHIPPED,
    ...EXTREME_PATHS,
    '/',
    '/authors',
    '/blog',
    '/blog/how-search-ranks',
    '/categories/coding',
    '/docs/api',
    '/docs/clients',
    '/docs/own',
    '/docs/safety',
    '/nope',
    '/skills',
    '/skills?q=longest',
    '/files/without-blanks/SKILL.md/view',
    '/files/many-files/references/deep/deeper/reference-file-with-a-long-name-0.md/view',
    `/skills?q=${'W'.repeat(300)}`,
  ]
  const page = await browser.newPage()
  const problems: string[] = []
  for (const path of paths) problems.push(...(await lookAt(page, path)))
  expect(problems).toEqual([])
})

const open = async (path: string, options = {}): Promise<Page> => {
  const page = await browser.newPage({
    viewport: VIEWPORTS.desktop,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  await page.goto(site.origin + path)
  return page
}

/** Opens a window whose pages sum up how far their content moves. */
const openMeasured = async (width: number): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width, height: 844 } })
  await context.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.sum += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return context
}

/** Returns the cumulative layout shift. Two frames after the last change, its shift is reported. */
const readShift = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    return (globalThis as unknown as { shifts: { sum: number } }).shifts.sum
  })

/** Opens an address on a slow machine, where scripts and fonts come late; returns the cumulative layout shift. */
const measureShift = async (path: string, width: number): Promise<number> => {
  const context = await openMeasured(width)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const { promise: drawn, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/(?!theme)[^/]+\.js$|\.woff2$/, (route) => drawn.then(() => route.continue()))
  await page.goto(site.origin + path, { waitUntil: 'commit' })
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  )
  release()
  await page.waitForLoadState('load')
  const sum = await readShift(page)
  await context.close()
  return sum
}

test.each([
  ['/', 390],
  ['/skills?q=review', 390],
  ['/skills/csv-clean', 390],
  ['/skills/csv-clean', 1280],
  ['/docs/api', 390],
] as const)(
  '%s does not move at %d px on a slow machine if scripts and fonts come late',
  async (path, width) => {
    expect(await measureShift(path, width)).toBeLessThan(0.001)
  },
)

test.each([
  [390, '<button class="menu"'],
  [1280, '<nav id="places"'],
])(
  'at %d px, the masthead does not move if the HTML from %s on comes late',
  async (width, late) => {
    const context = await openMeasured(width)
    const page = await context.newPage()
    await page.goto(`${site.origin}/about`)
    const html = await (await fetch(`${site.origin}/skills/csv-clean`)).text()
    const write = (part: string): Promise<void> =>
      page.evaluate((text) => document.write(text), part)
    await write(html.slice(0, html.indexOf(late)))
    await page.locator('.masthead').waitFor()
    await readShift(page)
    await write(html.slice(html.indexOf(late)))
    await page.evaluate(() => document.close())
    await page.waitForLoadState('load')
    const sum = await readShift(page)
    await context.close()
    expect(sum).toBeLessThan(0.001)
  },
)

test('on a phone, rows of the comparison are rows for screen readers', async () => {
  const page = await open('/skills/csv-clean', { viewport: VIEWPORTS.phone })
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const rows = nodes.filter(({ role }) => role?.value === 'row')
  expect(rows).toHaveLength(await page.locator('tr').count())
})

const isOnCopy = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.matches('.way .copy') === true)

/** Presses Tab until Copy has the focus. */
const countTabs = async (page: Page): Promise<number> => {
  for (let tabs = 1; tabs < 40; tabs += 1) {
    await page.keyboard.press('Tab')
    if (await isOnCopy(page)) return tabs
  }
  return Infinity
}

const REVIEWED = '/skills/wants-a-review'

test('a skill to review shows its findings before Install', async () => {
  const page = await open(REVIEWED)
  const findings = page.locator('#findings')
  expect(await findings.locator('li').count()).toBeGreaterThan(0)
  const [notice, install] = [
    await findings.boundingBox(),
    await page.locator('#install').boundingBox(),
  ]
  expect(notice!.y + notice!.height).toBeLessThan(install!.y)
  await page.goto(`${site.origin}/skills/csv-clean`)
  expect(await findings.count()).toBe(0)
})

describe('only with the keyboard', () => {
  test('Copy is at most 23 Tabs from the top, or 8 keys with the skip links', async () => {
    expect(await countTabs(await open(REVIEWED))).toBeLessThanOrEqual(23)
    const page = await open(REVIEWED)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the text')
    for (const key of ['Enter', 'Tab', 'Enter']) await page.keyboard.press(key)
    expect(await countTabs(page)).toBeLessThanOrEqual(4)
  })

  test('"Skip to Install" leads to the part Install of a skill that cannot be installed', async () => {
    const page = await open('/skills/its-source-is-gone')
    expect(await page.getByText('Skip to Install').count()).toBe(1)
    for (const key of ['Tab', 'Enter', 'Tab', 'Enter']) await page.keyboard.press(key)
    await expect.poll(() => new URL(page.url()).hash).toBe('#install')
  })

  test('Enter on the skip link skips the contents', async () => {
    const page = await open('/skills/csv-clean')
    await page.locator('.side').getByText('Skip the contents').focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('page-text')
  })
})

/** Measures the left end of an element's text, which can differ from that of the element. */
const placeWords = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().left
    })

test('a name that is written from right to left is on the left, on its page and in its row', async () => {
  const { slug, name } = RIGHT_TO_LEFT
  const page = await open(`/skills/${slug}`)
  for (const viewport of Object.values(VIEWPORTS)) {
    await page.setViewportSize(viewport)
    const [left, byline] = [await placeWords(page, 'h1'), await placeWords(page, '.byline')]
    expect(Math.abs(left - byline)).toBeLessThan(2)
  }
  await page.goto(`${site.origin}/skills?q=${slug}`)
  expect(await page.locator('.who > a').first().innerText()).toBe(name)
  expect(await placeWords(page, '.who > a')).toBeLessThan(60)
})

test('with forced colours, the chosen client, matches and checkboxes are marked', async () => {
  const page = await open('/skills/csv-clean', { forcedColors: 'active' })
  const underlined = (selector: string): Promise<string[]> =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        all.flatMap((one) =>
          getComputedStyle(one).textDecorationLine === 'underline'
            ? (one.textContent ?? '').trim()
            : [],
        ),
      )
  expect(await underlined('.tabs label')).toEqual(['Claude Code', 'This project', 'bash or zsh'])
  await page.goto(`${site.origin}/skills?q=review`)
  expect((await underlined('.entry mark')).length).toBeGreaterThan(0)
  const box = page.locator('.filters input').first()
  expect(await box.evaluate((one) => getComputedStyle(one).appearance)).toBe('auto')
})

const shownLines = (page: Page) => page.locator('.way:not(.to) .line').filter({ visible: true })

const readLine = (page: Page, at = 0): Promise<string> => shownLines(page).nth(at).innerText()

const readClipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText())

describe('an install line', () => {
  test('is for the chosen client and place, without JavaScript and with the keyboard', async () => {
    const page = await open('/skills/csv-clean', { javaScriptEnabled: false })
    const npx = `npx skills add ${site.origin}/skills/csv-clean -a`
    expect(await readLine(page)).toMatch(/^curl .* -d \.claude\/skills\/csv-clean && /)
    expect((await readLine(page, 1)).trim()).toBe(`${npx} claude-code -y`)
    await page.getByLabel('Claude Code').focus()
    for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowRight')
    expect(await readLine(page)).toMatch(/^curl .* -d \.agents\/skills\/csv-clean && /)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    expect(await readLine(page)).toMatch(/^curl .* -d ~\/\.copilot\/skills\/csv-clean && /)
    expect((await readLine(page, 1)).trim()).toBe(`${npx} github-copilot -y -g`)
    await page.getByText('Check, pin, update').press('Enter')
    expect(await page.getByText('| sha256sum -c').isVisible()).toBe(true)
  })

  test('is copied as it is shown, also for PowerShell', async () => {
    const page = await open('/skills/csv-clean')
    await page.getByLabel('PowerShell').check({ force: true })
    expect(await readLine(page)).toMatch(/^curl\.exe .* tar -xf /)
    await page.locator('.way .copy').first().press('Enter')
    expect(await readClipboard(page)).toBe((await readLine(page)).trim())
  })

  test('is for the same client and place on the next page, also after a choice on the home page', async () => {
    const page = await open('/skills/csv-clean')
    await page.getByLabel('Every project').check({ force: true })
    await page.goto(site.origin)
    await page.getByLabel('Cursor').check({ force: true })
    await page.goto(`${site.origin}/skills/chart-choice`)
    expect(await readLine(page)).toContain(' -d ~/.cursor/skills/chart-choice ')
  })
})

test('the menu on a phone is completely visible, also with large text', async () => {
  const page = await open('/skills/csv-clean', { viewport: VIEWPORTS.phone })
  for (const size of ['100%', '200%'] as const) {
    await setTextSize(page, size)
    await page.locator('.menu').click()
    const box = (await page.locator('#places a').first().boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Escape')
  }
})

test('the table of contents opens on a phone', async () => {
  const page = await open('/skills/hundreds-of-headings', { viewport: VIEWPORTS.phone })
  const link = page.locator('.contents').getByText('How it compares')
  expect(await link.isVisible()).toBe(false)
  await page.locator('.contents summary').click()
  await link.click()
  expect(new URL(page.url()).hash).toBe('#how-it-compares')
})

test('near-copies are one row of the results, also while typing', async () => {
  const page = await open('/skills?q=quokkas')
  const link = page.locator('#results .entry').getByText('and 2 copies')
  for (const isTyped of [false, true]) {
    if (isTyped) {
      await page.goto(`${site.origin}/skills`)
      await page.locator('#q').fill('quokkas')
    }
    await link.waitFor()
    expect(await page.locator('#results .who > a').allTextContents()).toEqual([FAMILY[0]])
  }
  await link.click()
  await page.waitForURL(new RegExp(`/skills/${FAMILY[0]}$`))
  for (const copy of FAMILY.slice(1))
    expect(await page.locator(`.notice a[href="/skills/${copy}"]`).count()).toBe(1)
})
