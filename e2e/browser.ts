import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Finds a browser: $CHROME_PATH, a browser of the system, or the packaged one. */
const findBrowser = async (): Promise<string> => {
  const given = [process.env['CHROME_PATH'], ...SYSTEM_BROWSERS].find(
    (path) => path !== undefined && existsSync(path),
  )
  if (given !== undefined) return given
  // The package unpacks the libraries that it needs only if it detects this platform.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}

/** Launches a browser that several processes connect to by its `address`. `close` also removes its files. */
export const launchBrowser = async (): Promise<{ address: string; close: () => Promise<void> }> => {
  const scratch = mkdtempSync(join(tmpdir(), 'skill-registry-browser-'))
  const server = await chromium.launchServer({
    executablePath: await findBrowser(),
    args: ARGUMENTS,
    env: { ...process.env, TMPDIR: scratch } as Record<string, string>,
  })
  return {
    address: server.wsEndpoint(),
    close: async () => {
      await server.close()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
