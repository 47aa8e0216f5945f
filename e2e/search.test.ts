import type { BrowserContextOptions, Page } from 'playwright'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'
import { findViolations } from './violations.ts'

const site = inject('site')
const browser = await connectBrowser()

/** Script errors on the pages of a test. */
const scriptErrors: string[] = []

/** The pages of a test, each in a separate context. */
const opened: Page[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((page) => page.close()))
  expect(scriptErrors.splice(0)).toEqual([])
})

const visit = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await browser.newPage(options)
  opened.push(page)
  page.on('pageerror', (error) => scriptErrors.push(`${page.url()}: ${error.message}`))
  await page.goto(site.origin + path)
  return page
}

const readNames = (page: Page): Promise<string[]> =>
  page.locator('#results .who > a').allTextContents()

/** Reads the heading of the results, and the line below it if there is one. */
const readSummary = (page: Page): Promise<string> =>
  page.evaluate(() =>
    ['h2', '.text p']
      .map((part) => document.querySelector(`#results ${part}`)?.textContent?.trim() ?? '')
      .filter(Boolean)
      .join('. '),
  )

const readCounts = (page: Page): Promise<string[]> => page.locator('.count').allTextContents()

const readHeading = (page: Page): Promise<string> => page.locator('#results h2').first().innerText()

const readFocus = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? ''))

const waitForSummary = async (page: Page, text: string): Promise<void> => {
  await expect.poll(() => readSummary(page)).toContain(text)
}

/** Delays the answers to some addresses. The returned function releases them. */
const delayAnswers = async (page: Page, pattern: RegExp): Promise<() => void> => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    // The page may have cancelled the request meanwhile.
    await route.continue().catch(() => {})
  })
  return release
}

/** Expects the scroll position 700. Chromium restores the position of an element, so it can differ by some pixels. */
const expectScrolled = async (page: Page): Promise<void> => {
  const distance = async (): Promise<number> => Math.abs((await page.evaluate(() => scrollY)) - 700)
  await expect.poll(distance).toBeLessThan(50)
}

const NO_SCRIPTS = { javaScriptEnabled: false }

describe('without JavaScript', () => {
  test('the form of any page finds skills, highlights matches, and can be sent again', async () => {
    const page = await visit('/about', NO_SCRIPTS)
    await page.locator('#find').fill('clean csv')
    await page.locator('.find button').click()
    expect(new URL(page.url()).search).toBe('?q=clean+csv')
    expect((await readNames(page))[0]).toBe('csv-clean')
    expect(await page.locator('#results .entry').first().locator('mark').count()).toBeGreaterThan(1)
    expect(await page.inputValue('#q')).toBe('clean csv')
    await page.getByLabel('Data & Analytics').check()
    await page.locator('.search button').click()
    expect(await readSummary(page)).toMatch(/^\d+ skills? for “clean csv” in Data & Analytics$/)
    expect(await page.getByLabel('Data & Analytics').isChecked()).toBe(true)
  })
})

