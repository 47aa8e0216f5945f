import { decodeLoosely } from '../text.ts'
import { isCommentOrOutput } from '../safety/contexts.ts'
import { OwnFiles, listOtherSkills, readHost, readServer } from './names.ts'
import { PassageReader, eachPlace, findLast, isProgram, isReadable } from './passages.ts'
import { readCommands } from './shell.ts'

/** Something that a skill's files name, at its first place. */
export interface Named {
  name: string
  file: string
  /** 1-based. */
  line: number
  /** What it is named in, where that is no use of it. */
  context?: string
}

const KINDS = [
  'commands',
  'packages',
  'variables',
  'hostsCalled',
  'hostsLinked',
  'paths',
  'servers',
  'skills',
  'strayLinks',
] as const

/** What can be read off a skill's files, each name once, at its first place, in the order of the files. */
export interface Needs extends Record<(typeof KINDS)[number], Named[]> {
  /** Its programs, with the first comment that each opens with. */
  scripts: { path: string; comment: string }[]
}

/** Characters that are read of a file, and of all files of a skill: what matters stands before them. */
const FILE_LIMIT = 256 * 1024
const SKILL_LIMIT = 2 * 1024 * 1024

const OF_KIND: Readonly<Partial<Record<string, 'variable' | 'file'>>> = {
  variables: 'variable',
  strayLinks: 'file',
}
/** What a sample names of these is no other skill's, and nobody's file. */
const NONE_IN_SAMPLE: ReadonlySet<string> = new Set(['skills', 'strayLinks'])

