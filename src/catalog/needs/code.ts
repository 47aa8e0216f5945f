import { builtinModules } from 'node:module'
import { judgeAddresses } from '../safety/hosts.ts'
import { countLines, isExample, lastWords } from './found.ts'
import type { FoundNames } from './found.ts'
import { INSTALL_LINE, listPackages, readPackage } from './packages.ts'
import {
  COMMENT,
  SHELLS,
  addFetched,
  addInvocation,
  addPackages,
  isCommand,
  readShell,
} from './shell.ts'
import type { Code, ShellPlace } from './shell.ts'
import { NO_PACKAGE, PACKAGE_OF_MODULE, PYTHON, RUST } from './tables.ts'
import { isReference, readOutside } from './traces.ts'

/** The import statements of a language. */
interface Imports {
  from: string
  /** Matches an import statement. */
  pattern: RegExp
  /** Lists the packages in the matched part of a statement. */
  list: (found: string) => readonly string[]
}

const QUOTED = `["']([^"'\\s]{1,120})["']`
const NODE = new Set(builtinModules)

const FROM = String.raw`from[ \t]+([A-Za-z]\w{1,60})[\w.]{0,200}[ \t]+import\b`
const PYTHON_IMPORTS: Imports = {
  from: 'PyPI',
  pattern: new RegExp(
    String.raw`^[ \t]{0,40}(?:>>> )?(?:${FROM}|import[ \t]+([A-Za-z][\w., \t]{1,300}))`,
    'gm',
  ),
  list: (found) =>
    found
      .split(',')
      .map((item) => /^\s*([A-Za-z]\w+)/.exec(item)?.[1] ?? '')
      .filter((module) => !PYTHON.has(module)),
}
const NODE_IMPORTS: Imports = {
  from: 'npm',
  pattern: new RegExp(
    `(?:(?<![\\w.])(?:import|export|from)\\s{0,4}\\(?\\s{0,4}|\\brequire\\(\\s{0,4})${QUOTED}`,
    'g',
  ),
  list: (found) => {
    const name = /^(?:@[\w.-]+\/[\w.-]+|[a-z][\w.-]*)(?=\/|$)/i.exec(found)?.[0] ?? ''
    return NODE.has(name) ? [] : [name.startsWith('@std/') ? `jsr:${name}` : name]
  },
}
const GO_IMPORTS: Imports = {
  from: 'Go',
  pattern:
    /^[ \t]{0,8}(?:import[ \t]+)?(?:[\w.]{1,40}[ \t]+)?"([\w-]{1,60}\.[\w./-]{3,200})"[ \t]*$/gm,
  list: (found) => {
    const parts = found.split('/')
    const length = /^(?:git|golang\.org\/x\/)/.test(found) ? 3 : 2
    const end = /^v\d+$/.test(parts[length] ?? '') ? length + 1 : length
    return parts.length > 1 ? [parts.slice(0, end).join('/')] : []
  },
}
const RUST_IMPORTS: Imports = {
  from: 'crates.io',
  pattern: /^[ \t]{0,40}(?:pub[ \t]+)?(?:use|extern crate)[ \t]+([a-z]\w{0,60})(?=::|;)/gm,
  list: (found) => (RUST.has(found) ? [] : [found]),
}
/** Import statements by language (the word of a fence, or a file ending); undefined if they are not read. */
const LANGUAGES: readonly (readonly [names: RegExp, imports: Imports | undefined])[] = [
  [/^(?:py(?:thon[\d.]*)?|uv)$/, PYTHON_IMPORTS],
  [/^(?:[mc]?[jt]sx?|javascript|typescript|node|bun|deno|vue|svelte|astro)$/, NODE_IMPORTS],
  [/^go(?:lang)?$/, GO_IMPORTS],
  [/^(?:rs|rust)$/, RUST_IMPORTS],
  [/^(?:rb|ruby|php|pl|ps1|powershell)$/, undefined],
]

export const isCode = (language: string): boolean =>
  LANGUAGES.some(([names]) => names.test(language))

