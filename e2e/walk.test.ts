import { HtmlValidate } from 'html-validate'
import type { ConfigData } from 'html-validate'
import { expect, inject, test } from 'vitest'

const site = inject('site')

const CONFIG: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // No file comes from another origin.
    'require-sri': ['error', { target: 'crossorigin' }],
    // The authors' code can have trailing white space.
    'no-trailing-whitespace': 'off',
    // Our code formatter writes `<input />`.
    'void-style': 'off',
    // There can be several categories, each in a field named `cat`.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
  },
}

const validator = new HtmlValidate(CONFIG)

const findMessages = async (path: string, html: string): Promise<string[]> => {
  const { results } = await validator.validateString(html, path)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, selector }) =>
      [path, ruleId, message, `line ${line}`, selector].join(' | '),
    ),
  )
}

const fetchAs = (path: string, accept: string): Promise<Response> =>
  fetch(site.origin + path, { headers: { accept } })

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

const statuses = new Map<string, number>()

/** Returns the status of an address, which is asked for once. */
const askStatus = async (address: string): Promise<number> => {
  const known = statuses.get(address)
  if (known !== undefined) return known
  const { status } = await fetch(address, { method: 'HEAD', redirect: 'manual' })
  statuses.set(address, status)
  return status
}

/** Lists the links of a page and its Markdown that lead to nothing on this site. */
const findDead = async (path: string, page: string, prose: string): Promise<string[]> => {
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [
    ...page.matchAll(/<(?:a|link) [^>]*?href="([^"]+)"/g),
    ...prose.matchAll(/\]\(<?([^)\s>]+)/g),
  ].map(([, href = '']) => href.replaceAll('&amp;', '&'))
  const dead: string[] = []
  for (const href of links) {
    const target = new URL(href, site.origin + path)
    if (target.origin !== site.origin) continue
    const isHere = target.pathname === path && target.hash !== ''
    const isThere = isHere
      ? ids.has(decodeURIComponent(target.hash.slice(1)))
      : (await askStatus(target.origin + target.pathname + target.search)) === 200
    if (!isThere) dead.push(`${path}: ${href}`)
  }
  return dead
}

/** Skill pages differ only by their texts, so these represent them all. The longest author makes too long a title. */
const VALIDATED =
  /^(?!\/skills\/|\/authors\/a{9})|csv-clean|find-skills|everything|wide-code|without-text|its-source/

test('every page of the sitemap answers in both forms, is valid, and has no dead link', async () => {
  const text = await (await fetch(`${site.origin}/sitemap.xml`)).text()
  const paths = Array.from(
    text.matchAll(/<loc>(.*?)<\/loc>/g),
    ([, loc = '']) => new URL(loc).pathname,
  )
  expect(paths.length).toBeGreaterThan(60)
  const problems: string[] = []
  const pictures = new Set<string>()
  for (const path of paths) {
    const html = await fetchAs(path, 'text/html')
    const markdown = await fetchAs(path, 'text/markdown')
    expect([path, html.status, markdown.status]).toEqual([path, 200, 200])
    const [page, twin] = [await html.text(), await markdown.text()]
    expect(await (await fetch(`${site.origin}${path === '/' ? '/index' : path}.md`)).text()).toBe(
      twin,
    )
    expect(page.match(/<h1[\s>]/g)).toHaveLength(1)
    expect(readTrail(page)).toEqual(readShownTrail(page, path))
    pictures.add(/<meta property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? path)
    const prose = twin.replace(/^(`{3,}|~{3,})[^]*?^\1$/gm, '')
    expect([path, prose.match(/^# /gm)]).toEqual([path, ['# ']])
    problems.push(...(await findDead(path, page, prose)))
    if (VALIDATED.test(path)) problems.push(...(await findMessages(path, page)))
    const own = path.startsWith('/skills/') ? '' : page.replaceAll(site.origin, '')
    const links = own.matchAll(/href="[^"]*(?:localhost|127\.0\.0\.1)[^"]*|node_modules\/[^<\s]*/g)
    problems.push(...Array.from(links, ([link]) => `${path}: of this machine: ${link}`))
  }
  expect(problems).toEqual([])
  expect(pictures.size).toBe(10)
  for (const picture of pictures) {
    const bytes = Buffer.from(await (await fetch(picture)).arrayBuffer())
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1_200, 630])
  }
})

test.each([
  '/nope',
  '/skills/cvs-clean',
  '/skills?q=csv',
  '/files/ab-test-readout/references/readout-template.md/view',
  '/files/csv-clean/scripts/profile_csv.py/view',
  '/files/csv-clean/nothing.md/view',
  '/skills?q=zzzzqqqq',
  '/skills?sort=best',
  '/skills?cat=Coding&cat=Design&page=2',
])('html-validate reports nothing for %s', async (path) => {
  const response = await fetchAs(path, 'text/html')
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(await findMessages(path, await response.text())).toEqual([])
})
