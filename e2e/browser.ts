import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Finds a browser: $CHROME_PATH, one of the system's, else the one that comes as a package. */
const findBrowser = async (): Promise<string> => {
  const given = [process.env['CHROME_PATH'], ...SYSTEM_BROWSERS].find(
    (path) => path !== undefined && existsSync(path),
  )
  if (given !== undefined) return given
  // The package unpacks the libraries it needs only where it believes itself on this platform.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}

const chooseOptions = async (scratch: string, more: readonly string[] = []) => ({
  executablePath: await findBrowser(),
  args: [...ARGUMENTS, ...more],
  env: { ...process.env, TMPDIR: scratch } as Record<string, string>,
})

const makeScratch = (): string => mkdtempSync(join(tmpdir(), 'skill-registry-browser-'))

/** Opens a real browser without a window; `close` also removes what it left on the disk. */
export const openBrowser = async (
  ...more: string[]
): Promise<{ browser: Browser; close: () => Promise<void> }> => {
  const scratch = makeScratch()
  const browser = await chromium.launch(await chooseOptions(scratch, more))
  return {
    browser,
    close: async () => {
      await browser.close()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

/** Launches a browser that several processes use by its `address`. */
export const launchBrowser = async (): Promise<{ address: string; close: () => Promise<void> }> => {
  const scratch = makeScratch()
  const server = await chromium.launchServer(await chooseOptions(scratch))
  return {
    address: server.wsEndpoint(),
    close: async () => {
      await server.close()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