describe('on /skills', () => {
  test('results appear from the first letter on, and the address can be shared', async () => {
    const page = await visit('/skills')
    await page.locator('#q').pressSequentially('c')
    await waitForSummary(page, 'for “c”')
    await page.locator('#q').pressSequentially('lean csv')
    await waitForSummary(page, 'for “clean csv”')
    expect((await readNames(page))[0]).toBe('csv-clean')
    expect(await page.locator('#search-status').innerText()).toBe(await readSummary(page))
    expect(await page.locator('#sort').isDisabled()).toBe(true)
    const other = await visit(new URL(page.url()).pathname + new URL(page.url()).search)
    expect(await readNames(other)).toEqual(await readNames(page))
    expect(await readCounts(other)).toEqual(await readCounts(page))
    expect(await other.inputValue('#q')).toBe('clean csv')
  })

  test('each finished query and each category is one entry of the history', async () => {
    const page = await visit('/skills')
    const all = await readNames(page)
    await page.locator('#q').pressSequentially('review')
    await waitForSummary(page, 'for “review”')
    await page.locator('#q').blur()
    await page.getByLabel(/^\s*Security/).check()
    await waitForSummary(page, 'in Security')
    await page.goBack()
    await waitForSummary(page, 'for “review”')
    expect(await page.getByLabel(/^\s*Security/).isChecked()).toBe(false)
    await page.goBack()
    await expect.poll(() => readNames(page)).toEqual(all)
    expect(await page.inputValue('#q')).toBe('')
    await page.goForward()
    await waitForSummary(page, 'for “review”')
    expect(await page.inputValue('#q')).toBe('review')
  })

  test('Back restores the scroll position', async () => {
    const page = await visit('/skills', { viewport: { width: 360, height: 500 } })
    await page.evaluate(() => scrollTo({ top: 700, behavior: 'instant' }))
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700)
    // Set by a script, since typing would scroll to the field.
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#q')!
      input.value = 'csv'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await waitForSummary(page, 'for “csv”')
    await page.goBack()
    await expectScrolled(page)
    // Also after a visit to another page.
    await page.goForward()
    await waitForSummary(page, 'for “csv”')
    await page.goto(`${site.origin}/about`)
    await page.goBack()
    await waitForSummary(page, 'for “csv”')
    await page.goBack()
    await expectScrolled(page)
  })

  test('a category filters, an order sorts, and the address leaves out defaults', async () => {
    const page = await visit('/skills')
    const before = await readNames(page)
    await page.getByLabel(/^\s*Security/).check()
    await page.waitForURL(/\?cat=Security$/)
    await waitForSummary(page, 'in Security')
    await page.selectOption('#sort', 'name')
    await page.waitForURL(/\?cat=Security&sort=name$/)
    await page.getByLabel(/^\s*Security/).uncheck()
    await page.selectOption('#sort', 'popular')
    await page.waitForURL(/\/skills$/)
    await expect.poll(() => readNames(page)).toEqual(before)
  })

  test('an order is restored after a query is typed and deleted', async () => {
    const page = await visit('/skills?sort=name')
    const before = await readNames(page)
    await page.locator('#q').fill('csv')
    await waitForSummary(page, 'for “csv”')
    expect(new URL(page.url()).search).toBe('?q=csv')
    await page.locator('#q').fill('')
    await page.waitForURL(/\/skills\?sort=name$/)
    await expect.poll(() => readNames(page)).toEqual(before)
    expect(await page.inputValue('#sort')).toBe('name')
  })

  test('the field is as long as an address allows, and a longer search gets a message', async () => {
    const page = await visit('/skills')
    expect(await page.getAttribute('#q', 'maxlength')).toBe('3000')
    await page.route(/q=long/, (route) => route.fulfill({ status: 414, body: 'Too long.' }))
    await page.locator('#q').fill('long')
    await expect.poll(() => readHeading(page)).toBe('The search is too long')
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(await page.locator('.foot a').first().getAttribute('href')).toBe('/skills.md?q=long')
  })

  test('an older answer never replaces a newer one', async () => {
    const page = await visit('/skills')
    const release = await delayAnswers(page, /q=premortem/)
    await page.locator('#q').fill('premortem')
    await page.locator('#q').fill('csv')
    await waitForSummary(page, 'for “csv”')
    release()
    await page.waitForLoadState('networkidle')
    expect(await readSummary(page)).toContain('for “csv”')
  })

  test('the list is busy during a request; after a failure, no old results remain, and the search can be repeated', async () => {
    const page = await visit('/skills')
    const release = await delayAnswers(page, /q=csv/)
    await page.locator('#q').fill('csv')
    expect(await page.locator('#results').getAttribute('aria-busy')).toBe('true')
    release()
    await waitForSummary(page, 'for “csv”')
    expect(await page.locator('#results').getAttribute('aria-busy')).toBe('false')
    await page.route(/q=premortem/, (route) => route.fulfill({ status: 503, body: 'Not now.' }))
    await page.locator('#q').fill('premortem')
    await expect.poll(() => readHeading(page)).toBe('The search did not answer')
    expect(await readNames(page)).toEqual([])
    await page.unroute(/q=premortem/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await waitForSummary(page, 'for “premortem”')
    expect(await readFocus(page)).toBe('q')
  })

  test('without the function, the list of all skills is not shown as results', async () => {
    const page = await visit('/skills')
    const all = await (await fetch(`${site.origin}/skills`)).text()
    await page.route(/q=csv/, (route) => route.fulfill({ body: all, contentType: 'text/html' }))
    await page.locator('#q').fill('csv')
    await expect.poll(() => readHeading(page)).toBe('The search did not answer')
  })

  test('keyboard: / focuses the field, arrows move through the results, Escape returns, Enter opens a skill', async () => {
    const page = await visit('/skills')
    await page.keyboard.press('/')
    expect(await readFocus(page)).toBe('q')
    await page.keyboard.type('review/')
    await waitForSummary(page, 'for “review/”')
    const [first = '', second = ''] = await readNames(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect((await readFocus(page)).trim()).toBe(second.trim())
    await page.keyboard.press('Escape')
    expect(await readFocus(page)).toBe('q')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/skills/${first.trim()}$`))
  })
})

const options = (page: Page): Promise<string[]> =>
  page.locator('.find [role="option"] > b').allTextContents()

describe('in every masthead', () => {
  test('the field has a list of skills below it, for the keyboard', async () => {
    const page = await visit('/about')
    await page.keyboard.press('/')
    expect(await readFocus(page)).toBe('find')
    await page.keyboard.type('csv')
    await expect.poll(() => options(page)).toContain('csv-clean')
    const input = page.locator('#find')
    expect(await input.getAttribute('aria-expanded')).toBe('true')
    expect(await page.locator('.find mark').count()).toBeGreaterThan(0)
    expect(await findViolations(page)).toEqual({ light: [], dark: [] })
    await page.keyboard.press('ArrowUp')
    expect(await page.locator('[aria-selected="true"]').innerText()).toBe('All results')
    await page.keyboard.press('ArrowDown')
    expect(await input.getAttribute('aria-activedescendant')).toBe(null)
    await page.keyboard.press('Escape')
    expect(await input.getAttribute('aria-expanded')).toBe('false')
    expect(await input.inputValue()).toBe('csv')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => input.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    const chosen = page.locator('[aria-selected="true"]')
    expect(await input.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    const name = await chosen.locator('b').innerText()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/skills/${name}$`))
  })

  test('Enter in the field leads to all results, a click to a skill', async () => {
    const page = await visit('/about')
    await page.locator('#find').fill('csv')
    await page.locator('#find').press('Enter')
    await page.waitForURL(/\/skills\?q=csv$/)
    await page.goto(`${site.origin}/about`)
    await page.locator('#find').fill('changelog')
    await page.locator('.find [role="option"]', { hasText: 'changelog-from-commits' }).click()
    await page.waitForURL(/\/skills\/changelog-from-commits$/)
    expect(await page.locator('h1').innerText()).toBe('changelog-from-commits')
  })

  test('after a failure, no old suggestions remain', async () => {
    const page = await visit('/about')
    await page.locator('#find').fill('csv')
    await expect.poll(() => options(page)).toContain('csv-clean')
    await page.route(/q=premortem/, (route) => route.abort())
    await page.locator('#find').fill('premortem')
    await expect
      .poll(() => page.locator('.find [role="status"]').innerText())
      .toBe('The search did not answer. Press Enter to try again.')
    expect(await options(page)).toEqual([])
  })

  test('on a phone, the list is inside the window', async () => {
    const page = await visit('/about', { viewport: { width: 360, height: 740 } })
    await page.locator('#find').fill('csv')
    await expect.poll(() => options(page)).toContain('csv-clean')
    const { x, width } = (await page.locator('.find .offers').boundingBox())!
    expect([x >= 0, x + width <= 360]).toEqual([true, true])
  })

  test('a click outside of the list closes it', async () => {
    const page = await visit('/about')
    await page.locator('#find').fill('csv')
    await expect.poll(() => options(page)).toContain('csv-clean')
    await page.locator('.foot p').click()
    expect(await page.locator('.find .offers').isVisible()).toBe(false)
  })

  test('on the start page, / focuses the large search field', async () => {
    const page = await visit('/')
    await page.keyboard.press('/')
    expect(await readFocus(page)).toBe('q')
    await page.keyboard.type('csv')
    await page.locator('.home [role="option"]', { hasText: 'csv-clean' }).waitFor()
  })
})

test.each([
  ['clean a csv file', 'csv-clean'],
  ['review sql', 'sql-query-review'],
  ['write a readme', 'readme-writing'],
  ['which of two versions of a page is better', 'ab-test-readout'],
  ['colours for people with poor sight', 'contrast-audit'],
  ['unpaid invoice reminder', 'difficult-reply'],
  ['check a quote from a contractor', 'estimate-review'],
  ['test fails sometimes', 'flaky-test-triage'],
  ['text is too complicated', 'plain-language-edit'],
  ['program got slower since update', 'regression-bisect'],
  ['how could someone attack this', 'threat-model-lite'],
  ['my to do list is too long', 'weekly-review'],
])('everyday words find the right skill of this catalog first: %s', async (query, slug) => {
  const answer = await fetch(`${site.origin}/api/v1/skills?q=${encodeURIComponent(query)}`)
  const { skills } = (await answer.json()) as { skills: { slug: string }[] }
  expect(skills[0]?.slug).toBe(slug)
})
