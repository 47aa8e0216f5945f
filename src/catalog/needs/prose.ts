import { dirname, join } from 'node:path/posix'
import { SKILL_MD } from '../skill.ts'
import { isCode, readSample, readShellText, addInstalls } from './code.ts'
import type { OwnFiles } from './files.ts'
import { countLines, isDenied, isSecret, lastWords, saysRight, saysWrong } from './found.ts'
import type { FoundNames } from './found.ts'
import { readConfiguration } from './manifests.ts'
import { readFolder, addMentions, addSkillName, addServers } from './mentions.ts'
import { INSTALL_LINE } from './packages.ts'
import { isCommand, isSettings, isPlainCommand, readShell, addInvocation } from './shell.ts'
import { OF_CLIENT, RISKY } from './tables.ts'

/** Languages of fences with shell code. */
const SHELL_FENCES = new Set('sh bash zsh shell console shell-session env dotenv'.split(' '))
const DATA = new Set('json jsonc json5 yaml yml toml'.split(' '))
/** Languages of fences that count as shell code only if the first program is known. */
const UNSTATED = new Set(
  ' text txt plaintext powershell ps1 pwsh bat cmd ini properties'.split(' '),
)

/** PowerShell calls an address. */
const FETCHES = /\b(?:i[rw][mr]|Invoke-(?:WebRequest|RestMethod)) /

const FENCE = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/
const HEADING = /^ {0,3}#{1,6}\s+(.{1,200})/
const QUOTE = /^(?:\s{0,3}>\s?)+/
const SPAN = /(?<!`)`{1,2}(?!`)([^`]{1,300})`{1,2}(?!`)/g
const BOLD = /\*\*([^*`]{1,80})\*\*/g
const LINK = /\[([^\][]{0,200})\]\(<?([^()\s<>]{1,300})/g
/** Inline code with a variable, perhaps with a value. */
const VARIABLE_SPAN = /^\$?\{?([A-Z][A-Z0-9_]{2,60})\}?(=.*)?$/
/** A value that is not computed. */
const IS_VALUE = /^=(?!\$\()/
/** Words just before inline code that ask to run it. In SKILL.md, no such words are needed. */
const ASKS =
  /(?:\b(?:run|execute|(?:runn|execut|us)ing|use|with|via|by|then|first|must|try|call|type|enter|start|launch|invoke|do|install|needs?|requires?)|运行|执行|使用|完成|実行|실행|[:：]|^\s*\d+[.)])[\s*]*$/i
/** A picture, sound or film. In a command, it is rather the user's own than a missing file of the skill. */
const PICTURE = /\.(?:png|jpe?g|webp|gif|mp[34]|wav|mov)$/i
/** Other commands than those of risky programs that can do harm: they run a stranger's program, log in or destroy. */
const CAN_HARM =
  /^(?:npx|bunx|uvx|pipx|pnpm dlx|docker run|git clone|\S+ destroy|\S+ (?:\S+ )?log-?in)\b/
/** A setting of a service. */
const SIBLING =
  /^[A-Z][A-Z0-9_]{0,50}_(?:URL|URI|HOST|ENDPOINT|EMAIL|USER|USERNAME|SITE|REGION|ID|ORG|PROJECT|DOMAIN)$/
/** A command that runs a file. */
const RUNS_FILE = /^(?:python3?|node|bun|ruby|bash|sh|uv run) (\S{1,200})/
/** A path that can lead to another skill, not to a module of the project. */
const OF_SKILLS = /^\.|skills\//
/** Words after a name that show that it is a program. */
const IS_PROGRAM =
  /^ (?:CLI|command|binary|executable)(?:[.,;:)]| (?:is|must|has|needs|installed|available|on)\b|$)/
/** Words after a command that tell what it does, not to run it: "`git clone` installs leave it out". */
const TOLD_OF = /^(?:\/\w| [a-z]{2,}s\b)/
/** A link to another text than a SKILL.md. */
const OF_TEXT = /(?<!\bskill)\.md(?:#|$)/i
/** Words that say that what follows is made by the skill, or called by it. */
const WRITES =
  /\b(?:creat|writ|sav|generat|add|output|produc|put|stor)(?:e|es|s|ing)?\b(?!.*\b(?:see|read|follow|use|load|run|from)\b)(?:[^.;|]|\.\w)*$|\b(?:copy|move|rename)\b(?:[^.;|]|\.\w)* to $/i
/** Texts whose links to files of the skill are for its reader. Others can be templates. */
const MAY_LACK = /^(?:SKILL\.md$|references?\/)/
/** A heading of what the user or another skill has. */
const OF_OTHERS = /^(?:prerequisites|requirements)\b|\brelated skills\b/i
/** Words before a file that only could be, or that another skill has: "a `scripts/sort.py` would help". */
const NOT_OWN = /\b[Aa]n? $|(?:[`*][a-z][a-z\d-]*(?:`|\*\*)|\bskill['’]s) \(?$/
/** Words after a file that the skill makes or can lack: "`templates/a.yaml` exists". */
const MAY_EXIST = /^(?:[^.;|]|\.\w)*\bexists?\b/
/** A document above the skill. */
const ABOVE = /^\.\.\/[\w./-]+\.md$/
/** Words just before a document that is to be read. */
const READS = /\b(?:read|see|load|consult)\W{1,4}$/i
const ORDERS =
  /\b(?:fetch|calls?|sends?(?! (?:them|the user|users)\b)|uploads?|posts?|downloads?|read|load|base url|endpoint)\b[^.;]*$/i
/** A heading that says where a text comes from. What it names is not needed. */
const OF_ORIGIN = /^(?:provenance|attributions?|credits|acknowledge?ments)\b/i
const FILLED_IN = /\$\{([A-Z][A-Z0-9_]{2,60})\}/g
/** An address after a verb, or of an MCP server, which something calls. */
const CALLED =
  /^(?:(?:GET|POST|PUT|PATCH|DELETE|WebFetch:) (https?:\/\/\S+)|(https:\/\/\S*\bmcp\b\S*))$/
const ADDRESS = /^https?:\/\/\S+$/
const SERVER = /mcp/i
const TITLE = /^# .{0,80}\b(macOS|Linux)\b/
/** Languages of fences with code that runs inside an image. */
const ELSEWHERE = new Set('dockerfile docker containerfile'.split(' '))
/** A workflow that runs on a server. What it installs is not for the reader's machine. */
const WORKFLOW = /^\s*runs-on:/m
/** A line in a list of Python packages. */
const PINNED = /^\s*"?([a-z][\w.-]{1,60})(?:\[[\w,-]{1,40}\])?(?:==|>=|~=)[\d<]/i
/** A heading, or a line before a list, that says that variables follow; or a table's header. */
const OF_VARIABLES = /\benv(?:ironment)?[ -](?:vars?|variables)\b/i
const saysVariables = (words: string): boolean =>
  OF_VARIABLES.test(words) && !isDenied(words.replace(/\W+$/, ''))
const VARIABLE_TABLE_HEADER = /^\s*\|\s*(?:env(?:ironment)?\b[^|]{0,20}|variables?\s*)\|/i
/** The start of an item of a list, or of a row of a table. */
const ITEM = /^\s*(?:(?:[-*+]|\d+\.)\s|\|)/
const FIRST_IN_ITEM = /^\s*(?:[-*+]|\d+\.|\|)\s*(?:\*\*)?$/
const UPPER_WORDS = /^[A-Z]+(?:_[A-Z]+)+$/

/** Words that introduce a message to the user. Behind a comma, only more code or a quotation belongs to it. */
const TELLS_USER =
  /\b(?:tell|ask|inform|show|prompt|remind) (?:the )?user\b(?:(?!\bthen\b)[^.;,]|(?<=`),)*(?::\s?["“][^"”]*)?$/i
