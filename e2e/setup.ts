import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { launchBrowser } from './browser.ts'
import { writeExtremes } from './look/extremes.ts'
import { startSite } from './site.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The shipped and the extreme skills, built and served once for all tests. */
    site: { origin: string; content: string }
    /** Address of the browser that all tests share. */
    browser: string
  }
}

/** Starts the shared site and browser before the first test. The returned function ends both. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const content = mkdtempSync(join(tmpdir(), 'skill-registry-content-'))
  writeExtremes(content)
  const [site, browser] = await Promise.all([startSite({ CONTENT_DIR: content }), launchBrowser()])
  provide('site', { origin: site.origin, content })
  provide('browser', browser.address)
  return async () => {
    await browser.close()
    await site.stop()
    rmSync(content, { recursive: true })
  }
}