/** Code after which Python can import modules of the author's other folders. */
const EXTENDS_PATH = /\bsys\.path\.(?:insert|append)\(/
/** Code that reads an environment variable. */
const READS = [
  String.raw`environ(?:\.get\(|\.setdefault\(|\[)|[gG]etenv\(|ENV(?:\.fetch\(|\[)|env::var\(|\$env:`,
  String.raw`process\.env[.[]|import\.meta\.env\.|env\.get\(`,
]
const READ_VARIABLE = new RegExp(`(?:${READS.join('|')})\\s?["']?([A-Z][A-Z0-9_]{2,60})\\b`, 'g')
/** Code that runs a program, by name or with a shell line. */
const STARTS = [
  String.raw`subprocess\.\w{1,20}|Popen|check_(?:output|call)|system|which|run(?=\(\s{0,40}\[)`,
  String.raw`spawn(?:Sync)?|exec(?:File)?(?:Sync)?|execa|exec\.Command|Command::new|(?:cmd|command)(?=\s?=\s?\[)`,
]
const CALL = new RegExp(
  `\\b(?:${STARTS.join('|')})\\s?(?:=\\s?)?[([]\\s{0,40}\\[?\\s{0,40}f?["'\`]([^"'\`\\n]{2,200})["'\`]`,
  'g',
)
const ADDRESS = /["'`]((?:https?|wss?|ftp):\/\/[^\s"'`]{4,200})/gi
/** Words before an address that is only compared, shown or listed, in its statement or its call. */
const NO_CALL = new RegExp(
  [
    String.raw`(?:^\s*print|assert|expect\(|console\.|raise |error\()[^;]*$`,
    String.raw`(?:startswith|endswith|includes|replace|match)\([^()]*$`,
    String.raw`(?:referer|user-?agent|namespace|xmlns|\$schema)\W*$|__\w+__ ?=|(?<![.\w])(?:href|src|help)=`,
  ].join('|'),
  'i',
)
/** Languages whose comments begin with `#`. Those of others begin with `//`, or with `*` in each of their lines. */
const HASHED = /^(?:py|python[\d.]*|uv|rb|ruby|pl|r|jl|fish|ps1)$/
/** The start of a line up to its comment. A `#` in quotes starts no comment. */
const CODE = `^(?:[^"'\`]|"[^"]*"|'[^']*'|\`[^\`]*\`)*?`
const IN_COMMENT = new RegExp(String.raw`^\s*(?://|\*\s)|${CODE}\s//\s`)
const IN_HASHED = new RegExp(String.raw`^\s*#|${CODE}\s#\s`)
/** The start of a call whose first argument is an address, or of an import whose module is one. */
const REQUESTS =
  /(?:(?:fetch|get|post|put|request|urlopen|goto|socket|source|beacon)\w*\(\s{0,4}f?|\b(?:from|import)\s?\(?)$/i
/** The start of an entry whose value is an address. If a program fills in a part of it, it is rather a result than a request. */
const ENTRY = /["']\w{1,60}["'] ?: ?f?$/
/** Namespaces of XML, which look like addresses. A year in the path would let any host look like one. */
const NAMESPACE =
  /^http:\/\/(?:schemas\.[a-z]{3,20}\.(?:org|com)|(?:www\.)?(?:w3\.org|purl\.(?:allotrope\.)?org|openoffice\.org|sitemaps\.org|apple\.com\/DTDs|hancom\.co\.kr|topografix\.com|ogp\.me|opengis\.net))(?:\/|$)/
const IS_TEST = /(?:^|\/)(?:(?:__)?tests?(?:__)?\/|test_)|[._-](?:test|spec)\.\w+$/
/** Code that may call a host. A test without it only compares addresses. */
const MAY_CALL =
  /\b(?:fetch\(|urlopen|requests\.|https?x?\.\w|session\.|axios|sockets?\b|curl\b|wget\b|got\(|WebSocket|reqwest|Net::)/
const SPECIFIER = /["']((?:jsr|npm):@?[\w./-]{2,100})/g
/** The metadata in a Python program (PEP 723), and a dependency in it. */
const METADATA = /^# \/\/\/ script\n(?:#[^\n]{0,300}\n){1,60}?# \/\/\/$/m
const LISTED = /["']([a-z][\w.-]{1,60})[^"'\n]{0,60}["']/gi
/** Paths that a program opens for writing, or that are in the home folder. */
const WRITTEN = [
  /\bopen\(\s?["']([/~][^"'\n]{3,150})["'],\s?["'][wa]/g,
  /expanduser\(\s?["'](~\/[^"'\n]{1,150})["']/g,
  /(?:Path\.home\(\)|homedir\(\)),?\s{0,2}\/?\s{0,2}["']([^"'\n]{2,100})["']/g,
]

/** A line that assigns a name. */
const ASSIGNS = /^\s*(?:(?:export|const|let|var) )*(\w{1,60})(?: ?: ?[^=]{1,60})? ?=/
/** A call that writes, creates or removes files. */
const MAY_WRITE =
  /\bopen\([^\n]{0,200}["'][wax]|\bwrite|mkdir|makedirs|\bdump\(|copy|rename|unlink|\brm(?:Sync|tree)?\(|touch\(|Stream\(/i

/** Words that end the list of packages after an install command in a sentence. */
const STOP = new Set(
  `to and or for first before if then with from in on the a is as via when instead needed required it this your did does
  do will can cannot failed fails not succeeded command commands works`.split(/\s+/),
)

/** Adds the packages of install commands in comments, messages and other text. */
export const addInstalls = (
  text: string,
  first: number,
  found: FoundNames,
  isTold = false,
): void => {
  const lineAt = countLines(text, first)
  let listed = 0
  for (const { 0: command, index } of text.matchAll(INSTALL_LINE)) {
    // Words that an earlier command lists are read once. Else, 500 KB of `npm i npm i …` take 15 s.
    const before = lastWords(text, index).split('\n').at(-1)!
    if (index < listed || isExample(before)) continue
    const start = index + command.length
    const [rest = ''] = /^[^\n"'`()|;&#<\\]*/.exec(text.slice(start, start + 200)) ?? []
    const words = rest.trim().split(/\s+/)
    const end = words.findIndex(
      (word) => STOP.has(word.toLowerCase()) || /^\/$|[^\w@/[\]=<>~.^:+-]/.test(word),
    )
    const names = words.slice(0, end < 0 ? undefined : end).map((word) => word.replace(/[.:]$/, ''))
    listed = start + names.join(' ').length
    const packages = listPackages([...command.trim().split(' '), ...names])
    addPackages(packages, lineAt(index), found, isTold)
  }
}

/** Maximum number of levels of shell code inside shell code. */
const SHELLS_LIMIT = 4

/** Reads a shell text and the code that it passes to interpreters. Returns the words of the shell text. */
export const readShellText = (
  text: string,
  place: ShellPlace,
  found: FoundNames,
  depth = 0,
): string[] => {
  const { words, programs } = readShell(text, place, found)
  for (const program of depth < SHELLS_LIMIT ? programs : [])
    if (SHELLS.has(program.language)) {
      const inner = { ...place, line: program.line, isStated: true }
      words.push(...readShellText(program.text, inner, found, depth + 1))
    } else readCode(program, found)
  return words
}

/** Adds the variables that code reads. */
const readVariables = ({ text, line, given }: Code, found: FoundNames): void => {
  const lineAt = countLines(text, line)
  for (const { 1: name = '', index } of text.matchAll(READ_VARIABLE))
    if (!given?.has(name)) found.addVariable(name, lineAt(index))
}

/** Whether a program calls an address, whose name in the program can be any. */
const isCalled = (
  { text, language }: Code,
  address: string,
  at: number,
  isTest: boolean,
): boolean => {
  const lines = text
    .slice(Math.max(0, at - 160), at)
    .split('\n')
    .slice(-2)
  const before = lines.at(-1)!
  if ((HASHED.test(language) ? IN_HASHED : IN_COMMENT).test(before)) return false
  if (REQUESTS.test(lines.join('\n'))) return true
  // A program can call what its address makes look like documentation.
  const isShown = isReference(address) && judgeAddresses(address) === 'trusted'
  const isResult = ENTRY.test(before) && address.includes('{')
  return !isTest && !isShown && !isResult && !NAMESPACE.test(address) && !NO_CALL.test(before)
}

/** The name of a module's package; empty if a program brings the module, as FreeCAD its `Part`. */
const packageOf = (module: string, from: string): string =>
  from === 'PyPI' ? (PACKAGE_OF_MODULE.get(module) ?? module.replace(/^[A-Z].*/, '')) : module

/** Adds the packages that code imports, unless it lists its packages itself. */
const addImports = ({ text, language, line }: Code, found: FoundNames): void => {
  const imports = LANGUAGES.find(([names]) => names.test(language))?.[1]
  if (!imports || METADATA.test(text)) return
  const { from, pattern, list } = imports
  const lineAt = countLines(text, line)
  const end = EXTENDS_PATH.exec(text)?.index
  for (const { 0: all, 1: first, 2: other = '', index } of text.slice(0, end).matchAll(pattern))
    for (const module of list(first ?? other)) {
      const name = packageOf(module, from)
      const isOwn = found.modules.has(name) || NO_PACKAGE.has(name)
      const parsed = isOwn ? undefined : readPackage(name, from)
      if (parsed) found.addImported(parsed.name, parsed.from, lineAt(index + all.search(/\S/)))
    }
}

/** Adds the packages and variables of a code sample. */
export const readSample = (code: Code, found: FoundNames): void => {
  readVariables(code, found)
  addImports(code, found)
}

/** Adds the packages, variables, programs and hosts that a program names. */
export const readCode = (code: Code, found: FoundNames): void => {
  const { text, language, line: first } = code
  const each = (pattern: RegExp, add: (name: string, line: number, at: number) => void): void => {
    const lineAt = countLines(text, first)
    for (const match of text.matchAll(pattern)) {
      const at = match.index + Math.max(0, match[0].search(/\S/))
      add(match[1] ?? match[2] ?? '', lineAt(at), match.index)
    }
  }
  readVariables(code, found)
  each(CALL, (call, line, at) => {
    // In other languages than Python, `run([…])` is a function of the program.
    if (text.startsWith('run(', at) && !/^py|^uv$/.test(language)) return
    if (/^[\w.+-]+$/.test(call)) addInvocation([call], line, found)
    else if (isCommand(call, found)) readShell(call, { line, isStated: false }, found)
  })
  each(COMMENT, (comment, line) => found.addSecrets(comment, line))
  addInstalls(text, first, found, true)
  const lines = text.split('\n')
  const inWrites = new Set(
    lines.flatMap((line) => (MAY_WRITE.test(line) && line.match(/\w+/g)) || []),
  )
  for (const pattern of WRITTEN)
    each(pattern, (path, line) => {
      const whole = /^[~/]/.test(path) ? path : `~/${path}`
      const words = lines[line - first]!.slice(0, 500)
      if (MAY_WRITE.test(words) || inWrites.has(ASSIGNS.exec(words)?.[1] ?? ''))
        addInvocation(['tee', whole], line, found)
      else found.add('outside', readOutside(whole), line, { onlyNamed: true })
    })
  const addPackage = (word: string, from: string, line: number): void => {
    const parsed = readPackage(word, from)
    if (parsed) addPackages([parsed], line, found)
  }
  addImports(code, found)
  each(SPECIFIER, (name, line) => addPackage(name, 'npm', line))
  const isTest = IS_TEST.test(found.file) && !MAY_CALL.test(text)
  each(ADDRESS, (address, line, at) => {
    if (isCalled(code, address, at, isTest)) found.addHost(address, line)
  })
  addFetched(text, first, found)
  if (/^(?:ps1|bat|cmd)$/.test(language)) readShell(text, { line: first, isStated: false }, found)
  const metadata = METADATA.exec(text)
  const lineAt = countLines(text, first)
  for (const { 1: name = '', index } of (metadata?.[0] ?? '').matchAll(LISTED))
    addPackage(name, 'PyPI', lineAt(metadata!.index + index))
}
