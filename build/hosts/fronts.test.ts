import { expect, test } from 'vitest'
import { findRoute } from '../../functions/route.ts'
import { writeFixture } from '../../testing/fixture.ts'
import { CONTRACT } from '../../testing/contract/contract.ts'
import { splitLine } from '../../testing/contract/clause.ts'
import { renderCaddyfile, renderNginx } from './fronts.ts'

const NGINX = renderNginx({ root: '/srv/public' })
const CADDY = renderCaddyfile({ root: '/srv/public' })

const patternsIn = (text: string, lead: RegExp): RegExp[] =>
  [...text.matchAll(lead)].map(([, pattern = '']) => new RegExp(pattern))

/** The file below `public` that a front serves from disk for a target. */
const fromDisk = (target: string, [page, asset]: readonly RegExp[]): string | undefined => {
  if (target === '/') return 'index.html'
  const [, name] = page?.exec(target) ?? []
  return name === undefined ? asset?.exec(target)?.[1] : `${name}.html`
}

/** The file that the function serves: a page in HTML, or an asset. */
const byFunction = (target: string): string | undefined => {
  const route = findRoute({ method: 'GET', target })
  if (route.kind === 'page') return `${route.page}.html`
  return route.kind === 'file' && route.policy === 'asset' ? route.file : undefined
}

const FILES = writeFixture()
const ODD =
  `/404 /404.html /mcp /b /files /skills/a/b /skills/a/b.html /skills/page /skills/page/2/x /skills/page/02
 /authors/a/b /authors/page/page /docs /docs/a/b /blog/page/1 /_astro/ /_astro/.. /_astro/a/b /_astro/../x /Skills /skills/
 /skills? /skills?q=a /%73kills /skills%2Fa /skills/-a /skills/a- /skills/a.md /private/x //skills /skills//a /index`.split(
    /\s+/,
  )
const TARGETS = [
  ...CONTRACT.map((clause) => splitLine(clause).target).filter((target) =>
    /^\/.{0,200}$/.test(target),
  ),
  ...Object.keys(FILES).map((name) =>
    name.replace(/^(?:public|private)/, '').replace(/\.html$/, ''),
  ),
  ...ODD,
]

test.each([
  ['nginx', patternsIn(NGINX, /"~(\^\/\(\?<(?:page|asset)>.*\$)" (?:page|asset)\//g)],
  ['caddy', patternsIn(CADDY, /vars_regexp \w+ \S+ (\S+)/g)],
])('what %s takes from the disk is what the function would', (_name, patterns) => {
  expect(patterns.length).toBe(2)
  const taken = TARGETS.filter((target) => `public/${fromDisk(target, patterns)}` in FILES)
  expect(new Set(taken).size).toBeGreaterThan(15)
  for (const target of taken)
    expect([target, fromDisk(target, patterns)]).toEqual([target, byFunction(target)])
})

test('with a front of a private registry, no shared cache may keep an answer', () => {
  for (const render of [renderNginx, renderCaddyfile]) {
    const text = render({ root: '/srv/public', isPrivate: true })
    expect(text).toMatch(/Cache-Control "private, max-age=31536000, immutable"/)
    expect(text).not.toMatch(/Cache-Control "public/)
  }
})

test('a front sends precompressed files if the build made them', () => {
  const settings = { root: '/srv/public', isCompressed: true }
  expect(renderNginx(settings)).toMatch(/^ {2}gzip_static on;$/m)
  expect(renderCaddyfile(settings).match(/precompressed br gzip/g)).toHaveLength(3)
  expect(NGINX + CADDY).not.toMatch(/gzip_static|precompressed/)
})

test('a front sends HSTS only over TLS', () => {
  // Header fields of a location replace inherited ones, and a field without a value is not sent.
  const hsts = /add_header Strict-Transport-Security \$registry_hsts always;/g
  expect([...NGINX.matchAll(hsts)].length).toBe(3)
  expect(NGINX).toMatch(
    /map \$https \$registry_hsts \{\n {2}default "";\n {2}on "max-age=31536000";/,
  )
  expect(CADDY).toMatch(
    /@secure protocol https\n\theader @secure Strict-Transport-Security "max-age=/,
  )
})

test('nginx passes on no X-Forwarded-For of a client', () => {
  const passes = [...NGINX.matchAll(/^ +proxy_pass /gm)]
  const forwarded = [...NGINX.matchAll(/^ +proxy_set_header X-Forwarded-For (.+);$/gm)]
  expect(forwarded.map(([, value]) => value)).toEqual(passes.map(() => '$remote_addr'))
})

test('a front sends the header fields of the policies', () => {
  for (const text of [NGINX, CADDY]) {
    expect(text).toMatch(/Content-Security-Policy "default-src 'none'; script-src 'self'/)
    expect(text).toMatch(/Cache-Control "public, max-age=31536000, immutable"/)
    expect(text).toMatch(/Vary "Accept, Accept-Encoding"/)
  }
})

test('no matcher of Caddy names a file by what another of its set finds: their order is any', () => {
  const sets = CADDY.match(/^\t@\w+ \{[^]*?\n\t\}/gm) ?? []
  expect(sets).toHaveLength(3)
  expect(sets.filter((set) => set.includes('vars_regexp') && /\bfile\b/.test(set))).toEqual([])
})
