import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../connect.ts'
import { ROOT, startSite } from '../site.ts'
import type { RunningSite } from '../site.ts'
import { CHECKS, SMALLEST, VIEWPORTS } from './checks.ts'
import { EXTREME_PATHS, FAMILY, RIGHT_TO_LEFT, writeExtremes } from './extremes.ts'

let site: RunningSite
let browser: Browser
const folder = mkdtempSync(join(tmpdir(), 'skill-registry-look-'))

beforeAll(async () => {
  writeExtremes(folder)
  site = await startSite({ CONTENT_DIR: folder })
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

const SHIPPED = readdirSync(join(ROOT, 'content/skills')).map((slug) => `/skills/${slug}`)

type TextSize = '100%' | '200%'

const setTextSize = (page: Page, size: TextSize): Promise<void> =>
  page.evaluate((given) => void (document.documentElement.style.fontSize = given), size)

/** Lists what the checks find on pages at each window size. Checks with `isForAll` also run with text at 200 %. */
const lookAt = async (
  paths: readonly string[],
  viewports: readonly { width: number; height: number }[] = Object.values(VIEWPORTS),
): Promise<string[]> => {
  const problems: string[] = []
  for (const viewport of viewports) {
    const page = await browser.newPage({ viewport })
    for (const path of paths) {
      await page.goto(site.origin + path)
      const checks = CHECKS.filter(({ pages }) => pages.test(path))
      const forAll = checks.filter(({ isForAll }) => isForAll)
      const look = async (size: TextSize, rows: typeof checks): Promise<void> => {
        await setTextSize(page, size)
        for (const { name, find } of rows)
          for (const problem of await page.evaluate(find))
            problems.push(`${name}, ${viewport.width} px, text ${size}: ${path}: ${problem}`)
      }
      await look('100%', viewport === SMALLEST ? forAll : checks)
      if (viewport !== SMALLEST) await look('200%', forAll)
    }
    await page.close()
  }
  return problems
}

test('the pages of shipped and extreme skills pass all checks', async () => {
  expect(
    await lookAt([
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
      '/skills?q=longest',
      '/files/without-blanks/SKILL.md/view',
      '/files/many-files/references/deep/deeper/reference-file-with-a-long-name-0.md/view',
      `/skills?q=${'W'.repeat(300)}`,
    ]),
  ).toEqual([])
})

test('at 320 px nothing is cut off, and nothing scrolls horizontally', async () => {
  const others = ['/', '/skills?q=review', '/categories/coding', '/docs/api', '/nope']
  expect(await lookAt([...EXTREME_PATHS, ...others], [SMALLEST])).toEqual([])
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

/** Opens an address on a slow machine; returns how far its content moves, as a cumulative layout shift. */
const measureShift = async (path: string, width: number, isLate: boolean): Promise<number> => {
  const context = await openMeasured(width)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const { promise: drawn, resolve: release } = Promise.withResolvers<void>()
  if (isLate)
    await page.route(/\/(?!theme)[^/]+\.js$|\.woff2$/, (route) =>
      drawn.then(() => route.continue()),
    )
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
  ['/skills', 390],
  ['/skills?q=review', 390],
  ['/skills/csv-clean', 390],
  ['/skills/csv-clean', 1280],
  ['/docs/api', 390],
  ['/files/csv-clean/SKILL.md/view', 390],
] as const)(
  '%s does not move at %d px on a slow machine, in five visits, also if scripts and fonts come late',
  async (path, width) => {
    const shifts: number[] = []
    for (let visit = 0; visit < 5; visit += 1)
      shifts.push(await measureShift(path, width, visit % 2 === 1))
    expect(Math.max(...shifts)).toBeLessThan(0.001)
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

test('a list that is measured has 48 rows', async () => {
  const page = await open('/skills')
  expect(await page.locator('[data-part="all-skills"] .entry').count()).toBe(48)
})

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
    for (const key of ['Tab', 'Enter', 'Tab', 'Enter']) await page.keyboard.press(key)
    expect(await countTabs(page)).toBeLessThanOrEqual(4)
  })

  test('"Skip to Install" leads to the part Install of a skill that cannot be installed', async () => {
    const page = await open('/skills/its-source-is-gone')
    expect(await page.getByText('Skip to Install').count()).toBe(1)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#install')
  })

  test('arrow keys choose a client, and Copy copies its line', async () => {
    const page = await open('/skills/csv-clean')
    await page.getByLabel('Claude Code').focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.way .copy').first().press('Enter')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      '-d .agents/skills/csv-clean',
    )
  })

  test('Enter on the skip link skips the contents', async () => {
    const page = await open('/skills/csv-clean')
    await page.locator('.side').getByText('Skip the contents').focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('page-text')
  })
})

/** Measures the box of an element's text, which can differ from the box of the element. */
const placeWords = (
  page: Page,
  selector: string,
): Promise<{ left: number; right: number; top: number }> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const { left, right, top } = range.getBoundingClientRect()
      return { left, right, top }
    })

