import { forEachChild, parse } from 'unbash'
import type { Assignment, Command, SyntaxNode } from 'unbash'
import { countLines, isSecret } from './found.ts'
import type { FoundNames } from './found.ts'
import { INSTALLERS, isBareInstall, listPackages, readPackage } from './packages.ts'
import {
  CALLERS,
  EVERYWHERE,
  KNOWN,
  NETWORK,
  NO_SERVER,
  SERVICES,
  PLACEHOLDER_NAME,
} from './tables.ts'
import { findLogin, findOutside, listTargets, readHost, readOutside } from './traces.ts'

/** Words before a command that only say when or how to run it. */
const LEADING = new Set(
  'sudo exec time nohup env command which where xargs timeout watch nice'.split(' '),
)
export const SHELLS: ReadonlySet<string> = new Set('sh bash zsh dash ksh'.split(' '))
/** Folders of programs of the system or of a project: `/usr/bin/curl`, `vendor/bin/phpunit`. */
const BIN =
  /^(?:\/(?:usr\/|opt\/homebrew\/)?(?:local\/)?s?|(?:\.\/)?(?:(?:vendor|\.?venv|node_modules)\/\.?)?)bin\/(?=.)/
/** A program of the user's project: `./gradlew`. */
const OF_PROJECT =
  /^\.\/(?!(?:target|build|dist|out|app|main|server|client|worker|test|a)(?:\/|$))[\w-]{1,40}(?:\/[\w-]{1,40}){0,3}$/
const PROGRAM_NAME = /^(?:[a-z][a-z0-9_+-]{1,39}(?:\.\d{1,3}){0,2}(?:\.py)?|Install-\w{1,30})$/
/** Placeholders for a command. */
const PLACEHOLDER_COMMAND =
  /[-_](?:command|cmd|here|name)$|^(?:command|cmd|program)$|^(?:mcp__|do_some|another_)/

/** Longest shell text that is read whole, in characters. */
export const SHELL_LIMIT = 64 * 1024
/** Deepest level of the syntax tree that is read. */
const DEPTH_LIMIT = 24

const isLeading = (word: string): boolean =>
  LEADING.has(word) || /^[-\d]|^[A-Z][A-Z\d_]*(?:=|$)/.test(word)

/** The command itself, without words that only say when or how to run it. */
const withoutLeading = (words: readonly string[]): readonly string[] => {
  if (!LEADING.has(words[0] ?? '')) return words
  const start = words.findIndex((word) => !isLeading(word))
  return start < 0 ? [] : words.slice(start)
}

/** Options of `mcp add` whose next word is their value. */
const MCP_VALUED = /^(?:-[tseH]|--(?:transport|scope|env|header|type))$/

const isArgument = (word: string, at: number, words: readonly string[]): boolean =>
  !word.startsWith('-') && !MCP_VALUED.test(words[at - 1] ?? '')

/** Whether a program is well known, or the skill has already run it. */
const isKnown = (name: string, found: FoundNames): boolean =>
  [KNOWN, INSTALLERS, SERVICES].some((known) => known.has(name)) || found.has('commands', name)

export const addServer = (name: string, line: number, found: FoundNames): void => {
  const isName = /^(?!\d*$)[^<>{}$]{1,60}$/.test(name) && !PLACEHOLDER_NAME.test(name)
  if (isName && !NO_SERVER.has(name.toLowerCase())) found.add('servers', name, line)
}

/** Adds packages. Those that are only told of, as in a message, are not installed outside. */
export const addPackages = (
  packages: ReturnType<typeof listPackages>,
  line: number,
  found: FoundNames,
  isTold = false,
): void => {
  for (const { name, machineWide, ...marks } of packages) {
    found.add('packages', name, line, { ...marks, ...(machineWide && !isTold && { machineWide }) })
    if (machineWide && !isTold) found.add('outside', name, line, { from: marks.from })
  }
}

/** Lists the packages that `uv run --with requests` installs. */
const listWith = (words: readonly string[]): ReturnType<typeof listPackages> =>
  words.flatMap((word, at) =>
    words[at - 1] === '--with'
      ? word.split(',').flatMap((item) => readPackage(item, 'PyPI') ?? [])
      : [],
  )

/** What a word can have before an address: `--index-url=`, `far @ git+https:`. */
const BEFORE_ADDRESS = /^--[\w-]{1,30}=|^\S{1,60} ?@ ?(?=git\+)/

