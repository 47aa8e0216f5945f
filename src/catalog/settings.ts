import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml'
import type { Node } from 'yaml'
import { FRONT_MATTER_LIMIT, YAML_OPTIONS, splitLoosely } from './front-matter.ts'
import { unifyLineEnds } from './lines.ts'
import { SKILL_MD } from './skill.ts'
import { countNewlines } from './text.ts'

/** A value that makes a client do something by itself: the command of a hook, a server, a permission. */
interface Setting {
  /** Keys from the root, without the numbers of list items: `hooks.PreToolUse.hooks.command`. */
  key: string
  value: string
  line: number
}

const MARKDOWN = /\.(?:md|markdown|mdc)$/i

/** Files with settings of clients, and manifests of plugins. */
const SETTINGS_FILE =
  /(?:^|\/)(?:(?:settings[\w.-]*|\.?mcp|\.?lsp|hooks|plugin|marketplace|gemini-extension|opencode|claude_desktop_config|tasks|devcontainer)|hooks\/[^/]+)\.jsonc?$/i

/** Keys of values that a client runs, starts or allows. Before each expression are words that such a line has. */
const RUNS: Readonly<Record<string, RegExp>> = {
  hook: /^(?:[\w-]+\.)?hooks?(?:\.|$)(?!.*(?:^|\.)(?:matcher|type|timeout|once|async|statusMessage|description|name)$)/i,
  'servers:|command:|args:|url:':
    /^(?!requir)(?:[\w-]+\.)?(?:mcp[-_]?servers|lspServers|mcp\.servers)(?:$|\..*(?:^|\.)(?:command|args|\w*url)$)/i,
  'args:|url:': /^(?:mcp|servers)\..*\.(?:args|\w*url)$/i,
  'allow:|mode:|directories:|sandbox.|permission.':
    /(?:^|\.)permissions\.(?:allow|defaultMode|additionalDirectories)$|^sandbox\.|^permission\./i,
  'command:|cmd:|exec:|helper:|refresh:|export:':
    /(?:^|\.)(?:command|cmd|exec|\w+Helper|aws(?:AuthRefresh|CredentialExport)|gcpAuthRefresh)$/i,
  'command:|command.':
    /(?:^|\.)(?:initialize|onCreate|updateContent|post(?:Create|Start|Attach)|discovery|call)Command(?:\.|$)/,
  'plugins.|marketplaces.': /^(?:enabledPlugins|extraKnownMarketplaces)\./,
}

/** Variables of a client’s settings, which can send everything elsewhere or run code. */
const VARIABLES = /^env\./

/** One of these words is in each line `key: value` of a setting, in lower case. */
export const SETTING_WORDS = [...Object.keys(RUNS), 'env.', 'when loaded:', 'unread:'].join('|')

/** The name by which a user starts a skill, which runs nothing. */
const SLASH_COMMAND = /^\/[\w:-]+$/
const STARTS_SKILL = /^(?:metadata\.)?(?:command|cmd)$/i

/** A front matter without any of these needs no second parsing. */
const MAY_RUN =
  /["']?\b(?:hooks?|mcp|mcp[-_]?servers|lspServers|servers|permissions?|sandbox|command|cmd|exec|\w+Helper|\w+AuthRefresh|\w+Export|\w+Command|enabledPlugins|extraKnownMarketplaces|env)["']?\s*:|\\[ux]|:\s+[*&]/i

/** Commands in the text of a skill that a client runs while it loads the text: `` !`git status` ``. */
const LOADED = /(?<!\S)!`([\w./~$"'([{][^`\n]{0,400})`|^```!\s{0,9}\n([^]{1,2000}?)\n```/gm

/** Longest key of one level that is shown. A key with a colon or a line end would pass for something else. */
const KEY_LIMIT = 60

/** How many values are listed, and how deep they are read. */
const [SETTINGS_LIMIT, DEPTH_LIMIT] = [500, 40]

const showKey = (key: unknown): string =>
  String(key)
    .replace(/[\s:]+/g, ' ')
    .slice(0, KEY_LIMIT)

/** The characters of settings that are still parsed for a skill, which takes 5 ms per thousand; real ones have 3,000. */
export const makeRoom = (): { left: number } => ({ left: FRONT_MATTER_LIMIT })

/**
 * Lists what a client would run, start or allow by itself because of a front matter or a file of settings. A file
 * without room is one setting, "unread".
 */
export const listSettings = (path: string, read: () => string, room = makeRoom()): Setting[] => {
  const isMarkdown = MARKDOWN.test(path)
  if (!isMarkdown && !SETTINGS_FILE.test(path)) return []
  // The line ends of YAML. Others are only counted.
  const text = read().replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const {
    block = '',
    start = 0,
    body,
  } = isMarkdown ? splitLoosely(text) : { block: text, body: '' }
  const found: Setting[] = []
  const lineOf = (at: number): number => countNewlines(unifyLineEnds(text.slice(0, at))) + 1
  if (path === SKILL_MD)
    for (const { 1: inline, 2: fenced, index } of body.matchAll(LOADED))
      found.push({
        key: 'when loaded',
        value: (inline ?? fenced ?? '').trim(),
        line: lineOf(text.length - body.length + index),
      })
  if (!MAY_RUN.test(block)) return found
  room.left -= block.length
  if (room.left < 0)
    return [
      ...found,
      {
        key: 'unread',
        value: 'longer than a client’s settings',
        line: lineOf(start),
      },
    ]
  const runs = [...Object.values(RUNS), ...(isMarkdown ? [] : [VARIABLES])]
  const document = parseDocument(block, YAML_OPTIONS)
  const addValue = (key: string, node: Node): void => {
    if (!runs.some((pattern) => pattern.test(key))) return
    const line = lineOf(start + (node.range?.[0] ?? 0))
    const aliased = isAlias(node) ? node.resolve(document) : node
    if (isScalar(aliased)) {
      const value = String(aliased.value).trim()
      if (!STARTS_SKILL.test(key) || !SLASH_COMMAND.test(value)) found.push({ key, value, line })
    } else if (isAlias(node)) {
      const [from, to] = aliased?.range ?? []
      found.push({ key, value: aliased ? block.slice(from, to) : `*${node.source}`, line })
    }
  }
  const walk = (node: unknown, key: string, depth: number): void => {
    if (found.length >= SETTINGS_LIMIT || !isNode(node)) return
    if (depth > DEPTH_LIMIT) found.push({ key: 'unread', value: 'nested too deep', line: 1 })
    else if (isMap(node))
      for (const pair of node.items) {
        const name = isAlias(pair.key) ? pair.key.resolve(document) : pair.key
        walk(pair.value, key === '' ? showKey(name) : `${key}.${showKey(name)}`, depth + 1)
      }
    else if (isSeq(node)) for (const item of node.items) walk(item, key, depth + 1)
    else addValue(key, node)
  }
  walk(document.contents, '', 0)
  return found
}
