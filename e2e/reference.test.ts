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
  test('is shorter than 4,600 px in a window of 1280 px, and shows no backtick', async () => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4_600)
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

  test('without JavaScript, there are curl lines and sample answers', async () => {
    const page = await open({ javaScriptEnabled: false })
    expect(await page.locator('pre[data-language="sh"]').count()).toBe(5)
    expect(await page.locator('pre[data-language="json"]').allTextContents()).toEqual([
      expect.stringContaining('"skills"'),
      expect.stringContaining('"skills"'),
      expect.stringContaining('"INVALID_SORT"'),
    ])
  })
})
