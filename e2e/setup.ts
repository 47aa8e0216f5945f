import type { TestProject } from 'vitest/node'
import { launchBrowser } from './browser.ts'
import { startSite } from './site.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The shipped catalog, built and served once for all tests. */
    site: { origin: string; outputFolder: string }
    /** Address of the one browser of all tests. */
    browser: string
  }
}

/** Starts what tests share, before the first of them; gives what ends it. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const [site, browser] = await Promise.all([startSite(), launchBrowser()])
  provide('site', { origin: site.origin, outputFolder: site.outputFolder })
  provide('browser', browser.address)
  return async () => {
    await browser.close()
    await site.stop()
  }
}
