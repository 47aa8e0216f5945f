import type { TestProject } from 'vitest/node'
import { launchBrowser } from './browser.ts'
import { startSite } from './site.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The shipped catalog, built and served once for all tests. */
    site: { origin: string; outputFolder: string }
    /** Address of the browser that all tests share. */
    browser: string
  }
}

/** Starts the shared site and browser before the first test. The returned function ends both. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const [site, browser] = await Promise.all([startSite(), launchBrowser()])
  provide('site', { origin: site.origin, outputFolder: site.outputFolder })
  provide('browser', browser.address)
  return async () => {
    await browser.close()
    await site.stop()
  }
}