const INTRODUCES_EXAMPLES =
  /\b(?:for example|for instance|e\.g\.|such as)\b[^.;!?]*$|^\W*examples?:\W*$/i
type Introduced = 'examples' | 'message' | 'variables'
/** What a line that ends with a colon says of the list or the quotation after it. */
const INTRODUCES: readonly [Introduced, (line: string) => boolean][] = [
  ['examples', (line) => INTRODUCES_EXAMPLES.test(line)],
  ['message', (line) => TELLS_USER.test(line)],
  ['variables', saysVariables],
]
/** What can call a host. It counts even where a text calls it wrong, so that no heading or line hides a host. */
const MAY_CALL = /:\/\/|\b(?:curl|wget|ncat?|ssh|scp|rsync)\b/
/** Commands that are not run if they are in a message to the user. */
const INSTALLS = /\b(?:npm i|install|upgrade)\b|\|.*sh$/

/** Collects names from Markdown: fences, inline code, links, and skills and servers in prose. */
export class ProseReader {
  readonly #found: FoundNames
  readonly #files: OwnFiles
  #heading = ''
  #isOfVariables = false
  #above = ''
  #follows: Introduced | undefined
  /** Whether the heading or the last line calls a fence after it wrong. */
  #isWrong = false
  /** A quick test of the whole text, for what only few texts name. */
  #namesServer = false

  constructor(found: FoundNames, files: OwnFiles) {
    this.#found = found
    this.#files = files
  }

