import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
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
  const { origin } = inject('site')
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
  expect(said).toMatch(
    /raw files? left out\nLost on a host of files alone: all of \/api but the zips/,
  )
})

/** Files of the site itself; those of skills are their authors'. */
const listOwnFiles = (): { name: string; text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:html|md|json|txt|xml|atom)$|api-catalog$/.test(name))
    .filter(
      (name) => !/^(?:private|_astro)\/|^skills\/(?!page\/)[^/]+\/(?!index\.html$)./.test(name),
    )
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** Addresses of this site that a text links to, without patterns such as `{slug}`. */
const listLinks = (text: string): string[] => {
  const origin = inject('site').origin
  const links = text.matchAll(/(?:(?:href|src|action)="|\]\()([^"\s)#?]+)/g)
  return Array.from(links, ([, link = '']) => link.replace(origin, '')).filter((link) =>
    /^\/[^{]*$/.test(link),
  )
}

const isThere = (path: string): boolean => {
  const file = join(folder, decodeURIComponent(path))
  return existsSync(
    statSync(file, { throwIfNoEntry: false })?.isDirectory() ? join(file, 'index.html') : file,
  )
}

test('every link leads to something that is there', () => {
  const files = listOwnFiles()
  expect(files.length).toBeGreaterThan(150)
  const dead = files.flatMap(({ name, text }) =>
    listLinks(text).flatMap((link) => (isThere(link) ? [] : `${name}: ${link}`)),
  )
  // The page of what is missing names an address of its own.
  expect(dead).toEqual(['404.html: /404'])
})

test('nothing is promised that needs the function', () => {
  // A page of a skill has the text of its author.
  const own = listOwnFiles().filter(({ name }) => !/^skills\/(?!page\/)[^/.]+(?:\.|\/)/.test(name))
  const promised = own.flatMap(({ name, text }) =>
    Array.from(
      text.matchAll(/\/api\/(?!skills\/download)|\/mcp\b|\/b\/|text\/markdown`/g),
      ([found]) => `${name}: ${found}`,
    ),
  )
  // The blog names a registry that its reader runs.
  expect(promised.filter((one) => !one.startsWith('blog/how-search-ranks'))).toEqual([])
})

test('a box that nothing reads is not shown', async () => {
  const { port } = server.address() as AddressInfo
  const page = await browser.newPage()
  for (const path of ['', 'skills/', 'skills/csv-clean/']) {
    await page.goto(`http://127.0.0.1:${port}/${path}`)
    expect(await page.locator('.pick').first().isVisible()).toBe(false)
  }
})
