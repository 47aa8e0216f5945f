import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { afterAll, inject } from 'vitest'

/** Connects a test file to the shared browser, until the last test of the file ends. */
export const connectBrowser = async (): Promise<Browser> => {
  const browser = await chromium.connect(inject('browser'))
  afterAll(() => browser.close())
  return browser
}