const IN_COMMAND = /\$(?:env:|\{)?([A-Z][A-Z0-9_]{2,60})(?![\w(.[$]| [=?|])/y
const IN_ENVIRON =
  /(?<=\w)(?<!import\.meta(?=\.env\.(?:MODE|BASE_URL|PROD|DEV|SSR)\b))\.env(?:iron)?(?:\.get\(|\.setdefault\(|\[|\.)?\s?["']?([A-Z][A-Z0-9_]{1,60})\b(?!["']\]\s?=[^=])/y
const AS_ARGUMENT = /[^("'[\n]{0,20}[([]\s?["']([A-Z][A-Z0-9_]{2,60})["']/y
/** Beginnings of calls that read a variable by its name: of many languages, of Ruby, of Rust, of C#. */
const READERS = ['etenv(', 'ENV[', 'ENV.fetch(', 'env::var', 'mentVariable(']
const EXPORTED = /export ([A-Z][A-Z0-9_]{2,60})=/y

/** What a script sets itself it does not take from its surroundings. */
const ASSIGNED =
  /(?:^|[;&({]|\b(?:local|readonly|declare|for|read)\b[^\n;]{0,80}?)[ \t]{0,40}([A-Z][A-Z0-9_]{2,60})(?==|\+=|: | in |[ \t]*$)/gm

const NAMES_VARIABLE =
  /^\$?\{?([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){0,6}_(?:KEYS?|TOKEN|SECRET|PASSWORD|URL|URI|ID|HOST|PORT|DIR|PATH|REGION|ENDPOINT|PROFILE|USER|EMAIL|DSN))\}?(?:=|$)/

/** A name in capitals at the head of an item or a row below "Environment variables". */
const LISTED_VARIABLE = /^\$?\{?([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8})\}?(?:=|$)/
const LISTS_VARIABLES = /\benv(?:ironment)?[ -]var/i
const BEGINS_ITEM = /(?:^|\n)[ \t>]{0,9}(?:[-*+]|\d{1,2}[.)]|\|)[ \t]{0,9}(?:\*\*)?`$/

const IS_SECRET = /_(?:KEYS?|TOKEN|SECRET|PASSWORD|DSN|ENDPOINT|REGION|PROFILE)$/

const OF_ENVIRONMENT = /\b(?:env|environment|variables?|export(?:ed)?|vars)\b|环境变量/i

/** Names that every shell sets, and what assistants fill in themselves. */
const NO_VARIABLE = new Set(
  `HOME PATH PWD OLDPWD USER SHELL TMPDIR TEMP EOF RANDOM OSTYPE HOSTNAME LANG TERM IFS UID EUID PPID BASH_SOURCE
  BASH_REMATCH PIPESTATUS LINENO SECONDS ARGUMENTS APPDATA USERPROFILE LOCALAPPDATA PSSCRIPTROOT NOT_FOUND
  MY_API_KEY CLAUDE_PLUGIN_ROOT CLAUDE_PROJECT_DIR CLAUDE_SKILL_DIR SKILL_DIR SKILL_ROOT`.split(
    /\s+/,
  ),
)
/** A name to be filled in, and the beginning of many. */
const IS_GAP = /^(?:YOUR|EXAMPLE|SOME|FOO|BAR)_|_$|_HERE$|_X+$/

const isVariable = (name: string): boolean => !NO_VARIABLE.has(name) && !IS_GAP.test(name)

const PATH_ROOT =
  /(?:etc|usr|var|opt|tmp|home|Users|root|dev|proc|Library|Applications|mnt|srv)(?=\/)/y
const PATH_REST =
  /(?:\/(?:[\w.@%+*-]|\\ | Support(?=\/)| Files(?=\/)| (?=\w{1,20}\.app\b)){1,100}){1,20}/y
/** Folders of somebody, and of nobody in particular. */
const SAMPLE_HOME =
  /^\/(?:home|Users)\/(?:user|username|you|your|me|name|alice|bob|john|jane|runner|dev|foo)/i
const NO_PATH =
  /^\/dev\/(?:null|std|tty|fd|zero|u?random)|^\/usr\/bin\/env$|\/(?:path|to|your|example|xxx|my[\w-]{0,40}|your[\w-]{1,40})(?:\/|$)/i
/** What `~/` begins in prose and code: else it is an alias of a bundler, such as Nuxt's `~/components`. */
const HOME_FOLDER =
  /^~\/(?:\.|[A-Z]|(?:bin|projects?|code|dev|work|workspaces?|src|git|repos?|tmp|notes|data|go|opt)(?:\/|$))/

const TOOL = /mcp__([A-Za-z0-9-]{1,40}(?:_[A-Za-z0-9-]{1,40}){0,6})__\w/y
const CONFIGURED = /"mcpServers"\s{0,9}:\s{0,9}\{\s{0,99}"([\w .@/-]{1,40})"/y
const NO_SERVER = /^(?:server|server-?name|name|example|test|(?:my|your|some|example)[-_].*)$/i

const [COLON, SLASH, CAPITAL_E, SMALL_S, UNDERSCORE] = [58, 47, 69, 115, 95]
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === UNDERSCORE
/** Longest inline code that is read. */
const LONGEST_CODE = 300

const LINK = /\]\(\s{0,9}<?([^()[\]\s<>]{1,200})/y

const INSTALL_COMMENT =
  /^(\s{0,80}(?:#|\/\/)\s?(?:(?:install|requires?|setup|dependencies|first):?\s)?)(?:\w{2,8} ){1,3}install /i

/** Characters of a line that are looked at, on each side of an address. */
const LINE_REACH = 200

const OPENING =
  /^(?:#![^\n]{0,200}\n)?(?:\s{0,9}(?:#[^\n]{0,80}coding[^\n]{0,80}|["']use strict["'];?|\/\/ @ts-\w+)\n)?\s{0,99}(?:(?:[rRuU]?"""|[rR]?'''|\/\*\*?)\s{0,99}(?:\* )?([^\n]{3,400})|((?:#|\/\/|--)(?!!)[^\n]{3,400}))/

/** The first comment of a program, one line of at most 160 characters; empty where it says nothing. */
const readComment = (text: string): string => {
  const [, block, line] = OPENING.exec(text.slice(0, 2_000)) ?? []
  const comment = (block ?? line ?? '')
    .replace(/^(?:#|\/\/|--|\*){1,80}\s{0,9}/, '')
    .replace(/\s{0,9}(?:"""|'''|\*\/).*$/, '')
    .trim()
  const isSilent = /^(?:eslint|pylint|noqa|type:|copyright|license|licensed|spdx|requires)\b/i
  return /\p{L}{3}/u.test(comment) && !isSilent.test(comment) ? comment.slice(0, 160) : ''
}

/** Names of one kind in the order they are met; each is kept once, and no more than a reader could want. */
const NAMES_LIMIT = 200

type Collections = Record<(typeof KINDS)[number], Map<string, Named>>

/** A server's name without what its kinds of writing differ in. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]|mcp|server/g, '')

/** Collects from one file. */
class FileReader {
  readonly #read: PassageReader
  readonly #into: Collections
  readonly #ownFiles: OwnFiles
  /** Where inline code begins and ends, in the order of the text. */
  readonly #inline: { from: number; to: number }[] = []
  readonly #found: { one: Named; offset: number }[] = []
  #assigned: ReadonlySet<string> | undefined

  constructor(read: PassageReader, into: Collections, ownFiles: OwnFiles) {
    this.#read = read
    this.#into = into
    this.#ownFiles = ownFiles
  }

  #add(kind: keyof Collections, name: string, offset: number): void {
    const named = this.#into[kind]
    const before = named.get(name)
    if (before ? before.context === undefined : named.size >= NAMES_LIMIT) return
    const mention =
      kind === 'hostsLinked' ? 'use' : this.#read.judge(offset, OF_KIND[kind] ?? 'other')
    if (mention === 'avoid' || (before && mention !== 'use')) return
    if (mention !== 'use' && NONE_IN_SAMPLE.has(kind)) return
    const one: Named = { name, file: this.#read.path, line: 0 }
    if (mention !== 'use') one.context = mention
    named.set(name, one)
    this.#found.push({ one, offset })
  }

  collect(): void {
    this.#collectNames()
    const { text } = this.#read
    let [line, end] = [1, text.indexOf('\n')]
    for (const { one, offset } of this.#found.sort((a, b) => a.offset - b.offset)) {
      for (; end >= 0 && end < offset; line += 1) end = text.indexOf('\n', end + 1)
      one.line = line
    }
  }

  #collectNames(): void {
    const { text, isProse, passages } = this.#read
    for (const { from, to, kind } of passages) {
      if (kind === 'shell' || kind === 'sample')
        this.#takeCommands(readCommands(text.slice(from, to), kind), from)
    }
    eachPlace(text, ' install ', (at) => {
      if (this.#read.kindAt(at) === 'code') this.#takeInstallComment(at)
    })
    if (isProse) this.#takeInline()
    eachPlace(text, '/', (at) => {
      const before = text.charCodeAt(at - 1)
      if (before === COLON) {
        if (text.charCodeAt(at + 1) === SLASH) this.#takeHost(at - 1)
        return
      }
      // Most stand within a longer path; `HOME` ends in an `E`.
      if (!isWord(before) || before === CAPITAL_E) this.#takePath(at)
      // So do the names of all folders that skills keep.
      else if (before === SMALL_S) this.#takeOwnFile(at)
    })
    this.#takeVariables()
    this.#takeServers()
    if (!isProse) return
    eachPlace(text, '](', (at) => this.#takeLink(at))
    for (const { name, at } of listOtherSkills(this.#read)) this.#add('skills', name, at)
  }

  #takeCommands(commands: ReturnType<typeof readCommands>, from: number): void {
    for (const { at, program } of commands)
      if (program !== undefined) this.#add('commands', program, from + at)
    this.#takePackages(commands, from)
  }

  #takePackages(commands: ReturnType<typeof readCommands>, from: number): void {
    for (const { at, packages } of commands)
      for (const name of packages) this.#add('packages', name, from + at)
  }

  /** `# Install: pip install books` above a line of code. */
  #takeInstallComment(at: number): void {
    const { text } = this.#read
    const from = text.lastIndexOf('\n', at) + 1
    const [line = ''] = text.slice(from, at + LINE_REACH).split('\n', 1)
    const [all, lead = ''] = INSTALL_COMMENT.exec(line) ?? []
    if (all !== undefined) this.#takePackages(readCommands(line.slice(lead.length), 'inline'), from)
  }

  #takeInline(): void {
    const { text, passages } = this.#read
    for (const { from, to, kind } of passages) {
      if (kind !== 'prose') continue
      let at = text.indexOf('`', from)
      while (at >= 0 && at < to) {
        const end = text.indexOf('`', at + 1)
        if (end < 0) break
        const code = end - at < 2 || end - at > LONGEST_CODE + 1 ? '\n' : text.slice(at + 1, end)
        if (code.includes('\n')) {
          at = end
          continue
        }
        this.#inline.push({ from: at, to: end + 1 })
        this.#takeCode(code, at + 1)
        at = text.indexOf('`', end + 1)
      }
    }
  }

  #takeCode(code: string, at: number): void {
    if (code.length > 3 && code.includes('_')) {
      const named = NAMES_VARIABLE.exec(code)?.[1]
      const isNamed = named !== undefined && this.#isEnvironment(named, at)
      const variable = isNamed ? named : this.#readListedVariable(code, at)
      if (variable !== undefined && isVariable(variable)) this.#add('variables', variable, at)
    }
    if (code.includes(' ')) this.#takeCommands(readCommands(code, 'inline'), at)
  }

  #readListedVariable(code: string, at: number): string | undefined {
    const name = LISTED_VARIABLE.exec(code)?.[1]
    if (name === undefined) return undefined
    const { text } = this.#read
    const isListed =
      LISTS_VARIABLES.test(this.#read.headingAt(at)?.text ?? '') &&
      BEGINS_ITEM.test(text.slice(Math.max(0, at - 40), at))
    return isListed ? name : undefined
  }

  /** Whether a name in capitals is a variable: by its end, or by the words around it. */
  #isEnvironment(name: string, at: number): boolean {
    if (IS_SECRET.test(name)) return true
    const { text } = this.#read
    const around = text.slice(Math.max(0, at - 120), at + name.length + 120)
    return OF_ENVIRONMENT.test(around) || OF_ENVIRONMENT.test(this.#read.headingAt(at)?.text ?? '')
  }

  /** Whether a place stands in inline code. */
  #isInline(offset: number): boolean {
    const inline = this.#inline
    const last = inline[findLast(inline.length, (at) => inline[at]!.from, offset)]
    return last !== undefined && last.from <= offset && offset < last.to
  }

  #takeHost(at: number): void {
    const host = readHost(this.#read.text, at)
    if (host === undefined) return
    this.#add(this.#isCalled(at) ? 'hostsCalled' : 'hostsLinked', host, at)
  }

  /** Whether code or a command may call an address; in programs, such a one stands in quotation marks. */
  #isCalled(at: number): boolean {
    const { text, isProse } = this.#read
    const kind = this.#read.kindAt(at)
    if (kind === 'prose' || kind === 'sample') return false
    const before = text.slice(Math.max(0, at - LINE_REACH), at)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    if (kind === 'code' && !isProse && !/["'`=]/.test(line)) return false
    return (
      !/(?:^|\s)(?:#|\/\/)\s/.test(line) &&
      !isCommentOrOutput(line + text.slice(at, at + LINE_REACH).split('\n', 1)[0], line.length, 8)
    )
  }

  /** A file of the skill's own that code or a command names. */
  #takeOwnFile(at: number): void {
    const { text, path, isProse } = this.#read
    if (!isProse) return
    const stray = this.#ownFiles.findStrayPath(text, at, path)
    if (stray === undefined) return
    if (this.#isInline(at) || this.#read.kindAt(at) === 'shell') this.#add('strayLinks', stray, at)
  }

  #takePath(at: number): void {
    const { text } = this.#read
    let from = at
    if (text[at - 1] === '~') from = at - 1
    else if (text.startsWith('$HOME', at - 5)) from = at - 5
    else if (text.startsWith('${HOME}', at - 7)) from = at - 7
    else {
      PATH_ROOT.lastIndex = at + 1
      if (!PATH_ROOT.test(text)) return
    }
    // Within a longer path or an address it is no path of its own; a program's first line names its interpreter.
    if (/[\w.:/\-})>\]!]/.test(text.charAt(from - 1)) && from > 0) return
    PATH_REST.lastIndex = at
    const rest = PATH_REST.exec(text)?.[0]
    if (rest === undefined) return
    const path = text.slice(from, at) + rest.replace(/(?:\*{2,9}|\/\*|\.{1,9})$/, '')
    if (NO_PATH.test(path) || SAMPLE_HOME.test(path)) return
    const isCommand = this.#read.kindAt(at) === 'shell'
    if (from === at - 1 && !isCommand && !HOME_FOLDER.test(path)) return
    this.#add('paths', path, from)
  }

  #takeVariables(): void {
    const { text } = this.#read
    const take = (pattern: RegExp, at: number): string | undefined => {
      pattern.lastIndex = at
      const name = pattern.exec(text)?.[1]
      return name === undefined || !isVariable(name) ? undefined : name
    }
    eachPlace(text, '$', (at) => {
      const name = take(IN_COMMAND, at)
      if (name === undefined || !this.#isOfCommand(at, name)) return
      if (!this.#isAssigned(name)) this.#add('variables', name, at)
    })
    eachPlace(text, '.env', (at) => {
      const name = take(IN_ENVIRON, at)
      if (name !== undefined) this.#add('variables', name, at)
    })
    for (const { from, to, kind } of this.#read.passages) {
      if (kind !== 'code') continue
      const code = text.slice(from, to)
      for (const reader of READERS) {
        eachPlace(code, reader, (at) => {
          const name = take(AS_ARGUMENT, from + at)
          if (name !== undefined) this.#add('variables', name, from + at)
        })
      }
    }
    eachPlace(text, 'xport ', (at) => {
      const name = take(EXPORTED, at - 1)
      if (name !== undefined && this.#isOfCommand(at, name)) this.#add('variables', name, at)
    })
  }

  /** Whether a shell or a file of settings reads a place. */
  #isOfCommand(at: number, name: string): boolean {
    const kind = this.#read.kindAt(at)
    if (kind === 'shell') return true
    // A name of one word is a value to be filled in, and so is one that nobody calls a variable.
    if (!name.includes('_')) return false
    if (kind === 'data') return true
    if (kind !== 'prose' || !this.#isInline(at)) return false
    return this.#read.text[at - 1] !== '`' || this.#isEnvironment(name, at)
  }

  #isAssigned(name: string): boolean {
    this.#assigned ??= new Set(
      this.#read.passages
        .filter(({ kind }) => kind === 'shell' || kind === 'data')
        .flatMap(({ from, to }) =>
          Array.from(this.#read.text.slice(from, to).matchAll(ASSIGNED), ([, own = '']) => own),
        ),
    )
    return this.#assigned.has(name)
  }

  #takeServers(): void {
    const { text } = this.#read
    const take = (pattern: RegExp, at: number): void => {
      pattern.lastIndex = at
      const name = pattern.exec(text)?.[1]
      if (name !== undefined && !NO_SERVER.test(name)) this.#add('servers', name, at)
    }
    // Signs that are rare are found faster than the words before them.
    eachPlace(text, '__', (at) => take(TOOL, at - 3))
    eachPlace(text, '"mcp', (at) => take(CONFIGURED, at))
    if (!this.#read.isProse) return
    eachPlace(text, ' MCP', (at) => {
      const server = this.#read.kindAt(at) === 'prose' ? readServer(text, at + 1) : undefined
      if (server && !this.#isServer(server.name)) this.#add('servers', server.name, server.at)
    })
  }

  /** Whether a server is known already, as `github-mcp` or `Github`. */
  #isServer(name: string): boolean {
    return [...this.#into.servers.keys()].some(
      (one) => one !== name && plainName(one).endsWith(plainName(name)),
    )
  }

  #takeLink(at: number): void {
    const { text, path } = this.#read
    LINK.lastIndex = at
    const href = LINK.exec(text)?.[1]
    if (href === undefined || this.#read.kindAt(at) !== 'prose' || this.#isInline(at)) return
    const stray = this.#ownFiles.findStrayLink(href, path)
    if (stray !== undefined) this.#add('strayLinks', stray, at)
  }
}

/** The texts of a skill's files of which something can be told, cut where they are too long. */
const readTexts = (files: readonly { path: string; bytes: Uint8Array }[]): PassageReader[] => {
  let left = SKILL_LIMIT
  return files
    .filter(({ path }) => isReadable(path))
    .map(({ path, bytes }) => {
      const most = Math.min(left, FILE_LIMIT)
      // The bytes themselves, not a part of them: their text is kept.
      const text = decodeLoosely(bytes.length <= most ? bytes : bytes.subarray(0, most))
      left -= text.length
      return new PassageReader(path, text)
    })
}

/** Collects what the text files of a skill name. `own` are its own names, which are no other skill's. */
export const collectNeeds = (
  own: readonly string[],
  files: readonly { path: string; bytes: Uint8Array }[],
): Needs => {
  const into = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Collections
  const ownFiles = new OwnFiles(
    own,
    files.map(({ path }) => path),
  )
  const texts = readTexts(files)
  for (const file of texts) new FileReader(file, into, ownFiles).collect()
  for (const name of into.hostsCalled.keys()) into.hostsLinked.delete(name)
  for (const name of own) into.skills.delete(name)
  const scripts = texts
    .filter(({ path }) => isProgram(path))
    .map(({ path, text }) => ({ path, comment: readComment(text) }))
  const order = new Map(texts.map(({ path }, at) => [path, at]))
  const byPlace = (a: Named, b: Named): number =>
    Number(a.context !== undefined) - Number(b.context !== undefined) ||
    order.get(a.file)! - order.get(b.file)! ||
    a.line - b.line
  const lists = KINDS.map((kind) => [kind, [...into[kind].values()].sort(byPlace)])
  return { ...(Object.fromEntries(lists) as Record<(typeof KINDS)[number], Named[]>), scripts }
}
