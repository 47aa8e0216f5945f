import { describe, expect, test } from 'vitest'
import { readSettings } from '../../build/site/settings.ts'
import { openWorkspace } from '../../build/site/astro.ts'
import { findRoute } from '../../functions/route.ts'
import { SITE_FILE_PATHS, twinPath } from '../documents/paths.ts'
import { renderHeadersFile } from './cdn-headers.ts'
import { POLICIES } from './policies.ts'

interface Rule {
  pattern: string
  matcher: RegExp
  detached: string[]
  set: Record<string, string>
}

const compilePattern = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^$()[\]{}|\\]/g, String.raw`\$&`)
      .replace('*', '.*')
      .replace(/:[A-Za-z]\w*/g, '[^/]+')}$`,
  )

/** Reads the file as Cloudflare documents it, and refuses what it would drop without a word. */
const parseRules = (text: string): Rule[] => {
  const rules: Rule[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    if (line.length > 2_000) throw new Error(`a line of ${line.length} characters is dropped`)
    const current = rules.at(-1)
    const [, detached] = /^\s+! (\S+)$/.exec(line) ?? []
    const [, name, value] = /^\s+([A-Za-z-]+): (.+)$/.exec(line) ?? []
    if (line.startsWith('/')) {
      if (line.split('*').length > 2) throw new Error(`${line} has two splats`)
      rules.push({ pattern: line, matcher: compilePattern(line), detached: [], set: {} })
    } else if (current && detached) current.detached.push(detached.toLowerCase())
    else if (current && name && value) current.set[name.toLowerCase()] = value
    else throw new Error(`${line} is not part of a rule`)
  }
  if (rules.length > 100) throw new Error(`only 100 of ${rules.length} rules are read`)
  return rules
}

/** What Cloudflare Pages sends with a file of its own accord, and a rule may replace or detach. */
const OWN = {
  'content-type': 'by extension',
  'access-control-allow-origin': '*',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Applies all rules that match, in order, to what the CDN sends; a field set twice has both values. */
const fieldsOf = (path: string): Record<string, string> => {
  const fields: Record<string, string> = { ...OWN }
  const isSet = new Set<string>()
  for (const { detached, set } of RULES.filter(({ matcher }) => matcher.test(path))) {
    for (const name of detached) delete fields[name]
    for (const [name, value] of Object.entries(set)) {
      const before = isSet.has(name) ? fields[name] : undefined
      fields[name] = before === undefined ? value : `${before}, ${value}`
      isSet.add(name)
    }
  }
  return fields
}

const RULES = parseRules(renderHeadersFile())

const lowerCased = (headers: object): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The fixed header fields of our own hosts for an address. */
const promised = (target: string): object => {
  const route = findRoute({ method: 'GET', target })
  if (route.kind === 'page') return lowerCased(POLICIES[route.form].headers)
  if (route.kind === 'download') return lowerCased(POLICIES.zip.headers)
  return route.kind === 'file' ? lowerCased(POLICIES[route.policy].headers) : {}
}

/** Files below pages. */
const LISTS = [
  '/authors/octo/.well-known/agent-skills/index.json',
  '/categories/coding/.well-known/agent-skills/index.json',
  '/categories/coding/marketplace.json',
]

const { plans } = openWorkspace(readSettings({}))
const ADDRESSES = plans
  .flatMap(({ path }) => [path, twinPath(path)])
  .filter((path) => !path.startsWith('/404'))
  .concat(
    '/skills/page/2 /skills/page/2.md /authors/page/2 /authors/octo/page/3 /categories/coding/page/2.md'.split(
      ' ',
    ),
    '/skills/foo/SKILL.md /skills/foo/scripts/x.html /skills/foo/assets/x.svg'.split(' '),
    '/skills/foo/run.py /skills/foo/page/2 /skills/pages/x.html /skills/page-2/a.html'.split(' '),
    SITE_FILE_PATHS,
    '/api/skills/download/12',
    '/sitemap.xml /sitemap-1.xml /_astro/site.Ab12Cd.css /.well-known/x/index.json'.split(' '),
    LISTS,
  )

describe('a plain CDN sends the header fields of our own hosts', () => {
  test.for(ADDRESSES)('%s', (address) => {
    const type = { 'content-type': LISTS.includes(address) ? 'application/json' : 'by extension' }
    expect(fieldsOf(address)).toEqual({ ...type, ...promised(address) })
    expect(Object.keys(promised(address))).toContain('x-content-type-options')
  })
})

describe('a file of a skill runs nowhere, however its address is written', () => {
  const FILES = ['skills/foo/x.svg', 'skills/foo/scripts/x', 'skills/foo/page/x.html']
  const SPELLINGS: ((path: string) => string)[] = [
    (path) => path,
    (path) => path.replace('skills', '%73kills'),
    (path) => path.replace('foo', '%66oo'),
    (path) => path.replaceAll('/', '%2F'),
    (path) => path.replaceAll('/', '%2f'),
    (path) => path.replace('/', '%2F'),
    (path) => path.replace('/foo/', '/foo%2F'),
    (path) => path.replace('/foo/', '/foo%2f'),
    (path) => path.replace('skills', 'skill%73').replace('/foo/', '/foo%2f'),
  ]
  test.for(FILES.flatMap((file) => SPELLINGS.map((spell) => `/${spell(file)}`)))('%s', (path) => {
    expect(fieldsOf(path)['content-security-policy']).toMatch(/default-src 'none'.*sandbox$/)
    expect(fieldsOf(path)['x-content-type-options']).toBe('nosniff')
    expect(fieldsOf(path)['x-robots-tag']).toBe('noindex')
  })
})

test('a missing page at any address shows its styles and runs nothing', () => {
  expect(fieldsOf('/nope')['content-security-policy']).toMatch(/style-src 'self'.*sandbox$/)
})
