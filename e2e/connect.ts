import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { afterAll, inject } from 'vitest'

/** Connects to the shared browser. Its pages wait as long as the test may take. */
export const openBrowser = async (): Promise<Browser> => {
  const browser = await chromium.connect(inject('browser'))
  browser.on('context', (context) => context.setDefaultTimeout(0))
  return browser
}

/** Connects a test file to the shared browser, until the last test of the file ends. */
export const connectBrowser = async (): Promise<Browser> => {
  const browser = await openBrowser()
  afterAll(() => browser.close())
  return browser
}
