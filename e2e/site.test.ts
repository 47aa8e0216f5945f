import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectBrowser } from './connect.ts'
import { findViolations } from './violations.ts'

const site = inject('site')
const browser = await connectBrowser()

/** Errors on the pages of a test: script errors, and refused or missing files. */
const errors: string[] = []

/** The browser contexts of a test. */
const opened: BrowserContext[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((context) => context.close()))
  expect(errors.splice(0)).toEqual([])
})

/** Opens an empty page. Any error on the addresses that it visits fails the test. */
const openPage = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage()
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    const { url } = message.location()
    const isExpected = REFUSED.some((path) => url === site.origin + path)
    if (message.type() === 'error' && !isExpected) errors.push(`${url}: ${message.text()}`)
  })
  return page
}

const openContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext(options)
  opened.push(context)
  return context
}

/** Opens an address of the site in a new context. */
const visit = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await openPage(await openContext(options))
  await page.goto(site.origin + path)
  return page
}

/** Records the layout shifts of each page that a context opens. */
const watchShifts = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Layout shift that is tolerated: Lighthouse rounds it to 0, and a single line that moves shifts more. */
const SHIFT = 0.01

const sumShifts = async (page: Page): Promise<number> => {
  await page.evaluate(() => document.fonts.ready)
  return page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
  )
}

/** Addresses with an error status, which the browser reports on the console. */
const REFUSED = ['/nope', '/skills?sort=best']

const PAGES = [
  '/',
  '/skills',
  '/skills?q=csv',
  '/skills?q=spredsheet',
  '/skills?q=csv&cat=Design&licence=copyleft',
  '/skills/csv-clean',
  '/skills/form-design-review',
  '/categories',
  '/categories/coding',
  '/authors',
  '/authors/registry',
  '/blog',
  '/blog/how-search-ranks',
  '/docs',
  '/docs/api',
  '/docs/safety',
  '/docs/directories',
  '/docs/own',
  '/about',
  '/files/csv-clean/SKILL.md/view',
  '/files/ab-test-readout/references/readout-template.md/view',
  ...REFUSED,
]

const DEVICES: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
}

/** Measures the values that are the same on every page. */
const measure = (page: Page) =>
  page.evaluate(() => ({
    masthead: document.querySelector('.masthead')!.getBoundingClientRect().height,
    searches: document.querySelectorAll('input[type="search"]').length,
    tooWide: document.documentElement.scrollWidth - innerWidth,
    formsWithoutButton: document.querySelectorAll('form:not(:has(button[type="submit"]))').length,
  }))

// One tab per device visits all pages, once for all measurements: a context per page cost 9 s more CPU time.
describe.each(Object.entries(DEVICES))('on a %s', (_, device) => {
  let page: Page
  beforeAll(async () => {
    const context = await browser.newContext(device)
    await watchShifts(context)
    page = await openPage(context)
  })
  afterAll(() => page.context().close())

  test.each(PAGES)(
    '%s passes axe in light and dark, does not shift, and has the common layout',
    async (path) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(site.origin + path)
      expect(await sumShifts(page)).toBeLessThan(SHIFT)
      expect(await measure(page)).toEqual({
        masthead: 61,
        searches: 1,
        tooWide: 0,
        formsWithoutButton: 0,
      })
      expect(await findViolations(page)).toEqual({ light: [], dark: [] })
    },
  )
})

test.each(['/', '/skills/csv-clean', '/docs/api'])(
  '%s does not shift if its fonts load after it is drawn',
  async (path) => {
    const context = await openContext(DEVICES['desktop'])
    await watchShifts(context)
    const page = await openPage(context)
    const { promise: drawn, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\.woff2$/, (route) => drawn.then(() => route.continue()))
    await page.goto(site.origin + path, { waitUntil: 'commit' })
    await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    )
    release()
    await page.waitForLoadState('load')
    expect(await sumShifts(page)).toBeLessThan(SHIFT)
  },
)

