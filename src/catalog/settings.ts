import { isAlias, isPair, isScalar, parseDocument, visit } from 'yaml'
import { FRONT_MATTER_LIMIT, YAML_OPTIONS, splitLoosely } from './front-matter.ts'
import { countNewlines } from './text.ts'

/** A value that makes a client do something by itself: the command of a hook, a server, a permission. */
export interface Setting {
  /** Keys from the root, without the numbers of list items: `hooks.PreToolUse.hooks.command`. */
  key: string
  value: string
  line: number
}

const MARKDOWN = /\.(?:md|markdown|mdc)$/i

/** Files with settings of clients, and manifests of plugins. */
const SETTINGS_FILE =
  /(?:^|\/)(?:settings[\w.-]*|\.?mcp|hooks|plugin|marketplace|gemini-extension|opencode|claude_desktop_config)\.jsonc?$/i

/** Keys of values that a client runs, starts or allows. */
const RUNS: readonly RegExp[] = [
  /^(?:[\w-]+\.)?hooks?(?:\.|$)(?!.*(?:^|\.)(?:matcher|type|timeout|once|async|statusMessage|description|name)$)/i,
  /^(?:[\w-]+\.)?(?:mcp[-_]?servers|lspServers|mcp\.servers)(?:$|\..*(?:^|\.)(?:command|args|\w*url)$)/i,
  /(?:^|\.)permissions\.(?:allow|defaultMode|additionalDirectories)$/i,
  /(?:^|\.)(?:command|cmd|exec|apiKeyHelper)$/i,
]

/** The name by which a user starts a skill, which runs nothing. */
const SLASH_COMMAND = /^\/[\w:-]+$/

/** A front matter without any of these needs no second parsing. */
const MAY_RUN =
  /["']?\b(?:hooks?|mcp[-_]?servers|lspServers|permissions|command|cmd|exec|apiKeyHelper)["']?\s*:|\\[ux]|:\s+[*&]/i

/** Lists what a client would run, start or allow by itself because of a front matter or a file of settings. */
export const listSettings = (path: string, text: string): Setting[] => {
  const isMarkdown = MARKDOWN.test(path)
  const { block = '', start = 0 } = isMarkdown ? splitLoosely(text) : { block: text }
  if ((!isMarkdown && !SETTINGS_FILE.test(path)) || block.length > FRONT_MATTER_LIMIT) return []
  if (!MAY_RUN.test(block)) return []
  const first = countNewlines(text.slice(0, start)) + 1
  const found: Setting[] = []
  const document = parseDocument(block, YAML_OPTIONS)
  visit(document, {
    Node: (at, node, ancestors) => {
      const key = ancestors.flatMap((one) => (isPair(one) ? String(one.key) : [])).join('.')
      if (at === 'key' || !RUNS.some((runs) => runs.test(key))) return
      const line = first + countNewlines(block.slice(0, node.range?.[0] ?? 0))
      const aliased = isAlias(node) ? node.resolve(document) : node
      if (isScalar(aliased) && SLASH_COMMAND.test(String(aliased.value))) return
      if (isScalar(aliased)) found.push({ key, value: String(aliased.value), line })
      else if (isAlias(node)) {
        const [from, to] = aliased?.range ?? []
        found.push({ key, value: aliased ? block.slice(from, to) : `*${node.source}`, line })
      }
    },
  })
  return found
}