/** Adds the names in one command. Unless `isSure`, the words count as a command only if the program is known. */
export const addInvocation = (
  command: readonly string[],
  line: number,
  found: FoundNames,
  isSure = true,
): void => {
  const all = command.map((word, at) => (at < 2 ? word.replace(BIN, '') : word))
  const words = withoutLeading(all)
  const [name = '', next = '', then] = words
  for (const path of findOutside(words)) found.add('outside', path, line)
  for (const word of words)
    if (word.startsWith('~')) found.add('outside', readOutside(word), line, { onlyNamed: true })
  const isFormula = /^[+*/=]$|->$/.test(next) || (/^--?$/.test(next) && !isSure)
  const isOfProject = OF_PROJECT.test(name) && !found.modules.has(name.replace(/^.*\//, ''))
  if (EVERYWHERE.has(name) || isFormula || !(isOfProject || PROGRAM_NAME.test(name))) return
  if (PLACEHOLDER_COMMAND.test(name) || PLACEHOLDER_NAME.test(name)) return
  // In prose, an install command without a package is only mentioned.
  if (!isSure && (!isKnown(name, found) || isBareInstall(words))) return
  const specified = all.filter((word) => /^(?:jsr|npm):/.test(word))
  const packages = [
    ...listPackages(words),
    ...listWith(words),
    ...specified.flatMap((word) => readPackage(word, 'npm') ?? []),
  ]
  if (all[0] === 'sudo') {
    found.add('outside', 'sudo', line)
    for (const installed of packages) installed.machineWide = true
  }
  if (!name.startsWith('Install-')) found.add('commands', name, line)
  addPackages(packages, line, found)
  const isServer = next === 'mcp' && then === 'add'
  if (isServer) addServer(words.slice(3).find(isArgument) ?? '', line, found)
  const program = next === '-m' ? then : name
  if (isServer || CALLERS.has(program ?? ''))
    for (const word of words) found.addHost(word.replace(BEFORE_ADDRESS, ''), line)
  for (const host of NETWORK.has(name) ? listTargets(words) : []) found.add('hosts', host, line)
  const login = findLogin(words)
  if (login) found.add('accounts', login.command, line, { service: login.service })
}

const PROMPT = /^[ \t]{0,8}\$ /

/** Drops output: if some lines have a prompt, all other lines are output. */
const withoutOutput = (text: string): string => {
  const lines = text.split('\n')
  if (!lines.some((line) => PROMPT.test(line))) return text
  return lines.map((line) => (PROMPT.test(line) ? line.replace(PROMPT, '') : '')).join('\n')
}

/** A `|` between words without spaces, which separates alternatives: `--format=json|text`. */
const CHOICE = /(?<=[\w\]])\|(?=[\w[])/g
/** A placeholder: `<name>`, `<name; see below>`. */
const BLANK = /<([A-Za-z][^<>\n&"'`$]{0,80}(?<! ))>/g
/** A `;` in the value of an option: `--format=one;two`. */
const IN_VALUE = /(?<=[ \t]-[^\s=;'"]{1,40}=[^\s;'"]{1,80});(?=\w)/g
/** The address of a script that is downloaded and run unseen. */
const FETCHED = String.raw`[^\n|;]{0,200}?(https?:[^\s"'|)]{4,200})`
const PIPED = [
  String.raw`\b(?:curl|wget|irm|iwr) ${FETCHED}[^\n|;]{0,99}\| ?(?:sudo (?:-E )?)?(?:(?:ba|z)?sh|iex)\b`,
  String.raw`\bsh -c "\$\(curl ${FETCHED}`,
].map((pattern) => new RegExp(pattern, 'g'))

/** A command of PowerShell that calls an address. */
const FETCHES =
  /\b(?:i[rw][mr]|Invoke-(?:WebRequest|RestMethod)) [^\n|;]{0,200}?(https?:[^\s"'|)]{4,200})/gi

/** Adds the hosts that PowerShell calls. */
export const addFetched = (text: string, first: number, found: FoundNames): void => {
  const lineAt = countLines(text, first)
  for (const { 1: address = '', index } of text.matchAll(FETCHES))
    found.addHost(address, lineAt(index))
}

const SETTING = /^(?:export )?[A-Z]\w*=(?:"[^"]*"|'[^']*'|[^\s"';&|]*)(?:\s*#.*)?$/

/** Whether every line assigns a variable, as in a settings file. */
export const isSettings = (text: string): boolean => {
  const lines = text.split('\n').map((line) => line.trim())
  const settings = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return settings.length > 0 && settings.every((line) => SETTING.test(line))
}

/** How to read a shell text. */
export interface ShellPlace {
  /** Line of the file where the text starts. */
  line: number
  /** Whether the text is certainly shell code. */
  isStated: boolean
  /** Whether it is a program of the skill. */
  isScript?: boolean
}

/** A program. */
export interface Code {
  text: string
  language: string
  /** Line of the file where it starts. */
  line: number
  /** Variables that are given to it. */
  given?: ReadonlySet<string>
}

/** All words of a shell text, which can be paths, and the code that it passes to interpreters. */
interface ShellText {
  words: string[]
  programs: Code[]
}

const INTERPRETER = /^(?:python3?|node|bun|deno|(?:ba|z)?sh)$/
/** The folder of files by which Bash calls a host: `/dev/tcp/get-fast.top/80`. */
const CONNECTIONS = /^\/dev\/(?:tcp|udp)\//

/** The code that a command passes to an interpreter, after `-c` or `-e` or in a here-document. */
const readProgram = (
  words: readonly string[],
  { redirects }: Command,
): { language: string; text: string } | undefined => {
  const [language = '', option = '', code] = withoutLeading(
    words.map((word) => word.replace(BIN, '')),
  )
  if (!INTERPRETER.test(language)) return undefined
  const here = redirects.find(({ type }) => type === 'HereDoc')
  if (here?.type === 'HereDoc') return { language, text: here.body.text }
  return code !== undefined && /^-l?[ce]$/.test(option) ? { language, text: code } : undefined
}

/** A variable in a word, perhaps with a default. */
const EXPANSION = /\$\{(\w{1,60})(?::?[-=]([^${}]{0,200}))?\}|\$(\w{1,60})/g

/** Replaces variables whose values are known. */
const expand = (word: string, values: ReadonlyMap<string, string>): string =>
  word.includes('$')
    ? word.replace(EXPANSION, (all, name: string, other?: string, plain = name) => {
        return plain === 'HOME' ? '~' : (values.get(plain) ?? other ?? all)
      })
    : word

/** A comment after `#` or `//`, up to 300 characters. */
export const COMMENT = /(?:^|[ \t])(?:#|\/\/)[ \t!]?(.{0,300})/gm
/** Variables with the address of a service. */
const OF_ADDRESS = /_(?:URL|URI|HOST|ENDPOINT)$/

/** Reads a shell text. If it does not parse or is not certainly shell code, only known programs count as commands. */
export const readShell = (source: string, place: ShellPlace, found: FoundNames): ShellText => {
  if (source.length > SHELL_LIMIT) found.isPartial = true
  const text = withoutOutput(source.slice(0, SHELL_LIMIT))
    .replace(CHOICE, '/')
    .replace(IN_VALUE, ',')
    .replace(BLANK, (_, name: string) => `‹${name.replace(/[^\w-]/g, '_')}›`)
  const lineAt = countLines(text, place.line)
  const areSettings = isSettings(text)
  const result: ShellText = { words: [], programs: [] }
  const assigned = new Set<string>()
  const values = new Map<string, string>()
  const read: [name: string, line: number][] = []
  let isSure = place.isStated
  const readCommand = (command: Command): void => {
    const { name, suffix, prefix, redirects, pos } = command
    const line = lineAt(pos)
    const written = [name, ...suffix].flatMap((word) => (word?.type === 'Word' ? word.value : []))
    const words = written.map((word) => expand(word, values))
    result.words.push(...words)
    const program = readProgram(words, command)
    if (program) {
      const names = prefix.flatMap((word) => (word.type === 'Assignment' ? (word.name ?? []) : []))
      result.programs.push({ ...program, line, given: new Set(names) })
    }
    if (words[0] === 'read') for (const variable of words.slice(1)) assigned.add(variable)
    addInvocation(words, line, found, isSure)
    if (place.isScript && !EVERYWHERE.has(words[0] ?? ''))
      for (const word of words) found.addHost(word, line)
    const isSet = areSettings || words[0] === 'export'
    for (const word of words[0] === 'export' ? suffix : prefix)
      // The user need not set a computed value, nor one that a command has.
      if (word.type === 'Assignment' && !word.text.includes('$'))
        if (isSet || (words.length > 0 && isSecret(word.name))) found.addVariable(word.name, line)
    for (const redirect of redirects)
      if (redirect.type === 'Redirect') {
        const path = expand(redirect.target?.value ?? '', values)
        found.addHost(path.replace(CONNECTIONS, 'tcp://'), line)
        if (redirect.operator.startsWith('>')) addInvocation(['tee', path], line, found)
      }
  }
  const readAssignment = ({ name, value }: Assignment): void => {
    assigned.add(name)
    if (!areSettings) found.defined.add(name)
    const words = value.type === 'Word' ? [value] : value.elements
    const plain = words.map((word) => expand(word.value, values))
    // A script's option can change the value; its default is a good guess.
    if (value.type === 'Word' && /^[^\s$`]{1,200}$/.test(plain[0]!)) values.set(name, plain[0]!)
    if (place.isScript) for (const word of plain) found.addHost(word, lineAt(value.pos))
  }
  const visit = (node: SyntaxNode, depth: number): void => {
    if (node.type === 'HereDoc' || depth > DEPTH_LIMIT) return
    if (node.type === 'Command') readCommand(node)
    else if (node.type === 'Function') found.defined.add(node.name.value)
    else if (node.type === 'For' || node.type === 'Select') {
      assigned.add(node.name.value)
      for (const { value } of node.wordlist ?? []) found.addHost(value, lineAt(node.pos))
    } else if (node.type === 'SimpleExpansion') read.push([node.text.slice(1), lineAt(node.pos)])
    else if (node.type === 'ParameterExpansion') {
      // A default value shows that the user can set the variable.
      const isOptional = node.operation?.type === 'Default' && !assigned.has(node.parameter)
      if (isOptional && isSure) found.addVariable(node.parameter, lineAt(node.pos))
      else read.push([node.parameter, lineAt(node.pos)])
    }
    forEachChild(node, (child) => visit(child, depth + 1))
    if (node.type === 'Assignment') readAssignment(node)
  }
  for (const { 1: comment = '', index } of text.matchAll(COMMENT))
    found.addSecrets(comment, lineAt(index + 1))
  for (const pattern of PIPED)
    for (const { 1: address = '', index } of text.replaceAll('\\\n', '  ').matchAll(pattern)) {
      found.add('outside', `a program of ${readHost(address) ?? 'a host'}`, lineAt(index))
    }
  try {
    const script = parse(text)
    isSure &&= (script.errors?.length ?? 0) === 0
    visit(script, 0)
  } catch (error) {
    // Deeply nested functions exhaust the parser's stack.
    if (!(error instanceof RangeError)) throw error
  }
  addFetched(text, place.line, found)
  for (const [name, line] of read.filter(([variable]) => !assigned.has(variable)))
    if (place.isScript || isSecret(name)) found.addVariable(name, line)
    else if (isSure && OF_ADDRESS.test(name)) found.addPossible(name, line)
  return result
}

const FIRST_PROGRAM =
  /^(?!make sure\b|\w+ (?:error|ERR!|warn)\b)(?:\$ |sudo |bash |command -v |which )?([a-z][\w.+-]{0,39}|Install-\w{1,30})(?: |$)/

/** Commands that are recognized even for an unknown program: `sort-shelf --version`, `vendor/bin/phpunit`, `./gradlew x`. */
const PLAIN = [
  /^(?!api )[a-z][\w-]{1,39} --(?:version|help)$/,
  /^(?:\.\/)?(?:(?:vendor|\.?venv|node_modules)\/\.?)?bin\/(?!(?:app|dev|server|main|start)\b)[\w-]{2,40}(?: |$)/,
  /^\.\/(?:[\w-]{2,40} |(?:scripts?|tools?|ci)\/[\w-]{2,40}(?: |$))/,
  /^(?:i[rw][mr]|Invoke-(?:WebRequest|RestMethod)) /,
]

export const isPlainCommand = (text: string): boolean => PLAIN.some((pattern) => pattern.test(text))

/** Whether a text starts with a known program and has at least one argument. */
export const isCommand = (text: string, found: FoundNames): boolean =>
  text.includes(' ') && isKnown(FIRST_PROGRAM.exec(text)?.[1] ?? '', found)
