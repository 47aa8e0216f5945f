import type { Browser } from 'playwright'
import { CHECKS, VIEWPORTS } from './checks.ts'

/** What a check found on a page. */
export interface Sight {
  check: string
  viewport: keyof typeof VIEWPORTS
  path: string
  problems: string[]
}

/** Looks at pages of a site with every check that holds for them; `tell` hears of each page looked at. */
export const lookAt = async (
  browser: Browser,
  origin: string,
  paths: readonly string[],
  tell: () => void = () => {},
): Promise<Sight[]> => {
  const sights: Sight[] = []
  for (const viewport of Object.keys(VIEWPORTS) as (keyof typeof VIEWPORTS)[]) {
    const checks = CHECKS.filter(({ viewports }) => viewports.includes(viewport))
    const page = await browser.newPage({ viewport: VIEWPORTS[viewport] })
    for (const path of paths) {
      await page.goto(origin + path)
      for (const { name: check, pages, find } of checks) {
        if (!pages.test(path)) continue
        const problems = await page.evaluate(find)
        if (problems.length > 0) sights.push({ check, viewport, path, problems })
      }
      tell()
    }
    await page.close()
  }
  return sights
}