  /** Reads a text that starts at line `first` of its file. */
  read(text: string, first: number): void {
    this.#heading = ''
    this.#isOfVariables = false
    this.#above = ''
    this.#follows = undefined
    this.#isWrong = false
    this.#namesServer = SERVER.test(text)
    const lineAt = countLines(text, first)
    if (this.#found.file === SKILL_MD)
      for (const [client, names] of Object.entries(OF_CLIENT)) {
        const { 0: name, index = 0 } = names.exec(text) ?? {}
        if (!isDenied(text, index))
          this.#found.add('clients', name, lineAt(index), { service: client })
      }
    let fence: { mark: string; language: string; from: number } | undefined
    const whole = text.split('\n')
    const lines = whole.map((line) => (line.includes('>') ? line.replace(QUOTE, '') : line))
    const readFence = (end?: number): void => {
      if (!fence) return
      const { language, from } = fence
      const shown = lines.slice(from, end).join('\n')
      if (!this.#isWrong || MAY_CALL.test(shown)) this.#readBlock(shown, language, first + from)
      fence = undefined
    }
    for (const [at, line] of lines.entries()) {
      const hasMark = line.includes('```') || line.includes('~~~')
      const [, mark = '', language = ''] = (hasMark && FENCE.exec(line)) || []
      if (fence && mark.startsWith(fence.mark) && language === '') readFence(at)
      else if (fence) continue
      else if (mark === '') this.#readLine(line, first + at, line !== whole[at])
      else {
        this.#above = ''
        fence = { mark, language: language.toLowerCase(), from: at + 1 }
      }
    }
    readFence()
  }

  #readLine(line: string, at: number, isQuoted: boolean): void {
    const heading = line.includes('#') ? HEADING.exec(line)?.[1] : undefined
    if (heading !== undefined) {
      this.#heading = heading
      this.#isOfVariables = saysVariables(heading)
      if (this.#found.file === SKILL_MD) this.#found.add('systems', TITLE.exec(line)?.[1], at)
    }
    const isKept = isQuoted || ITEM.test(line) || line.trim() === ''
    // A sentence can begin on the line above.
    const lead = isKept ? '' : this.#above
    this.#above = heading === undefined && line.trim() !== '' ? `${line.slice(-250)} ` : ''
    if (!isKept) {
      const end = /:\**\s*$/.test(line) ? line.slice(-250) : ''
      this.#follows = INTRODUCES.find(([, introduces]) => introduces(end))?.[0]
    } else if (line.includes('|') && VARIABLE_TABLE_HEADER.test(line)) this.#follows = 'variables'
    else if (this.#follows === 'examples') {
      // Of examples, only commands count.
      for (const { 1: code = '' } of line.matchAll(SPAN))
        if (isCommand(code, this.#found))
          readShell(code, { line: at, isStated: false }, this.#found)
      return
    }
    if (line.trim() !== '')
      this.#isWrong = saysWrong(line) || (saysWrong(this.#heading) && !saysRight(line))
    const words = line.includes('`') ? line.replace(SPAN, ' ') : line
    addMentions(words, at, this.#found)
    if (this.#namesServer && SERVER.test(line)) addServers(line, at, this.#found)
    const readAll = (text: string, pattern: RegExp): void => {
      for (const { 0: whole, 1: inner = '', 2: href, index } of text.matchAll(pattern)) {
        const name = inner.trim()
        const said = lead + text.slice(Math.max(0, index - 250), index)
        const before = lastWords(said, said.length)
        const after = text.slice(index + whole.length, index + whole.length + 120)
        // A link to another text has words of the sentence.
        if (name.includes('-') || !OF_TEXT.test(href ?? ''))
          addSkillName(name, { before, after, heading: this.#heading }, at, this.#found)
        if (pattern === SPAN) this.#readSpan(name, said, after, at)
        if (href !== undefined) this.#readPath(href, at)
      }
    }
    if (words !== line) readAll(line, SPAN)
    if (words.includes('**')) readAll(words, BOLD)
    if (words.includes('](')) readAll(words, LINK)
  }

  #readPath(path: string, at: number): void {
    const found = this.#found
    const other = readFolder(path, found.file)
    // A skill in a folder of this skill is part of it.
    const isAbove = join(dirname(found.file), path).startsWith('..')
    const isInside = other !== undefined && !isAbove && found.modules.has(other)
    if (isInside) return
    if (other !== undefined) found.add('skills', other, at, { certain: true })
    else if (MAY_LACK.test(found.file))
      found.add('missing', this.#files.findMissing(path, dirname(found.file)), at)
  }

  /** Reads inline code after the words `said`. */
  #readSpan(code: string, said: string, after: string, at: number): void {
    const found = this.#found
    const before = lastWords(said, said.length)
    if (IS_PROGRAM.test(after)) addInvocation([code], at, found, false)
    const other = OF_SKILLS.test(code) ? readFolder(code, found.file) : undefined
    if (other !== undefined && !found.modules.has(other))
      found.add('skills', other, at, { certain: true })
    if (OF_ORIGIN.test(this.#heading) || isDenied(said)) return
    // The address of a link says more than its words.
    if (found.file === SKILL_MD && other === undefined && !after.startsWith(']('))
      this.#readFileName(code, before, after, at)
    const isStated = isPlainCommand(code)
    const isAsked =
      found.file === SKILL_MD ||
      ASKS.test(before) ||
      RISKY.has(code.split(' ', 1)[0]!) ||
      CAN_HARM.test(code) ||
      code.search(INSTALL_LINE) >= 0 ||
      (MAY_CALL.test(code) && code.includes('.'))
    const isTold = INSTALLS.test(code) && (this.#follows === 'message' || TELLS_USER.test(before))
    if (isAsked && !isTold && !TOLD_OF.test(after) && (isStated || isCommand(code, found)))
      readShell(code, { line: at, isStated }, found)
    const [, variable = '', value] = VARIABLE_SPAN.exec(code) ?? []
    if (variable !== '') {
      const isFirst =
        (this.#isOfVariables || this.#follows === 'variables') &&
        FIRST_IN_ITEM.test(before) &&
        UPPER_WORDS.test(variable)
      if (isSecret(variable) || isFirst) found.addVariable(variable, at)
      else if (IS_VALUE.test(value ?? '') || SIBLING.test(code))
        found.addPossible(variable, at, value === undefined)
    }
    // Addresses in tables are for reference, and usually not called.
    if (before.includes('|')) return
    this.#addCalled(code, at)
    if (ORDERS.test(before) && ADDRESS.test(code)) found.addHost(code, at)
  }

  #readFileName(code: string, before: string, after: string, at: number): void {
    const found = this.#found
    const run = RUNS_FILE.exec(code)?.[1] ?? code
    if (READS.test(before)) found.add('missing', this.#files.findMissingName(code), at)
    if (WRITES.test(before)) found.written.add(code)
    else if (!OF_OTHERS.test(this.#heading) && !NOT_OWN.test(before) && !MAY_EXIST.test(after))
      found.add(
        'missing',
        ABOVE.test(code) ? this.#files.findMissing(code, '.') : this.#files.findMissingWord(run),
        at,
      )
  }

  #addCalled(code: string, at: number): void {
    const [, after, address = after] = CALLED.exec(code) ?? []
    this.#found.addHost(address ?? '', at)
  }

  #readBlock(text: string, language: string, first: number): void {
    const found = this.#found
    const isStated = SHELL_FENCES.has(language)
    if (isStated || UNSTATED.has(language)) this.#readShell(text, isStated, first)
    if (language === 'toml') this.#readPinned(text, first)
    if (DATA.has(language)) {
      readConfiguration(text, first, found)
      for (const [, name = ''] of text.matchAll(FILLED_IN))
        if (isSecret(name) && found.file === SKILL_MD) found.addVariable(name, first)
    }
    if (isCode(language) && found.file === SKILL_MD)
      readSample({ text, language, line: first }, found)
    if (!ELSEWHERE.has(language) && !(DATA.has(language) && WORKFLOW.test(text)))
      addInstalls(text, first, found)
  }

  #readShell(text: string, isStated: boolean, first: number): void {
    const found = this.#found
    const start = text.trimStart().split('\n', 1)[0] ?? ''
    if (isStated || isSettings(text) || FETCHES.test(text) || isCommand(start, found)) {
      const words = readShellText(text, { line: first, isStated }, found)
      if (found.file !== SKILL_MD) return
      for (const [at, word] of words.entries()) {
        const path = this.#files.findMissingWord(word)
        // A file after another one is an argument, which the program may rather write.
        if (path !== undefined && !PICTURE.test(path) && !this.#files.findWord(words[at - 1] ?? ''))
          found.add('missing', path, countLines(text, first)(text.indexOf(word)))
      }
    } else this.#readPinned(text, first)
  }

  #readPinned(text: string, first: number): void {
    for (const [at, line] of text.split('\n').entries()) {
      this.#addCalled(line.trim(), first + at)
      if (this.#found.file === SKILL_MD)
        this.#found.add('packages', PINNED.exec(line)?.[1], first + at, { from: 'PyPI' })
    }
  }
}
