import { dirname } from 'node:path/posix'
import { isCode, readCode, readShellText, takeInstalls } from './code.ts'
import type { OwnFiles } from './files.ts'
import { isSecret } from './found.ts'
import type { FoundNames, Marks } from './found.ts'
import { readConfiguration } from './manifests.ts'
import { readFolder, readPluginSkill, takeMentions, takeName, takeServers } from './mentions.ts'
import { INDENTED_LINE } from './packages.ts'
import { isAsked, isCommand, isSettings, readShell, takeWords } from './shell.ts'
import { readHost, readOutside } from './traces.ts'

const SHELLS = new Set('sh bash zsh shell console shell-session env dotenv'.split(' '))
const DATA = new Set('json jsonc json5 yaml yml toml'.split(' '))
/** Languages of blocks that may hold shell lines; they do if the first program is known. */
const UNSTATED = new Set(
  ' text txt plaintext powershell ps1 pwsh bat cmd ini properties'.split(' '),
)

/** A pipe into `iex`: PowerShell runs a script that it fetched. */
const RUNS_FETCHED = /\| ?iex\b/

const FENCE = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/
const HEADING = /^ {0,3}#{1,6}\s+(.{1,200})/
const QUOTE = /^(?:\s{0,3}>\s?)+/
const SPAN = /(?<!`)`{1,2}(?!`)([^`]{1,300})`{1,2}(?!`)/g
const BOLD = /\*\*([^*`]{1,80})\*\*/g
const LINK = /\[([^\][]{0,200})\]\(<?([^()\s<>]{1,300})/g
const VARIABLE = /^\$?\{?([A-Z][A-Z0-9_]{2,60})\}?(=.*)?$/
/** Says of a name that it is one of a program. */
const IS_PROGRAM =
  /^ (?:CLI|command|binary|executable)(?:[.,;:)]| (?:is|must|has|needs|installed|available|on)\b|$)/
const HYPHENED = /^[a-z\d]{1,40}(?:-[a-z\d]{1,40}){1,8}$/
const FILLED_IN = /\$\{([A-Z][A-Z0-9_]{2,60})\}/g
const REQUEST = /^(?:(?:GET|POST|PUT|PATCH|DELETE) )?(https?:\/\/\S+)$/
const SYSTEM = /macOS|Linux|Windows/
const TITLE = /^# .{0,80}\b(macOS|Linux)\b/
/** A heading or an item that begins with a system, two systems in a row, and "macOS only". */
const TOLD =
  /\b(macOS|Linux|Windows)[- ]only\b|^\s{0,12}(?:#{2,6} |(?:[-*] )?\*\*)(macOS|Linux|Windows)\b|\b(macOS|Linux|Windows)(?:, | and | or | ?\/ ?)(macOS|Linux|Windows)\b/g
/** A line of a list of Python's packages. */
const PINNED = /^\s*"?([a-z][\w.-]{1,60})(?:\[[\w,-]{1,40}\])?(?:==|>=|~=)[\d<]/i
/** The head of a column of variables. */
const OF_VARIABLES = /^\s*\|\s*(?:env(?:ironment)?\b[^|]{0,20}|variables?\s*)\|/i
const WORDS = /^[A-Z]+(?:_[A-Z]+)+$/

/** Reads what texts in Markdown name: blocks and pieces of code, links, and names of skills and servers in words. */
export class ProseReader {
  readonly #found: FoundNames
  readonly #files: OwnFiles
  readonly #modules: ReadonlySet<string>
  #heading = ''
  #isOfVariables = false
  /** What is noted of each command of the text. */
  #marks: Marks = {}

  /** `modules` are those that the skill brings. */
  constructor(found: FoundNames, files: OwnFiles, modules: ReadonlySet<string>) {
    this.#found = found
    this.#files = files
    this.#modules = modules
  }

  /** Reads a text that begins at a line of its file. */
  read(text: string, first: number, marks: Marks): void {
    this.#marks = marks
    this.#heading = ''
    let fence: { mark: string; language: string; from: number } | undefined
    const lines = text.split('\n').map((line) => line.replace(QUOTE, ''))
    const takeFence = (end?: number): void => {
      if (!fence) return
      const { language, from } = fence
      this.#takeBlock(lines.slice(from, end).join('\n'), language, first + from)
      fence = undefined
    }
    for (const [at, line] of lines.entries()) {
      const [, mark = '', language = ''] = FENCE.exec(line) ?? []
      if (fence && mark.startsWith(fence.mark) && language === '') takeFence(at)
      else if (fence) continue
      else if (mark === '') this.#takeLine(line, first + at)
      else fence = { mark, language: language.toLowerCase(), from: at + 1 }
    }
    takeFence()
  }

  #takeLine(line: string, at: number): void {
    this.#heading = HEADING.exec(line)?.[1] ?? this.#heading
    if (SYSTEM.test(line)) this.#takeSystems(line, at)
    const isRow = line.trimStart().startsWith('|')
    this.#isOfVariables = isRow && (this.#isOfVariables || OF_VARIABLES.test(line))
    if (line.startsWith('    ') && INDENTED_LINE.test(line))
      readShell(line, { line: at, isStated: false, marks: this.#marks }, this.#found)
    const words = line.includes('`') ? line.replace(SPAN, ' ') : line
    takeMentions(words, at, this.#found)
    if (/mcp/i.test(line)) takeServers(line, at, this.#found)
    const takeNames = (text: string, pattern: RegExp): void => {
      for (const { 0: whole, 1: name = '', 2: href, index } of text.matchAll(pattern)) {
        const before = text.slice(Math.max(0, index - 40), index)
        const after = text.slice(index + whole.length, index + whole.length + 120)
        takeName(name.trim(), { before, after, heading: this.#heading }, at, this.#found)
        if (pattern === SPAN) this.#takeCode(name.trim(), before, at)
        if (pattern === SPAN && IS_PROGRAM.test(after))
          takeWords([name], at, this.#found, { isSure: false })
        if (href !== undefined) this.#takePath(href, at)
      }
    }
    if (words !== line) takeNames(line, SPAN)
    if (words.includes('**')) takeNames(words, BOLD)
    if (words.includes('](')) takeNames(words, LINK)
  }

  #takeSystems(line: string, at: number): void {
    this.#found.add('systems', TITLE.exec(line)?.[1], at, { declared: true })
    for (const [, ...names] of line.matchAll(TOLD))
      for (const name of names) this.#found.add('systems', name, at)
  }

  #takePath(path: string, at: number): void {
    const found = this.#found
    const other = readFolder(path, found.file) ?? readPluginSkill(path)
    // A skill in a folder of this one is part of it.
    const isInside = other !== undefined && !path.startsWith('..') && this.#modules.has(other)
    if (isInside) return
    if (other !== undefined) found.add('skills', other, at, { certain: true })
    else found.add('missing', this.#files.findMissing(path, dirname(found.file)), at)
  }

  #takeCode(code: string, before: string, at: number): void {
    const found = this.#found
    const other = code.includes('/') ? readFolder(code, found.file) : undefined
    if (other !== undefined && !this.#modules.has(other))
      found.add('skills', other, at, { certain: true })
    found.add('missing', this.#files.findMissingWord(code), at)
    if (HYPHENED.test(code)) found.hyphened.add(code)
    if (/^[~/$]/.test(code)) found.add('outside', readOutside(code), at, { onlyNamed: true })
    const isStated = isAsked(code)
    if (isStated || isCommand(code, found))
      readShell(code, { line: at, isStated, marks: this.#marks }, found)
    const [, variable = '', value] = VARIABLE.exec(code) ?? []
    const isFirst = this.#isOfVariables && /^\s*\|\s*$/.test(before) && WORDS.test(variable)
    if (isSecret(variable) || isFirst) found.addVariable(variable, at)
    else if (value !== undefined) found.given.set(variable, { file: found.file, line: at })
    // An address in a table is one of many to look up.
    if (!before.includes('|')) found.add('hosts', readHost(REQUEST.exec(code)?.[1] ?? ''), at)
  }

  #takeBlock(text: string, language: string, first: number): void {
    const found = this.#found
    const isStated = SHELLS.has(language)
    if (isStated || UNSTATED.has(language)) this.#takeShell(text, isStated, first)
    if (language === 'toml') this.#takePinned(text, first)
    if (DATA.has(language)) {
      readConfiguration(text, first, found)
      for (const [, name = ''] of text.matchAll(FILLED_IN))
        if (isSecret(name)) found.addVariable(name, first)
    }
    if (isCode(language)) readCode({ text, language, line: first }, found, this.#modules)
    else takeInstalls(text, first, found)
  }

  #takeShell(text: string, isStated: boolean, first: number): void {
    const found = this.#found
    const start = text.trimStart().split('\n', 1)[0] ?? ''
    if (isStated || isSettings(text) || RUNS_FETCHED.test(text) || isCommand(start, found)) {
      const place = { line: first, isStated, marks: this.#marks }
      for (const word of readShellText(text, place, found, this.#modules))
        found.add('missing', this.#files.findMissingWord(word), first)
    } else this.#takePinned(text, first)
  }

  #takePinned(text: string, first: number): void {
    for (const [at, line] of text.split('\n').entries()) {
      this.#found.add('hosts', readHost(REQUEST.exec(line.trim())?.[1] ?? ''), first + at)
      this.#found.add('packages', PINNED.exec(line)?.[1], first + at, { from: 'PyPI' })
    }
  }
}
