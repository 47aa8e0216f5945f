import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations that axe finds on a page in one colour scheme. */
type Violations = [rule: string, elements: string[]][]

/** The rules that depend on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const findNow = (page: Page, rules?: readonly string[]): Promise<Violations> =>
  page.evaluate(async (only) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const chosen = only ? { runOnly: [...only] } : {}
    const { violations } = await run({ resultTypes: ['violations'], ...chosen })
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  }, rules)

/** Runs axe on a page without frames: all rules in the light scheme, only the colour rules in the dark one. */
export const findViolations = async (page: Page): Promise<Record<'light' | 'dark', Violations>> => {
  // Parsing axe costs as much as running it, so it is parsed once for both.
  await page.evaluate(AXE)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await findNow(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return { light, dark: await findNow(page, COLOUR_RULES) }
}
