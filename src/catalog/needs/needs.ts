import { decodeLoosely } from '../text.ts'
import { isCommentOrOutput } from '../safety/contexts.ts'
import { readHost } from './hosts.ts'
import { MentionReader } from './mentions.ts'
import { listRelated, listSentTo, readPlainName, readServer } from './others.ts'
import { readPackages } from './packages.ts'
import { PassageReader, eachPlace, findLast, isProgram, isProse, isReadable } from './passages.ts'
import type { PassageKind, FileText } from './passages.ts'
import { nameOfCommand, readCommands, readInlineCommands, readSampleCommands } from './shell.ts'
import type { ShellCommand } from './shell.ts'

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

const SKILL_NAME = '[a-z0-9][a-z0-9-]{1,60}(?::[a-z0-9-]{2,60})?'
const BEFORE_SKILL = new RegExp(`(?:\`|\\*\\*|")(${SKILL_NAME})(?:\`|\\*\\*|") $`)
const AFTER_SKILL = new RegExp(
  `s?:?\\s\`(${SKILL_NAME})\`|s/([a-z0-9][a-z0-9-]{1,60})/SKILL\\.md`,
  'y',
)
const BESIDE = /\.\.\/([a-z0-9][a-z0-9-]{1,60})$/
/** A skill that somebody might write, and no other one. */
const OF_ANY = /\b(?:an?|e\.g\.|example|named?|called|like)\b[^.\n]{0,30}$/i

/** Words in marks beside "skill" that name none: fields, and ways to speak of the skill itself. */
const NO_SKILL = new Set(
  `this the that a an any each every new my your our agent claude custom other same which name description version
  license allowed-tools metadata model context user-invocable disable-model-invocation hooks arguments skill skills
  skill-name my-skill your-skill example-skill name-of-skill test none true false`.split(/\s+/),
)

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

/** The folders above the files of a skill, and the files. */
const listPlaces = (paths: Iterable<string>): Set<string> => {
  const places = new Set<string>()
  // Half of all computers do not tell `References/` from `references/`.
  for (const path of [...paths].map((one) => one.toLowerCase())) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      places.add(path.slice(0, end))
  }
  return places
}

