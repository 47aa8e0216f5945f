import type { Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'

const site = inject('site')
const browser = await connectBrowser()

const open = async (options = {}): Promise<Page> => {
  const page = await browser.newPage(options)
  await page.goto(`${site.origin}/docs/api`)
  return page
}

describe('/docs/api', () => {
  test('is shorter than 4,500 px in a window of 1280 px, and shows no backtick', async () => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4_500)
    expect(await page.locator('main').innerText()).not.toContain('`')
  })

  test('has nothing off-screen in a window of 360 px', async () => {
    const page = await open({ viewport: { width: 360, height: 740 } })
    const wide = await page.evaluate(() =>
      Array.from(document.querySelectorAll('main *'))
        .filter((element) => element.checkVisibility() && !element.closest('.copy, .skip'))
        .filter((element) => {
          const { left, right, width } = element.getBoundingClientRect()
          return width > 0 && (left < 0 || right > innerWidth + 1)
        })
        .map((element) => `${element.tagName}: ${(element.textContent ?? '').slice(0, 40)}`),
    )
    expect(wide).toEqual([])
    const cut = await page.evaluate(() =>
      Array.from(document.querySelectorAll('main :is(pre, .table)'))
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => (textContent ?? '').slice(0, 40)),
    )
    expect(cut).toEqual([])
  })

  test('a search is run with the keyboard, and its answer appears', async () => {
    const page = await open()
    await page.getByRole('button', { name: /^Run \/api\/v1\/skills\?q=/ }).press('Enter')
    const part = page.locator('[data-part="get-apiv1skills"]')
    await part.getByText(/^200 OK, \d+ ms$/).waitFor()
    const answer = JSON.parse(await part.locator('.run + pre').innerText()) as { total: number }
    expect(answer.total).toBeGreaterThan(0)
  })

  test('an invalid request and a download can be run', async () => {
    const page = await open()
    await page.getByRole('button', { name: /sort=best/ }).click()
    await page.getByText(/^400 Bad Request/).waitFor()
    expect(await page.locator('[data-part="errors"] .run + pre').innerText()).toContain(
      '"INVALID_SORT"',
    )
    await page.getByRole('button', { name: /download/ }).click()
    const zip = page.locator('[data-part^="get-apiskills"] .run + pre')
    await zip.waitFor()
    expect(await zip.innerText()).toMatch(/^content-type: application\/zip\n/)
  })

  test('without JavaScript, there are curl lines and sample answers', async () => {
    const page = await open({ javaScriptEnabled: false })
    expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0)
    expect(await page.locator('pre[data-language="sh"]').count()).toBe(5)
    expect(await page.locator('pre[data-language="json"]').allTextContents()).toEqual([
      expect.stringContaining('"skills"'),
      expect.stringContaining('"skills"'),
      expect.stringContaining('"INVALID_SORT"'),
    ])
  })
})
