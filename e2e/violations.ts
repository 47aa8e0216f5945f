import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on a page in one colour scheme: each rule, and the elements that break it. */
type Violations = [rule: string, elements: string[]][]

/** The rules that a colour scheme has a part in. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']

const findNow = (page: Page, rules?: readonly string[]): Promise<Violations> =>
  page.evaluate(async (only) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const chosen = only ? { runOnly: [...only] } : {}
    const { violations } = await run({ resultTypes: ['violations'], ...chosen })
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  }, rules)

/** Runs axe on a page, which has no frames, in the light; in the dark its rules of colour, since only colours are other. */
export const findViolations = async (page: Page): Promise<Record<'light' | 'dark', Violations>> => {
  // Parsing axe costs as much as running it, so it is parsed once for both.
  await page.evaluate(AXE)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await findNow(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return { light, dark: await findNow(page, OF_COLOUR) }
}
