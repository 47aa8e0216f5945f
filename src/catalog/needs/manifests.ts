import { countLines } from './found.ts'
import type { FoundNames } from './found.ts'
import { readPackage } from './packages.ts'
import { addServer, readShell, addInvocation } from './shell.ts'

const DEPTH_LIMIT = 6
/** Maximum number of entries of a configuration whose lines are looked up; others get its first line. */
const LOOKUP_LIMIT = 500
const READ_KEY =
  /^(?:mcpServers|mcp|servers|env(?:ironment)?|(?:dev)?dependencies|imports|scripts)$/i

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listTexts = (...values: unknown[]): string[] =>
  values.flat().filter((value): value is string => typeof value === 'string')

const addPackage = (word: string, registry: string, line: number, found: FoundNames): void => {
  const { name, from } = readPackage(word, registry) ?? {}
  found.add('packages', name, line, { from })
}

/** Adds the names in an entry of the JSON object `key`. */
const readEntry = (
  key: string,
  [name, value]: readonly [string, unknown],
  line: number,
  found: FoundNames,
): void => {
  if (/^(?:mcpServers|mcp|servers)$/.test(key) && isObject(value)) {
    const { command, args, serverUrl, url = serverUrl } = value
    if (!command && !url) return
    addServer(name, line, found)
    addInvocation(listTexts(command, args), line, found)
    for (const item of listTexts(url)) found.addHost(item, line)
  } else if (/^env(?:ironment)?$/.test(key)) {
    found.addVariable(name, line)
  } else if (/^(?:dev)?dependencies$/i.test(key) && typeof value === 'string') {
    // npm names are in lower case.
    addPackage(name, /[A-Z]/.test(name) ? 'NuGet' : 'npm', line, found)
  } else if (key === 'scripts' && found.file.endsWith('package.json'))
    for (const item of listTexts(value)) readShell(item, { line, isStated: true }, found)
  else if (key === 'imports')
    for (const item of listTexts(value))
      if (/^(?:jsr|npm):/.test(item)) addPackage(item, 'npm', line, found)
}

/** Adds the names in JSON: MCP servers and their variables, and lists of packages. */
export const readConfiguration = (text: string, first: number, found: FoundNames): void => {
  if (!text.trimStart().startsWith('{')) return
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    // Part of a configuration, or not JSON at all.
    return
  }
  const lineAt = countLines(text, first)
  let lookups = LOOKUP_LIMIT
  const visit = (value: unknown, key: string, depth: number): void => {
    if (!isObject(value) || depth > DEPTH_LIMIT) return
    const isRead = READ_KEY.test(key)
    for (const entry of Object.entries(value)) {
      if (isRead) {
        lookups -= 1
        const at = lookups > 0 ? Math.max(0, text.indexOf(`"${entry[0]}"`)) : 0
        readEntry(key, entry, lineAt(at), found)
      }
      visit(entry[1], entry[0], depth + 1)
    }
  }
  visit(root, '', 0)
}

/** Manifests that are not JSON, and their lines that name a package. */
const MANIFESTS: readonly (readonly [path: RegExp, from: string, line: RegExp])[] = [
  [/(?:^|\/)requirements[\w.-]*\.(?:txt|in)$/, 'PyPI', /^[ \t]*([a-z][^#\s;]{0,100})/gim],
  [/(?:^|\/)pyproject\.toml$/, 'PyPI', /^[ \t]*"([a-z][\w.-]{1,100})[^"\n]{0,200}",?[ \t]*$/gim],
  [
    /(?:^|\/)Cargo\.toml$/,
    'crates.io',
    /^([a-z][\w-]{0,100})[ \t]*=[ \t]*(?:"\d|\{[ \t]*version)/gm,
  ],
  [/(?:^|\/)go\.mod$/, 'Go', /^[ \t]*(?:require[ \t]+)?([\w-]{1,60}\.[\w./-]{1,200})[ \t]+v\d/gm],
  [/(?:^|\/)Gemfile$/, 'RubyGems', /^[ \t]*gem[ \t]+["']([\w-]{1,100})/gm],
]
const JSON_MANIFEST = /(?:^|\/)(?:package|deno|\.?mcp)\.jsonc?$/

export const isManifest = (path: string): boolean =>
  JSON_MANIFEST.test(path) || MANIFESTS.some(([ending]) => ending.test(path))

export const readManifest = (path: string, text: string, found: FoundNames): void => {
  if (JSON_MANIFEST.test(path)) readConfiguration(text, 1, found)
  const lineAt = countLines(text, 1)
  for (const [ending, from, line] of MANIFESTS)
    for (const match of ending.test(path) ? text.matchAll(line) : [])
      addPackage(match[1]!, from, lineAt(match.index + match[0].search(/\S/)), found)
}
