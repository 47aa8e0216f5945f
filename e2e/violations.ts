import axe from 'axe-core'
import type { Page } from 'playwright'

/** What axe minds on a page in one colour scheme: each rule, and the elements that break it. */
export type Violations = [rule: string, elements: string[]][]

const findNow = (page: Page): Promise<Violations> =>
  page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await run({ resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  })

/** Finds what axe minds on a page, which has no frames, in the light and in the dark. */
export const findViolations = async (page: Page): Promise<Record<'light' | 'dark', Violations>> => {
  // A browser takes longer to read axe than to run it, so it is read once for both.
  await page.evaluate(axe.source)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await findNow(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return { light, dark: await findNow(page) }
}
