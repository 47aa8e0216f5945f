import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ROOT } from './site.ts'

const outDir = mkdtempSync(join(tmpdir(), 'skill-registry-static-'))
const folder = join(outDir, 'hosts/static')

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** Serves files as GitHub Pages and S3 do: a folder by its index.html, no header of ours. */
const server = createServer(({ url = '' }, response) => {
  const path = decodeURIComponent(new URL(url, 'http://any.example').pathname)
  const file = join(folder, path)
  const isFolder = existsSync(file) && statSync(file).isDirectory()
  if (isFolder && !path.endsWith('/')) {
    const [, query = ''] = /(\?.*)$/.exec(url) ?? []
    return void response.writeHead(302, { location: `${path}/${query}` }).end()
  }
  const name = isFolder ? join(file, 'index.html') : file
  if (!existsSync(name)) {
    return void response.writeHead(404, { 'content-type': 'text/html' }).end('none')
  }
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': type }).end(readFileSync(name))
})

let browser: Browser
let said = ''

beforeAll(async () => {
  const { origin, outputFolder } = inject('site')
  // A copy of the site is up to date, so the build prints no page again.
  cpSync(outputFolder, outDir, { recursive: true, verbatimSymlinks: true })
  const options = { cwd: ROOT, env: { ...process.env, OUT_DIR: outDir, SITE_URL: origin } }
  const run = promisify(execFile)(process.execPath, ['build/site/main.ts', '--static'], options)
  said = (await run).stdout
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await chromium.connect(inject('browser'))
})

afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  rmSync(outDir, { recursive: true, force: true })
})

test('a host of files alone finds in the browser what the function finds', async () => {
  const { port } = server.address() as AddressInfo
  const page = await browser.newPage()
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  const other = await browser.newPage()
  const names = (one: typeof page) => one.locator('#results .entry > a').allTextContents()

  await page.goto(`http://127.0.0.1:${port}/skills?q=csv`)
  await other.goto(`${inject('site').origin}/skills?q=csv`)
  await expect.poll(() => names(page)).toEqual(await names(other))
  expect((await names(other)).length).toBeGreaterThan(0)

  await page.fill('#q', 'write a readme')
  await other.goto(`${inject('site').origin}/skills?q=write+a+readme`)
  await expect.poll(() => names(page)).toEqual(await names(other))

  await page.fill('#q', 'review italian restaurants')
  await other.goto(`${inject('site').origin}/skills?q=review+italian+restaurants`)
  await expect.poll(() => page.locator('#results h2').allTextContents()).toContain('Nothing fits')
  expect(await names(page)).toEqual(await names(other))
  expect(await names(page)).toHaveLength(3)
  expect(wrong).toEqual([])
})

test('pages are folders with an index, and a page says its own policy', async () => {
  const { port } = server.address() as AddressInfo
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.click('a[href="/skills"] >> nth=0')
  await page.waitForURL('**/skills/')
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]')
  expect(await policy.getAttribute('content')).toMatch(/^default-src 'none'; script-src 'self'/)
  expect(existsSync(join(folder, 'skills/csv-clean/index.html'))).toBe(true)
  expect(existsSync(join(folder, 'skills/csv-clean.html'))).toBe(false)
})

test('the build says what is lost', () => {
  expect(said).toMatch(/raw files? left out\nLost on a host of files alone: \/api\/v1\/skills/)
})
