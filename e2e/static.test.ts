import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Nodes } from 'mdast'
import { parse } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'
import { ROOT } from './site.ts'

const base = '/kit'
const site = inject('site')
const browser = await connectBrowser()

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** Serves a folder at a path like GitHub Pages and S3: a folder's address shows its index.html. */
const createHost = (folder: string) =>
  createServer(({ url = '' }, response) => {
    const whole = decodeURIComponent(new URL(url, 'http://any.example').pathname)
    const path = whole.startsWith(`${base}/`) ? whole.slice(base.length) : '/outside'
    const file = join(folder, path)
    const isFolder = existsSync(file) && statSync(file).isDirectory()
    if (isFolder && !path.endsWith('/')) {
      const [, query = ''] = /(\?.*)$/.exec(url) ?? []
      return void response.writeHead(302, { location: `${whole}/${query}` }).end()
    }
    const name = isFolder ? join(file, 'index.html') : file
    if (!existsSync(name)) {
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('none')
    }
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(name))
  })

type Element = DefaultTreeAdapterTypes.Element

/** Lists the values of all attributes; a value such as `0; url=…` is reduced to its address. */
const listAttributes = (node: Partial<Element>): string[] => [
  ...(node.attrs ?? []).map(({ value }) => value.replace(/^0; url=/, '')),
  ...(node.childNodes ?? []).flatMap((child) => listAttributes(child as Element)),
]

const listDestinations = (node: Nodes): string[] => [
  ...('url' in node ? [node.url] : []),
  ...('children' in node ? node.children.flatMap(listDestinations) : []),
]

const listStrings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(listStrings)
    : []
}

