import { HEADERS_FILE, REDIRECTS_FILE } from '../../src/api/cdn.ts'
import type { Files } from '../fixture.ts'
import type { AskSite } from './ask.ts'

interface HeaderRule {
  matcher: RegExp
  detached: string[]
  set: Record<string, string>
}

const compilePattern = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^$()[\]{}|\\]/g, String.raw`\$&`)
      .replace('*', '(?<splat>.*)')
      .replace(/:([A-Za-z]\w*)/g, '(?<$1>[^/]+)')}$`,
  )

const parseHeaderRules = (text: string): HeaderRule[] => {
  const rules: HeaderRule[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    if (line.length > 2_000) throw new Error(`a line of ${line.length} characters is dropped`)
    const current = rules.at(-1)
    const [, detached] = /^\s+! (\S+)$/.exec(line) ?? []
    const [, name, value] = /^\s+([A-Za-z-]+): (.+)$/.exec(line) ?? []
    if (line.startsWith('/')) {
      if (line.split('*').length > 2) throw new Error(`${line} has two splats`)
      rules.push({ matcher: compilePattern(line), detached: [], set: {} })
    } else if (current && detached) current.detached.push(detached.toLowerCase())
    else if (current && name && value) current.set[name.toLowerCase()] = value
    else throw new Error(`${line} is not part of a rule`)
  }
  if (rules.length > 100) throw new Error(`only 100 of ${rules.length} rules are read`)
  return rules
}

const OWN_TYPE = 'by extension'

/** Default headers of Cloudflare Pages, which rules may replace or remove. */
const OWN = {
  'content-type': OWN_TYPE,
  'access-control-allow-origin': '*',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Reads `_headers` as Cloudflare documents it, and throws for rules that it would silently ignore. */
export const readHeaderRules = (text: string) => {
  const rules = parseHeaderRules(text)
  return {
    count: rules.length,
    /** Applies all rules that match, in order, to what the CDN sends; a field set twice has both values. */
    fieldsOf: (path: string): Record<string, string> => {
      const fields: Record<string, string> = { ...OWN }
      const isSet = new Set<string>()
      for (const { detached, set } of rules.filter(({ matcher }) => matcher.test(path))) {
        for (const name of detached) delete fields[name]
        for (const [name, value] of Object.entries(set)) {
          const before = isSet.has(name) ? fields[name] : undefined
          fields[name] = before === undefined ? value : `${before}, ${value}`
          isSet.add(name)
        }
      }
      return fields
    },
  }
}

/** Reads `_redirects` as Cloudflare documents it: rules for one address first, and of several the first. */
export const readRedirectRules = (text: string) => {
  const rules = text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [from = '', to = '', status = '', ...more] = line.split(' ')
      if (line.length > 1_000 || more.length > 0 || !/^(?:200|308)$/.test(status))
        throw new Error(`${line} is not a rule`)
      return { from, to, status: Number(status), matcher: compilePattern(from) }
    })
  const patterns = rules.filter(({ from }) => /[*:]/.test(from))
  const exact = new Map(rules.filter((rule) => !patterns.includes(rule)).map((r) => [r.from, r]))
  if (patterns.length > 100 || exact.size > 2_000 || exact.size + patterns.length < rules.length)
    throw new Error(`${exact.size} and ${patterns.length} rules of ${rules.length} are read`)
  return (path: string): { to: string; status: number } | undefined => {
    const rule = exact.get(path) ?? patterns.find(({ matcher }) => matcher.test(path))
    if (!rule) return undefined
    const { groups = {} } = rule.matcher.exec(path) ?? {}
    return { ...rule, to: rule.to.replace(/:([A-Za-z]\w*)/g, (_, name) => groups[name] ?? '') }
  }
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  css: 'text/css; charset=utf-8',
}

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A CDN over the files of `public/` that obeys `_headers` and `_redirects`, and does nothing else. */
export const askPlainCdn = (files: Files): AskSite => {
  const textOf = (name: string): string => String(files[`public/${name}`])
  const { fieldsOf } = readHeaderRules(textOf(HEADERS_FILE))
  const findRedirect = readRedirectRules(textOf(REDIRECTS_FILE))
  const findFile = (path: string): string | Uint8Array | undefined => {
    const name = decodePath(path).slice(1) || 'index'
    // `_headers` and `_redirects` are not served.
    return name.startsWith('_') && !name.includes('/')
      ? undefined
      : (files[`public/${name}`] ?? files[`public/${name}.html`])
  }
  return async ({ line }) => {
    const [method = '', target = ''] = line.split(' ')
    const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(target) ?? []
    const answer = (status: number, body: string | Uint8Array, more: Record<string, string>) => {
      const bytes = Buffer.from(body as string)
      const { 'content-type': ruled = OWN_TYPE, ...fields } = fieldsOf(path)
      const own = TYPES[/\.(\w+)$/.exec(path)?.[1] ?? 'html'] ?? 'application/octet-stream'
      const type = ruled === OWN_TYPE ? (status === 404 ? TYPES['html'] : own) : ruled
      const length = String(bytes.length)
      const headers = { ...fields, 'content-type': type!, 'content-length': length, ...more }
      const sent = method === 'HEAD' ? Buffer.alloc(0) : bytes
      return { status, headers: new Headers(headers), body: sent }
    }
    if (method !== 'GET' && method !== 'HEAD') return answer(405, '', { allow: 'GET, HEAD' })
    const redirect = findRedirect(path)
    if (redirect?.status === 308) return answer(308, '', { location: redirect.to + query })
    const file = findFile(redirect?.to ?? path)
    return file === undefined ? answer(404, textOf('404.html'), {}) : answer(200, file, {})
  }
}