test('without JavaScript, a skill page has all its parts, and the list all its skills', async () => {
  const page = await visit('/skills/csv-clean', { javaScriptEnabled: false })
  const twin = await (await fetch(`${site.origin}/skills/csv-clean.md`)).text()
  const ours = twin.replace(/^(`{3,})markdown\n[^]*?\n\1$/m, '')
  const headings = Array.from(ours.matchAll(/^## (.*)$/gm), ([, heading]) => heading)
  expect(headings.length).toBeGreaterThan(10)
  expect(await page.locator('h2').allTextContents()).toEqual(headings)
  expect(await page.locator('.line[data-shell="bash"]').first().innerText()).toMatch(
    /^curl -fsSL --create-dirs -o \.claude\/skills\/csv-clean\.zip /,
  )
  await page.goto(`${site.origin}/skills`)
  expect(await page.locator('#results [data-part="all-skills"] .entry').count()).toBe(33)
})

const FILE = '/files/csv-clean/scripts/profile_csv.py/view'

const readFile = async (): Promise<string> =>
  (await fetch(`${site.origin}/skills/csv-clean/scripts/profile_csv.py`)).text()

const readChosen = (page: Page): Promise<string[]> =>
  page.locator('.source .chosen').evaluateAll((lines) => lines.map(({ id }) => id))

test('the text of a file is selected and copied without line numbers', async () => {
  const page = await visit(FILE, { permissions: ['clipboard-read', 'clipboard-write'] })
  const text = await readFile()
  expect(await page.locator('.source code').textContent()).toBe(text)
  const selected = await page.evaluate(() => {
    getSelection()?.selectAllChildren(document.querySelector('.source code')!)
    return String(getSelection())
  })
  expect(selected.trimEnd()).toBe(text.trimEnd())
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
})

test('an address highlights lines, and clicks on line numbers change the address', async () => {
  // Without motion, since a smooth scroll could still be going on when the position is read.
  const page = await visit(`${FILE}#L30-L32`, { reducedMotion: 'reduce' })
  expect(await readChosen(page)).toEqual(['L30', 'L31', 'L32'])
  expect(await page.locator('#L30').isVisible()).toBe(true)
  const number = { position: { x: 10, y: 5 } }
  await page.locator('#L34').click(number)
  expect([await readChosen(page), new URL(page.url()).hash]).toEqual([['L34'], '#L34'])
  const top = await page.evaluate(() => scrollY)
  await page.locator('#L32').click({ ...number, modifiers: ['Shift'] })
  expect([await readChosen(page), new URL(page.url()).hash]).toEqual([
    ['L32', 'L33', 'L34'],
    '#L32-L34',
  ])
  expect(await page.evaluate(() => scrollY)).toBe(top)
  await page.locator('#L3').click({ position: { x: 120, y: 5 } })
  expect(new URL(page.url()).hash).toBe('#L32-L34')
})

test('without JavaScript, the line in the address is highlighted and in sight', async () => {
  const page = await visit(`${FILE}#L34`, { javaScriptEnabled: false })
  const line = page.locator('#L34')
  const colour = (one: typeof line): Promise<string> =>
    one.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await colour(line)).not.toBe(await colour(page.locator('#L33')))
  // Polled, since the page can scroll smoothly.
  await expect.poll(async () => (await line.boundingBox())!.y).toBeLessThan(720)
})

test('the first Tab reaches the skip link, which leads to the text', async () => {
  const page = await visit('/skills/csv-clean')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the text')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
})

test('the line that checks the zip confirms the digest on the page', async () => {
  const page = await visit('/skills/csv-clean')
  const line = await page.locator('code', { hasText: 'sha256sum -c' }).textContent()
  const folder = mkdtempSync(join(tmpdir(), 'skill-registry-check-'))
  try {
    const zip = await page.getByRole('link', { name: 'Zip' }).getAttribute('href')
    const bytes = await (await fetch(`${site.origin}${zip}`)).arrayBuffer()
    writeFileSync(join(folder, 'csv-clean.zip'), Buffer.from(bytes))
    const { stdout, status } = spawnSync('sh', ['-c', line ?? ''], { cwd: folder })
    expect([status, stdout.toString()]).toEqual([0, 'csv-clean.zip: OK\n'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the copy button copies the install line, and the line installs the skill', async () => {
  const page = await visit('/skills/csv-clean', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.locator('[data-part="install"] .copy').first().click()
  const line = await page.evaluate(() => navigator.clipboard.readText())
  const folder = mkdtempSync(join(tmpdir(), 'skill-registry-install-'))
  try {
    await promisify(execFile)('sh', ['-c', line], {
      cwd: folder,
      env: { ...process.env, PATH: `${providePrograms(folder)}${delimiter}${process.env['PATH']}` },
    })
    const installed = readFileSync(join(folder, '.claude/skills/csv-clean/SKILL.md'))
    const published = await fetch(`${site.origin}/skills/csv-clean/SKILL.md`)
    expect(installed.equals(Buffer.from(await published.arrayBuffer()))).toBe(true)
    expect(existsSync(join(folder, '.claude/skills/csv-clean/scripts/profile_csv.py'))).toBe(true)
    expect(existsSync(join(folder, '.claude/skills/csv-clean.zip'))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Small replacements for curl and unzip, used only if the machine does not have these programs. */
const REPLACEMENTS: Record<string, string> = {
  curl: `const [, , , output, address] = process.argv.slice(2)
    fs.mkdirSync(require('path').dirname(output), { recursive: true })
    const response = await fetch(address)
    if (!response.ok) process.exit(22)
    fs.writeFileSync(output, Buffer.from(await response.arrayBuffer()))`,
  unzip: `const JSZip = require('jszip')
    const [, file, , folder] = process.argv.slice(2)
    const zip = await JSZip.loadAsync(fs.readFileSync(file), { checkCRC32: true })
    for (const entry of Object.values(zip.files)) {
      const path = require('path').join(folder, entry.name)
      fs.mkdirSync(require('path').dirname(path), { recursive: true })
      if (!entry.dir) fs.writeFileSync(path, await entry.async('nodebuffer'))
    }`,
}

const isInstalled = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((path) => existsSync(join(path, name)))

const providePrograms = (folder: string): string => {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  for (const [name, body] of Object.entries(REPLACEMENTS).filter(
    ([program]) => !isInstalled(program),
  )) {
    const source = `const require = (await import('node:module')).createRequire(${JSON.stringify(createRequire(import.meta.url).resolve('jszip'))})
    const fs = await import('node:fs')\n${body}`
    writeFileSync(join(programs, `${name}.mjs`), source)
    writeFileSync(
      join(programs, name),
      `#!/bin/sh\nexec "${process.execPath}" "${join(programs, name)}.mjs" "$@"\n`,
    )
    chmodSync(join(programs, name), 0o755)
  }
  return programs
}

const readSitemap = async (): Promise<string[]> => {
  const text = await (await fetch(`${site.origin}/sitemap.xml`)).text()
  return [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address ?? '')
}

interface Crumb {
  name: string
  item: string
}

/** Reads the breadcrumbs of a page from its JSON-LD. */
const readTrail = (html: string): Crumb[] => {
  const [, json = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html) ?? []
  const { '@graph': graph } = JSON.parse(json) as {
    '@graph': { '@type': string; itemListElement?: Crumb[] }[]
  }
  const list = graph.find((thing) => thing['@type'] === 'BreadcrumbList')
  return (list?.itemListElement ?? []).map(({ name, item }) => ({ name, item }))
}

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()

/** Reads the visible breadcrumbs of a page. */
const readShownTrail = (html: string, path: string): Crumb[] => {
  const [trail = ''] = /<nav class="trail[^]*?<\/nav>/.exec(html) ?? []
  const links = Array.from(trail.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g), (found) => ({
    name: decode(found[2] ?? ''),
    item: site.origin + found[1],
  }))
  const [, here] = /aria-current="page"[^>]*>([^<]*)</.exec(trail) ?? []
  return here === undefined ? links : [...links, { name: decode(here), item: site.origin + path }]
}

describe('a walk of the sitemap', () => {
  test('every page answers in both forms, and no link in either form is dead', async () => {
    const addresses = await readSitemap()
    expect(addresses.length).toBeGreaterThan(45)
    const known = new Map<string, number>()
    const check = async (address: string): Promise<number> => {
      const status =
        known.get(address) ?? (await fetch(address, { method: 'HEAD', redirect: 'manual' })).status
      known.set(address, status)
      return status
    }
    const dead: string[] = []
    const pictures = new Set<string>()
    for (const address of addresses) {
      const html = await fetch(address, { headers: { accept: 'text/html' } })
      const negotiated = await fetch(address, { headers: { accept: 'text/markdown' } })
      expect([address, html.status, negotiated.status]).toEqual([address, 200, 200])
      const page = await html.text()
      const twin = await negotiated.text()
      const path = new URL(address).pathname
      expect(await (await fetch(`${site.origin}${path === '/' ? '/index' : path}.md`)).text()).toBe(
        twin,
      )
      expect(page.match(/<h1[\s>]/g)).toHaveLength(1)
      expect(readTrail(page)).toEqual(readShownTrail(page, path))
      pictures.add(/<meta property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? path)
      const prose = twin.replace(/^(`{3,}|~{3,})[^]*?^\1$/gm, '')
      expect(prose.match(/^# /gm)).toHaveLength(1)
      const links = [
        ...[...page.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) =>
          href?.replaceAll('&amp;', '&'),
        ),
        ...[...prose.matchAll(/\]\(<?([^)\s>]+)/g)].map(([, href]) => href),
      ]
      const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      for (const href of links) {
        const target = new URL(href ?? '', address)
        if (target.origin !== site.origin) continue
        const isHere = target.pathname === path && target.hash !== ''
        if (isHere && !ids.has(target.hash.slice(1))) dead.push(`${address}: ${href}`)
        target.hash = ''
        if (!isHere && (await check(target.href)) !== 200) dead.push(`${address}: ${href}`)
      }
    }
    expect(dead).toEqual([])
    expect(pictures.size).toBe(10)
    for (const picture of pictures) {
      const bytes = Buffer.from(await (await fetch(picture)).arrayBuffer())
      expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1_200, 630])
    }
  })
})