const has = (places: ReadonlySet<string>, path: string): boolean =>
  places.has(path.toLowerCase().replace(/^\.\//, ''))

/** An address with a scheme, of the same page, of a host's root, or one that is to be filled in. */
const NO_FILE =
  /^(?:[a-z][a-z0-9+.-]{0,20}:|#|\/|\?|\{|\$|<|%|@|\.{3}$|…|url$|link$|path$)|[{}*|]|\.\.\.|^[^\w.]*$|(?:^|\/)(?:script|file)[-_]?name\./i

/** The folders in which skills keep their own files, at the end of what stands before a slash. */
const OWN_FOLDERS = 'scripts|references|assets|templates|agents'
const OWN_FOLDER = new RegExp(String.raw`(?:^|[^\w./-]|[^\w.]\/|\.\/|\}\/)(${OWN_FOLDERS})$`)
const escapeName = (name: string): string => name.replace(/[^\w-]/g, '\\$&')
const OWN_FOLDER_REACH = 80
const OWN_FILE = /(?:\/[\w.-]{1,80}){0,5}\/[\w-]{1,80}(?:\.[a-z]\w{0,12}){1,3}\b(?![*{<])/y

/** A sign that Markdown would read without its backslash: `a\_b.md`. */
const ESCAPED = /\\([_*.()[\]#~-])/g

/** The path of a link to a file that a skill does not have. */
const findStray = (
  href: string,
  from: string,
  places: () => ReadonlySet<string>,
): string | undefined => {
  if (NO_FILE.test(href)) return undefined
  let path: string
  try {
    path = decodeURIComponent(href.replace(ESCAPED, '$1').split(/[?#]/, 1)[0] ?? '')
  } catch {
    return undefined
  }
  // A word alone is a place to be filled in.
  if (!/[./]/.test(path)) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return path
  }
  const inside = parts.join('/')
  // References name each other from the skill's root as well.
  return inside === '' || has(places(), inside) || has(places(), path) ? undefined : path
}

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
  readonly #mentions: MentionReader
  readonly #into: Collections
  readonly #places: () => ReadonlySet<string>
  /** Where inline code begins and ends, in the order of the text. */
  readonly #inline: { from: number; to: number }[] = []
  readonly #found: { one: Named; offset: number }[] = []
  /** What stands before a slash where the path is told from above the skill: `skills/sort-books/scripts`. */
  readonly #ofOwnName: RegExp
  #assigned: ReadonlySet<string> | undefined

  constructor(
    file: FileText,
    into: Collections,
    places: () => ReadonlySet<string>,
    ofOwnName: RegExp,
  ) {
    this.#ofOwnName = ofOwnName
    this.#read = new PassageReader(file)
    this.#mentions = new MentionReader(this.#read)
    this.#into = into
    this.#places = places
  }

  #add(kind: keyof Collections, name: string, offset: number): void {
    const named = this.#into[kind]
    const before = named.get(name)
    if (before ? before.context === undefined : named.size >= NAMES_LIMIT) return
    const mention =
      kind === 'hostsLinked' ? 'use' : this.#mentions.judge(offset, OF_KIND[kind] ?? 'other')
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
    const { text, path, passages } = this.#read
    for (const { from, to, kind } of passages) {
      if (kind === 'shell') this.#takeCommands(readCommands(text.slice(from, to)), from)
      if (kind === 'sample') this.#takeCommands(readSampleCommands(text.slice(from, to)), from)
    }
    eachPlace(text, ' install ', (at) => {
      if (this.#read.kindAt(at) === 'code') this.#takeInstallComment(at)
    })
    if (isProse(path)) this.#takeInline()
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
    if (!isProse(path)) return
    eachPlace(text, '](', (at) => this.#takeLink(at))
    if (path === 'SKILL.md' && text.startsWith('---')) {
      const end = text.indexOf('\n---', 3)
      for (const { name, at } of listSentTo(text.slice(0, Math.max(0, end))))
        this.#addSkill(name, at)
    }
    // A search for the rare `k` costs a fifth of one for the frequent `s`.
    eachPlace(text, 'kill', (at) => this.#takeSkill(at))
    eachPlace(text, 'LL.md', (end) => {
      const at = end - 4
      if (!text.startsWith('/SKI', at)) return
      const from = Math.max(0, at - 70)
      const [all, name] = BESIDE.exec(text.slice(from, at)) ?? []
      if (all === undefined || name === undefined || this.#read.kindAt(at) !== 'prose') return
      if (!NO_SKILL.has(name)) this.#add('skills', name, at - all.length)
    })
  }

  #takeCommands(commands: readonly ShellCommand[], from: number): void {
    for (const command of commands) {
      const name = nameOfCommand(command)
      if (name !== undefined) this.#add('commands', name, from + command.at)
    }
    this.#takePackages(commands, from)
  }

  #takePackages(commands: readonly ShellCommand[], from: number): void {
    for (const command of commands) {
      for (const { registry, name } of readPackages(command))
        this.#add('packages', `${name} (${registry})`, from + command.at)
    }
  }

  /** `# Install: pip install books` above a line of code. */
  #takeInstallComment(at: number): void {
    const { text } = this.#read
    const from = text.lastIndexOf('\n', at) + 1
    const [line = ''] = text.slice(from, at + LINE_REACH).split('\n', 1)
    const [all, lead = ''] = INSTALL_COMMENT.exec(line) ?? []
    if (all !== undefined) this.#takePackages(readInlineCommands(line.slice(lead.length)), from)
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
    const variable =
      code.length > 3 && code.includes('_') ? NAMES_VARIABLE.exec(code)?.[1] : undefined
    if (variable !== undefined && isVariable(variable) && this.#isEnvironment(variable, at))
      this.#add('variables', variable, at)
    if (code.includes(' ')) this.#takeCommands(readInlineCommands(code), at)
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
    this.#add(this.#isAsked(at) ? 'hostsCalled' : 'hostsLinked', host, at)
  }

  /** Whether code or a command may ask an address; in programs, such a one stands in quotation marks. */
  #isAsked(at: number): boolean {
    const { text, path } = this.#read
    const kind = this.#read.kindAt(at)
    if (kind === 'prose' || kind === 'sample') return false
    const before = text.slice(Math.max(0, at - LINE_REACH), at)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    if (kind === 'code' && !isProse(path) && !/["'`=]/.test(line)) return false
    return (
      !/(?:^|\s)(?:#|\/\/)\s/.test(line) &&
      !isCommentOrOutput(line + text.slice(at, at + LINE_REACH).split('\n', 1)[0], line.length, 8)
    )
  }

  /** A file of the skill's own that code or a command names, where the skill does not bring it. */
  #takeOwnFile(at: number): void {
    const { text, path } = this.#read
    const before = text.slice(Math.max(0, at - OWN_FOLDER_REACH), at)
    const [, folder] = OWN_FOLDER.exec(before) ?? this.#ofOwnName.exec(before) ?? []
    if (folder === undefined || !isProse(path)) return
    // `film-sort`'s `references/films.md` lies with that skill.
    if (/`['’]s\s+`$/.test(text.slice(Math.max(0, at - 20), at - folder.length))) return
    if (!this.#isInline(at) && this.#read.kindAt(at) !== 'shell') return
    OWN_FILE.lastIndex = at
    const rest = OWN_FILE.exec(text)?.[0]
    if (rest === undefined) return
    const named = folder + rest
    const beside = `${path.slice(0, path.lastIndexOf('/') + 1)}${named}`
    if (NO_FILE.test(named)) return
    if (!has(this.#places(), named) && !has(this.#places(), beside))
      this.#add('strayLinks', named, at)
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
      if (name === undefined || !this.#isOfCommand(this.#read.kindAt(at), at, name)) return
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
      if (name !== undefined && this.#isOfCommand(this.#read.kindAt(at), at, name))
        this.#add('variables', name, at)
    })
  }

  /** Whether a shell or a file of settings reads a place. */
  #isOfCommand(kind: PassageKind, at: number, name: string): boolean {
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
    if (!isProse(this.#read.path)) return
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

  #takeSkill(at: number): void {
    const { text } = this.#read
    const from = at - 1
    if (text[from] !== 's' && text[from] !== 'S') return
    if (this.#read.kindAt(at) !== 'prose') return
    for (const one of listRelated(text, at)) this.#addSkill(one.name, one.at)
    const plain = readPlainName(text, from)
    if (plain) this.#addSkill(plain.name, plain.at)
    AFTER_SKILL.lastIndex = at + 4
    const [, after, inPath] = AFTER_SKILL.exec(text) ?? []
    const isMarked = text[from - 1] === ' ' && /[`*"]/.test(text.charAt(from - 2))
    const start = Math.max(0, from - 130)
    const before = isMarked ? BEFORE_SKILL.exec(text.slice(start, from)) : null
    const name = before?.[1] ?? after ?? inPath
    if (name === undefined || NO_SKILL.has(name)) return
    const place = before ? start + before.index : from
    if (inPath === undefined && OF_ANY.test(text.slice(Math.max(0, place - 60), place + 1))) return
    this.#add('skills', name, place)
  }

  #addSkill(name: string, at: number): void {
    if (!NO_SKILL.has(name)) this.#add('skills', name, at)
  }

  #takeLink(at: number): void {
    const { text, path } = this.#read
    LINK.lastIndex = at
    const href = LINK.exec(text)?.[1]
    if (href === undefined || this.#read.kindAt(at) !== 'prose' || this.#isInline(at)) return
    const stray = findStray(href, path, this.#places)
    if (stray !== undefined) this.#add('strayLinks', stray, at)
  }
}

/** The very bytes where there is room for all, whose text is known then. */
const takeBytes = (bytes: Uint8Array, most: number): Uint8Array =>
  bytes.length <= most ? bytes : bytes.subarray(0, most)

/** The texts of a skill's files of which something can be told, cut where they are too long. */
const readTexts = (files: readonly { path: string; bytes: Uint8Array }[]): FileText[] => {
  let left = SKILL_LIMIT
  return files
    .filter(({ path }) => isReadable(path))
    .map(({ path, bytes }) => {
      const text = decodeLoosely(takeBytes(bytes, Math.min(left, FILE_LIMIT)))
      left -= text.length
      return { path, text }
    })
}

/** Collects what the text files of a skill name. `own` are its own names, which are no other skill's. */
export const collectNeeds = (
  own: readonly string[],
  files: readonly { path: string; bytes: Uint8Array }[],
): Needs => {
  const into = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Collections
  let listed: ReadonlySet<string> | undefined
  const places = (): ReadonlySet<string> => (listed ??= listPlaces(files.map(({ path }) => path)))
  const texts = readTexts(files)
  const ofOwnName = new RegExp(`/(?:${own.map(escapeName).join('|')})/(${OWN_FOLDERS})$`)
  for (const file of texts) new FileReader(file, into, places, ofOwnName).collect()
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
