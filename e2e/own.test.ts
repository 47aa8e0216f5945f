import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBrowser } from './connect.ts'
import { copySkills, startSite } from './site.ts'
import type { RunningSite } from './site.ts'

// A registry that sets every visible field of site.json, without changes to the code.

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><script>alert(1)</script><circle cx="16" cy="16" r="16" fill="#7a1f5c"/></svg>`

const ACME = {
  format: 1,
  name: 'Acme <Skills>',
  tagline: 'What our teams teach their assistants',
  description: 'Skills that the teams of Acme wrote and reviewed.',
  contact: 'https://git.acme.example/skills/issues/new',
  theme: {
    paper: { light: '#fdf6fb', dark: '#1a1018' },
    accent: { light: '#7a1f5c', dark: '#f0a6d6' },
    heading: 'Georgia, serif',
  },
  logo: 'logo.svg',
  favicon: 'icon.png',
  navigation: [
    { label: 'Skills', to: '/skills' },
    { label: 'By <category>', to: '/categories' },
    { label: 'Rules', to: '/rules' },
    { label: 'Handbook', to: 'https://handbook.acme.example/?a=1&b=2' },
  ],
  footer: 'Inside only. *Ask* the [platform team](https://chat.acme.example). <b>x</b>',
  examples: ['release notes', 'a & b'],
  private: true,
  starter: ['csv-clean'],
}

let content = ''
let site: RunningSite
const browser = await connectBrowser()

beforeAll(async () => {
  content = copySkills(['csv-clean'], ACME)
  mkdirSync(join(content, 'pages'))
  writeFileSync(join(content, 'logo.svg'), LOGO)
  writeFileSync(join(content, 'icon.png'), Buffer.from(PIXEL, 'base64'))
  writeFileSync(
    join(content, 'pages/rules.md'),
    '---\ntitle: Rules\ndescription: What a skill of ours must be.\ndate: 2026-01-02\n---\nShort.\n',
  )
  site = await startSite({ CONTENT_DIR: content })
})
afterAll(async () => {
  await site?.stop()
  rmSync(content, { recursive: true, force: true })
})

const visit = async <Result>(
  path: string,
  colorScheme: 'light' | 'dark',
  use: (page: Page) => Promise<Result>,
): Promise<Result> => {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(site.origin + path)
  const result = await use(page)
  await context.close()
  expect(errors).toEqual([])
  return result
}

test('shows its name, logo, navigation, footer and examples', async () => {
  await visit('/', 'light', async (page) => {
    expect(await page.title()).toBe(ACME.name)
    expect(await page.locator('.brand').innerText()).toBe(ACME.name)
    const pictures = page.locator('img.mark')
    expect(await pictures.count()).toBe(1)
    const widths = await pictures.evaluateAll((all) =>
      all.map((one) => (one as HTMLImageElement).naturalWidth > 0 && one.clientWidth),
    )
    expect(widths).toEqual([32])
    const links = await page
      .locator('#places a')
      .evaluateAll((all) =>
        all.map((one) => ({ label: one.textContent, to: one.getAttribute('href') })),
      )
    expect(links).toEqual(ACME.navigation)
    expect(await page.locator('.tries a').allInnerTexts()).toEqual(ACME.examples)
    const foot = page.locator('.foot p')
    expect(await foot.innerText()).toBe('Inside only. Ask the platform team. <b>x</b>')
    expect(await foot.locator('a').getAttribute('href')).toBe('https://chat.acme.example')
  })
})

test.each([
  ['light', 'rgb(253, 246, 251)', 'rgb(122, 31, 92)'],
  ['dark', 'rgb(26, 16, 24)', 'rgb(240, 166, 214)'],
] as const)('has the colours of its theme: %s', async (scheme, paper, accent) => {
  await visit('/', scheme, async (page) => {
    const found = await page.evaluate(() => {
      const button = getComputedStyle(document.querySelector('.ask button')!)
      const heading = getComputedStyle(document.querySelector('h1')!)
      const body = getComputedStyle(document.body)
      const root = getComputedStyle(document.documentElement)
      return [
        [body.backgroundColor, root.backgroundColor].find((one) => one !== 'rgba(0, 0, 0, 0)'),
        button.backgroundColor,
        button.color,
        heading.fontFamily,
      ]
    })
    expect(found).toEqual([paper, accent, paper, 'Georgia, serif'])
  })
})

const currentOn = (path: string) =>
  visit(path, 'light', (page) => page.locator('[aria-current="true"]').allInnerTexts())

test('the navigation marks the current page, also on a page that the function renders', async () => {
  expect(await currentOn('/rules')).toEqual(['Rules'])
  expect(await currentOn('/categories/coding')).toEqual(['By <category>'])
  expect(await currentOn('/skills?q=csv')).toEqual(['Skills'])
})

test('the icon is an SVG that contains the PNG', async () => {
  const icon = await (await fetch(`${site.origin}/favicon.svg`)).text()
  expect(icon).toContain(`href="data:image/png;base64,${PIXEL}"`)
})

test('there is no blog, and no page mentions one', async () => {
  expect((await fetch(`${site.origin}/blog`)).status).toBe(404)
  for (const path of ['/', '/index.md', '/llms.txt', '/sitemap.xml', '/nope']) {
    const text = await (await fetch(site.origin + path)).text()
    expect([path, text.match(/.{0,40}\bblog\b.{0,40}/gi)]).toEqual([path, null])
  }
})

test('a private registry never calls itself public, and no cache or robot may store an answer', async () => {
  const folder = join(site.outputFolder, 'current/public')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /\.(?:html|md|txt|json|xml|atom)$/.test(name) && !name.startsWith('skills/csv-clean/'),
  )
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8')
    expect([name, text.match(/.{0,40}\bpublic\b.{0,40}/gi)]).toEqual([name, null])
  }
  for (const path of ['/', '/skills?q=csv', '/nope', '/api/v1/skills', '/api/skills/download/8']) {
    const { headers } = await fetch(site.origin + path)
    const fields = [headers.get('cache-control'), headers.get('x-robots-tag')]
    expect([path, ...fields]).toEqual([path, 'private, no-store', 'noindex'])
  }
  expect(await (await fetch(`${site.origin}/robots.txt`)).text()).toContain('Disallow: /\n')
})