describe('a name that is written from right to left', () => {
  const path = `/skills/${RIGHT_TO_LEFT.slug}`

  test.each(Object.values(VIEWPORTS))(
    'is on the left like other names, at %o',
    async (viewport) => {
      const page = await open(path, { viewport })
      const [name, byline] = [await placeWords(page, 'h1'), await placeWords(page, '.byline')]
      expect(Math.abs(name.left - byline.left)).toBeLessThan(2)
      expect(await page.locator('h1').innerText()).toBe(RIGHT_TO_LEFT.name)
    },
  )

  test('is on the left in its row', async () => {
    const page = await open(`/skills?q=${RIGHT_TO_LEFT.slug}`, { viewport: VIEWPORTS.phone })
    const name = await placeWords(page, '.who > a')
    expect(await page.locator('.who > a').first().innerText()).toBe(RIGHT_TO_LEFT.name)
    expect(name.left).toBeLessThan(60)
  })
})

describe('with forced colours', () => {
  const options = { forcedColors: 'active' } as const

  test('the chosen client, place and shell are marked', async () => {
    const page = await open('/skills/csv-clean', options)
    const marked = await page
      .locator('.tabs label')
      .evaluateAll((labels) =>
        labels.flatMap((label) =>
          getComputedStyle(label).textDecorationLine === 'underline'
            ? (label.textContent ?? '').trim()
            : [],
        ),
      )
    expect(marked).toEqual(['Claude Code', 'This project', 'bash or zsh'])
  })

  test('matches and checkboxes differ from the text around them', async () => {
    const page = await open('/skills?q=review', options)
    const line = (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => getComputedStyle(one).textDecorationLine)
    expect(await line('.entry mark')).toBe('underline')
    const box = page.locator('.filters input').first()
    expect(await box.evaluate((one) => getComputedStyle(one).appearance)).toBe('auto')
  })
})

const shownLine = (page: Page): Promise<string> =>
  page.locator('.way:not(.to) .line').filter({ visible: true }).first().innerText()

describe('an install line', () => {
  test('is for the chosen client and place, without JavaScript', async () => {
    const page = await open('/skills/csv-clean', { javaScriptEnabled: false })
    expect(await shownLine(page)).toMatch(/^curl .* -d \.claude\/skills\/csv-clean && /)
    await page.getByLabel('Copilot').check({ force: true })
    expect(await shownLine(page)).toMatch(/^curl .* -d \.agents\/skills\/csv-clean && /)
    await page.getByLabel('Every project').check({ force: true })
    expect(await shownLine(page)).toMatch(/^curl .* -d ~\/\.copilot\/skills\/csv-clean && /)
    await page.getByLabel('OpenCode').check({ force: true })
    expect(await shownLine(page)).toMatch(
      /^curl .* -d ~\/\.config\/opencode\/skills\/csv-clean && /,
    )
  })

  test('of npx is for the chosen client and place, without JavaScript and with the keyboard', async () => {
    const page = await open('/skills/csv-clean', { javaScriptEnabled: false })
    const npx = page.locator('.way:not(.to) .line').filter({ visible: true }).nth(1)
    const line = `npx skills add ${site.origin}/skills/csv-clean -a`
    expect((await npx.innerText()).trim()).toBe(`${line} claude-code -y`)
    await page.getByLabel('Claude Code').focus()
    for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowRight')
    expect((await npx.innerText()).trim()).toBe(`${line} github-copilot -y`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    expect((await npx.innerText()).trim()).toBe(`${line} github-copilot -y -g`)
    await page.getByText('Check, pin, update').press('Enter')
    expect(await page.getByText('| sha256sum -c').isVisible()).toBe(true)
  })

  test('is for PowerShell if that is chosen', async () => {
    const page = await open('/skills/csv-clean')
    await page.getByLabel('PowerShell').check({ force: true })
    expect(await shownLine(page)).toMatch(/^curl\.exe .* tar -xf /)
    await page.locator('.way .copy').first().press('Enter')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl\.exe /)
  })

  test('is for the same client and place on the next page', async () => {
    const page = await open('/skills/csv-clean')
    await page.getByLabel('Gemini').check({ force: true })
    await page.getByLabel('Every project').check({ force: true })
    await page.goto(`${site.origin}/skills/chart-choice`)
    expect(await shownLine(page)).toContain(' -d ~/.gemini/skills/chart-choice ')
  })

  test('is for the same place after a choice on the home page', async () => {
    const page = await open('/skills/csv-clean')
    await page.getByLabel('Every project').check({ force: true })
    await page.goto(site.origin)
    await page.getByLabel('Cursor').check({ force: true })
    await page.goto(`${site.origin}/skills/chart-choice`)
    expect(await shownLine(page)).toContain(' -d ~/.cursor/skills/chart-choice ')
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

const expectFolded = async (page: Page): Promise<void> => {
  const link = page.locator('#results .entry').getByText('and 2 copies')
  await link.waitFor()
  expect(await page.locator('#results .who > a').allTextContents()).toEqual([FAMILY[0]])
  await link.click()
  await page.waitForURL(new RegExp(`/skills/${FAMILY[0]}$`))
  const notice = page.locator('.notice')
  for (const copy of FAMILY.slice(1))
    expect(await notice.locator(`a[href="/skills/${copy}"]`).count()).toBe(1)
}

describe('near-copies', () => {
  test('are one row of the results, without JavaScript', async () => {
    await expectFolded(await open('/skills?q=quokkas', { javaScriptEnabled: false }))
  })

  test('are one row of the results while typing', async () => {
    const page = await open('/skills')
    await page.locator('#q').fill('quokkas')
    await expectFolded(page)
  })
})