const listXml = (text: string): string[] =>
  Array.from(text.matchAll(/[">]([^"<>]*)(?=["<])/g), ([, value = '']) => value)

/** Functions that list the possible addresses in a file, by file extension. */
const READERS: Record<string, (text: string) => string[]> = {
  html: (text) => listAttributes(parse(text) as unknown as Element),
  md: (text) => listDestinations(fromMarkdown(text)),
  json: (text) => listStrings(JSON.parse(text)),
  ndjson: (text) =>
    text
      .trim()
      .split('\n')
      .flatMap((line) => listStrings(JSON.parse(line))),
  css: (text) => Array.from(text.matchAll(/url\(["']?([^)"']+)/g), ([, address = '']) => address),
  js: (text) =>
    Array.from(text.matchAll(/["'`](\/_astro\/[^"'`]+)/g), ([, address = '']) => address),
  atom: (text) => listXml(text),
  xml: (text) => listXml(text),
  txt: (text) => text.match(/https?:[^\s()`]+/g) ?? [],
}

const endingOf = (name: string): string => /[^./]+$/.exec(name)![0]

/** Lists the paths on this host that a file links to, without queries and without patterns such as `{slug}`. */
const listLinks = (name: string, text: string): string[] =>
  READERS[endingOf(name)]!(text).flatMap((address) => {
    const link = address.replace(site.origin, '')
    const isLink = /^\/(?!\/)[^\s{]*$/.test(link) || (link === '' && address !== '')
    return isLink ? [link.replace(/[?#].*$/, '') || '/'] : []
  })

describe('a site of plain files below a path', () => {
  const outDir = mkdtempSync(join(tmpdir(), 'skill-registry-static-'))
  const folder = join(outDir, 'hosts/static')
  const server = createHost(folder)

  let printed = ''

  beforeAll(async () => {
    const places = { CONTENT_DIR: site.content, OUT_DIR: outDir, SITE_URL: site.origin + base }
    const options = { cwd: ROOT, env: { ...process.env, ...places } }
    const run = promisify(execFile)(process.execPath, ['build/site/main.mjs', '--static'], options)
    printed = (await run).stdout
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })

  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    rmSync(outDir, { recursive: true, force: true })
  })

  test('the search in the browser finds the same skills as the function', async () => {
    const { port } = server.address() as AddressInfo
    const page = await browser.newPage()
    const wrong: string[] = []
    page.on('pageerror', (error) => wrong.push(error.message))
    const other = await browser.newPage()
    const names = (one: typeof page) => one.locator('#results .who > a').allTextContents()

    await page.goto(`http://127.0.0.1:${port}${base}/skills?q=csv`)
    await other.goto(`${site.origin}/skills?q=csv`)
    await expect.poll(() => names(page)).toEqual(await names(other))
    expect((await names(other)).length).toBeGreaterThan(0)

    await page.fill('#q', 'write a readme')
    await other.goto(`${site.origin}/skills?q=write+a+readme`)
    await expect.poll(() => names(page)).toEqual(await names(other))

    await page.fill('#q', 'review italian restaurants')
    await other.goto(`${site.origin}/skills?q=review+italian+restaurants`)
    await expect.poll(() => page.locator('#results h2').allTextContents()).toContain('Nothing fits')
    expect(await names(page)).toEqual(await names(other))
    expect(await names(page)).toHaveLength(3)
    expect(wrong).toEqual([])
  })

  test('pages are folders with an index.html, and each page has its policy as a meta element', async () => {
    const { port } = server.address() as AddressInfo
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}${base}/`)
    await page.click(`a[href="${base}/skills"] >> nth=0`)
    await page.waitForURL(`**${base}/skills/`)
    const policy = page.locator('meta[http-equiv="Content-Security-Policy"]')
    expect(await policy.getAttribute('content')).toMatch(/^default-src 'none'; script-src 'self'/)
    expect(existsSync(join(folder, 'skills/csv-clean/index.html'))).toBe(true)
    expect(existsSync(join(folder, 'skills/csv-clean.html'))).toBe(false)
  })

  test('the build reports what is not available', () => {
    expect(printed).toMatch(
      /raw files? left out\nNot available on a static host: \/api except the zips/,
    )
  })

  /** The authors' files, and skills whose pages differ from those of others only by their texts. */
  const LEFT_OUT =
    /^private\/|^skills\/(?!page\/)(?:[^/]+\/(?!index\.html$|\.well-known\/).|(?!csv-clean|find-skills-here|its-source|sorts-))/

  /** Lists the files of the site itself. */
  const listOwnFiles = (): { name: string; text: string }[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => Object.hasOwn(READERS, endingOf(name)) && !LEFT_OUT.test(name))
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

  const isThere = (path: string): boolean => {
    const file = join(folder, decodeURIComponent(path))
    return existsSync(
      statSync(file, { throwIfNoEntry: false })?.isDirectory() ? join(file, 'index.html') : file,
    )
  }

  test('every link stays below the base path and leads to an existing file', () => {
    const files = listOwnFiles()
    expect(files.length).toBeGreaterThan(120)
    const counts = Map.groupBy(files, ({ name }) => endingOf(name))
    expect([...counts.keys()].toSorted()).toEqual(Object.keys(READERS).toSorted())
    const links = files.flatMap(({ name, text }) =>
      listLinks(name, text).map((link) => ({ name, link })),
    )
    const isInside = (link: string) => link === base || link.startsWith(`${base}/`)
    const wrong = links.filter(({ link }) => !isInside(link) || !isThere(link.slice(base.length)))
    expect(new Set(wrong.map(({ name, link }) => `${name}: ${link}`))).toEqual(
      new Set([
        // The 404 page links to its own address.
        `404.html: ${base}/404`,
      ]),
    )
    const outside = files.filter(({ text }) =>
      text
        .split(site.origin)
        .slice(1)
        .some((after) => !after.startsWith(base)),
    )
    expect(outside.map(({ name }) => name)).toEqual([])
  })

  test('no page mentions anything that needs the function', () => {
    // Pages of skills contain the author's text, and scripts contain the function itself.
    const own = listOwnFiles().filter(
      ({ name }) => !/^skills\/(?!page\/)[^/.]+(?:\.|\/)|^_astro\//.test(name),
    )
    const mentions = own.flatMap(({ name, text }) =>
      Array.from(
        text.matchAll(/\/api\/(?!skills\/download)|\/mcp\b|text\/markdown`/g),
        ([found]) => `${name}: ${found}`,
      ),
    )
    // The blog describes a registry that its reader runs.
    expect(mentions.filter((one) => !one.startsWith('blog/how-search-ranks'))).toEqual([])
  })
})
