import type { Language } from '../language.ts'
import { judgeAddresses } from '../safety/hosts.ts'
import { PACKAGE_OF_MODULE, PLACEHOLDER_NAME, RISKY } from './tables.ts'
import { isLocal, readHost } from './traces.ts'

/**
 * The kinds of names. `missing`: files that the skill names but does not include. `accounts`: logins and keys.
 * `outside`: installations, and paths outside the project. `clients`: for each client, the
 * first name in SKILL.md that only this client has. `tools`: from the front matter.
 * `unasked`: what a client runs, starts or allows by itself, such as a hook.
 */
export const KINDS = [
  'missing',
  'commands',
  'packages',
  'variables',
  'hosts',
  'servers',
  'accounts',
  'outside',
  'systems',
  'clients',
  'tools',
  'unasked',
  'skills',
] as const
export type NeedKind = (typeof KINDS)[number]

/** Facts about a name, besides its first place. */
export interface Marks {
  /** The front matter lists it as required. */
  required?: true | undefined
  /** Registry of a package; `imported` for a module of Python, whose package only an installation tells. */
  from?: string | undefined
  /** The package is installed for the user or the whole machine. */
  machineWide?: true | undefined
  /** The variable's value is a key, a token or a password. */
  secret?: true | undefined
  /** Of an account: the service; the name is then the command that logs in or needs a login. Of `clients`: the client. */
  service?: string | undefined
  /** The path outside the project is only named; no command writes it. */
  onlyNamed?: true | undefined
  /** The name can only be a skill, whether or not the catalog has it. */
  certain?: true | undefined
}

export interface Need extends Marks {
  name: string
  file: string
  /** 1-based. */
  line: number
}

/** The names in a skill's files, each once: first the risky ones, then the required ones, in text order. */
export type Needs = Readonly<Record<NeedKind, readonly Need[]>> & {
  /** Number of names of a kind beyond the limit, which are left out. */
  more?: Partial<Record<NeedKind, number>>
  /** The first call of a program on the same machine, such as `http://localhost:3000`. */
  local?: Need | undefined
  /** Files that were not read, or only in part: data, pictures, and what is too large. */
  unread: readonly string[]
  /** Whether SKILL.md or a program was not read, or only in part. */
  isPartial: boolean
  /** Number of files that can be run. */
  programs: number
  /** As stated in the front matter. */
  version?: string | undefined
  compatibility?: string | undefined
  /** Language of SKILL.md, if its letters show that it is not English. */
  language?: Language | undefined
}

/** Another skill that a text names; the slug is absent if the catalog does not have the skill. */
export interface Mention extends Need {
  slug?: string
}

/** A name as text, with the registry of a package: `requests (PyPI)`. */
export const nameNeed = ({ name, from }: Need): string => (from ? `${name} (${from})` : name)

/** The name of calls that stay on the machine. */
const LOCAL = 'this machine'

/** Packages that are known by a module with another name. */
const OF_RENAMED = new Set(PACKAGE_OF_MODULE.values())

/** Maximum number of names of one kind that are listed. */
const NAMES_LIMIT = 200
/** Maximum number of names of one kind that are collected, and so counted in `more`. */
const COUNT_LIMIT = 5_000

/** Variables that clients and systems set themselves, and placeholders. */
const NO_VARIABLE =
  /^(?:BASH|ZSH|CLAUDE_(?:PLUGIN|PROJECT|SKILL|SESSION|EFFORT)|SKILL|XDG|LC|RUNNER|GITHUB_(?!TOKEN|PAT))_|_(?:HERE|X+)$/
const VARIABLE = /^[A-Z][A-Z0-9_]{0,40}_[A-Z0-9_]{1,40}$/
/** Error codes and table columns, which look like secrets. */
const NO_SECRET =
  /^(?:INVALID|EXPIRED|MISSING|REVOKED|UNKNOWN|DUPLICATE|PRIMARY|FOREIGN|PARTITION|SORT)_|(?:PUBLIC|PARTITION|SORTING|ENGINE_PRIMARY)_KEY$/
/** Secrets that a project generates for itself; they belong to no account. */
const OWN_SECRET =
  /^(?:JWT|SESSION|COOKIE|CSRF|SIGNING|ENCRYPTION|NEXTAUTH|BETTER_AUTH|TEST|E2E|MASTER|HASH|SSH|GPG|TLS|SSL)_|^(?:AUTH|APP|DJANGO|FLASK)_SECRET(?:_KEY)?$|^(?:APP|SECRET|PRIVATE)_KEY$/
const SECRET =
  /(?:^|_)(?:KEYS?|TOKENS?|SECRETS?|PASSWORD|PASS|PAT|DSN|CREDENTIALS|CONNECTION_STRING)(?:_BASE64)?$/
/** A name of a variable in plain words. */
const IN_WORDS = /(?<![\w$.`{/-])[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,6}\b/g
/** Words that forbid or deny what follows in their part of a sentence, take it away, or find fault with it. */
const DENIES = new RegExp(
  `(?:❌|🚫|\\b(?:wrong|bad|incorrect)\\W{0,4}:|\\b(?:${[
    "(?:not|never|\\w{2,6}n['’]t)(?! (?:only|just|forget|skip|omit|installed|found)\\b)",
    'without|cannot|avoid(?:s|ing)?|forbid\\w{0,6}|instead of|rather than|no(?! longer)(?= )',
    '(?:remov|delet|renam|replac|unset|drop)(?:e|es|s|ed|ing)?|(?:blank|empty)(?=\\W*$)|deprecated|old|former(?:ly)?|legacy|unsupported',
    '(?:adapted|derived|ported|forked) from|like',
    'flags?|leak\\w{0,3}|hard-?cod\\w{1,3}|audited|malicious|vulnerable',
  ].join('|')})\\b)(?:[^.;:,!?|✅]|\\.\\w|(?<=[\`*]), ?(?=[\`*]|(?:and|or) |$))*$`,
  'i',
)
/** What alone in a heading or a line says that the wrong way follows. */
const WRONG =
  /❌|🚫|\banti-?patterns?\b|^\W*(?:wrong|bad|incorrect|never|don['’]t|do not|avoid|instead of)(?: (?:do|use|this|that|these|way|examples?|practices?)){0,2}\**(?: ?[-:—–(].*|\W*)$/i
/** Words that show the right way. */
const RIGHT = /✅|✓|\b(?:right|correct|good|better|instead(?! of))\b/i
/** Words after which a sentence gives only examples. */
const EXEMPLIFIES = /\b(?:examples?\b|e\.g\.|such as\b|for instance\b)(?:[^.;!?|]|\.\w)*$/i
/** Other names of the same program. */
const SAME: Readonly<Record<string, string>> = { python3: 'python', pip3: 'pip' }

export const isSecret = (variable: string): boolean =>
  SECRET.test(variable) && !NO_SECRET.test(variable)

/** The text before a position that can say what comes: 120 characters. */
export const lastWords = (text: string, end: number): string =>
  text.slice(Math.max(0, end - 120), end)

/** Whether a name at a position is only an example. */
export const isExample = (text: string, at = text.length): boolean =>
  EXEMPLIFIES.test(text.slice(Math.max(0, at - 250), at))

/** Whether the words before a position deny that what follows is needed, or give it as an example. */
export const isDenied = (text: string, end = text.length): boolean =>
  DENIES.test(lastWords(text, end)) || isExample(text, end)

/** Whether words introduce the right way. */
export const saysRight = (words: string): boolean => RIGHT.test(words)

/** Whether words introduce what is shown as the wrong way. */
export const saysWrong = (words: string): boolean =>
  words.length <= 300 && WRONG.test(words) && !saysRight(words)

/** Returns a function that finds the line of a position. Ascending positions read the text only once. */
export const countLines = (text: string, first: number): ((position: number) => number) => {
  let [line, at] = [first, 0]
  return (position) => {
    if (position < at) [line, at] = [first, 0]
    let end = text.indexOf('\n', at)
    while (end >= 0 && end < position) {
      line += 1
      at = end + 1
      end = text.indexOf('\n', at)
    }
    return line
  }
}

/** What a package of PyPI can have in its name besides that of its module: `scvi-tools`. */
const OF_MODULE = /^(?:apache-|py(?=\w))|-(?:sdk|client|tools?|toolkit|lang|api|cu\d+|cuda\w+)$/g
/** A key that is the same for equal names; registries do not distinguish `_`, `.` and `-`, and texts write a path in several ways. */
const keyOf = (kind: NeedKind, name: string, { from, service }: Marks): string => {
  if (kind === 'missing') return name.split('/').slice(-2).join('/')
  return kind === 'packages'
    ? `${name.toLowerCase().replace(/[_.]/g, '-')} ${from}`
    : (service ??
        `${SAME[name] ?? (kind === 'servers' ? name.toLowerCase().replaceAll(' ', '-') : name)} ${from ?? ''}`)
}

type Named = Marks & { name: string }

/** `SHELF` of `SHELF_URL`. */
const firstPart = ({ name }: Pick<Need, 'name'>): string => name.split('_', 1)[0]!

/** Names that stand first in their list, so that no limit cuts them before others. */
const RISKS: Partial<Record<NeedKind, (need: Named) => boolean>> = {
  commands: ({ name }) => RISKY.has(name),
  packages: ({ machineWide }) => machineWide === true,
  variables: ({ secret }) => secret === true,
  hosts: ({ name }) => !/^(?:trusted|installer)$/.test(judgeAddresses(`http://${name}`)),
  outside: ({ onlyNamed }) => !onlyNamed,
  tools: ({ name }) => /^(?:Bash|Shell|PowerShell)\b/i.test(name),
}

const isRisky = (kind: NeedKind, need: Named): boolean => RISKS[kind]?.(need) ?? false

/** Names of modules that the skill includes: its files and folders. */
const listModules = (paths: readonly string[]): Set<string> =>
  new Set(paths.flatMap((path) => path.split('/').map((part) => part.replace(/\.\w+$/, ''))))

/** Collects names. */
export class FoundNames {
  /** The file that is being read. */
  file = ''
  /** The first call of a program on the same machine. */
  local: Need | undefined
  /** Whether SKILL.md or a program was not read, or only in part. */
  isPartial = false
  readonly names: readonly string[]
  /** Modules that the skill includes. */
  readonly modules: ReadonlySet<string>
  /** Functions and variables that the skill itself defines. */
  readonly defined = new Set<string>()
  /** Documents without a folder that the skill itself writes. */
  readonly written = new Set<string>()
  /** Variables that count unless the skill itself defines them; a sibling, only beside another of its first part. */
  readonly #possible = new Map<string, Pick<Need, 'file' | 'line'> & { isSibling: boolean }>()
  /** Packages of imported modules; a package that is named otherwise tells more. */
  readonly #imported: Need[] = []
  readonly #names = new Map<NeedKind, Map<string, Need>>(KINDS.map((kind) => [kind, new Map()]))

  /** `names` are the skill's own names, and `paths` its files. */
  constructor(names: readonly string[], paths: readonly string[]) {
    this.names = names
    this.modules = listModules(paths)
  }

  add(kind: NeedKind, name: string | undefined, line: number, marks: Marks = {}): void {
    if (name === undefined || name === '') return
    const names = this.#names.get(kind)!
    const key = keyOf(kind, name, marks)
    let known = names.get(key)
    // A command that logs in is more informative than a command that needs a login.
    if (known && kind === 'accounts' && name.startsWith(`${known.name} `)) known = undefined
    if (known?.onlyNamed && !marks.onlyNamed) known = undefined
    // A place where the name can only be a skill is better evidence than another place.
    if (known && marks.certain && !known.certain) known = undefined
    if (known) Object.assign(known, marks, { onlyNamed: known.onlyNamed })
    else if (names.size < COUNT_LIMIT * (isRisky(kind, { name, ...marks }) ? 2 : 1))
      names.set(key, { name, file: this.file, line, ...marks })
  }

  /** Gives the names of a line the first of the lines from there on that has them: a folded text has several lines. */
  spread(from: number, lines: readonly string[]): void {
    for (const names of this.#names.values())
      for (const need of names.values())
        if (need.file === this.file && need.line === from)
          need.line += Math.max(
            0,
            lines.findIndex((line) => line.includes(need.name)),
          )
  }

  /** Adds the host of an address, if it has one. */
  addHost(address: string, line: number, marks: Marks = {}): void {
    if (address === '') return
    this.add('hosts', readHost(address), line, marks)
    if (isLocal(address)) this.local ??= { name: LOCAL, file: this.file, line }
  }

  has(kind: NeedKind, name: string): boolean {
    return this.#names.get(kind)!.has(keyOf(kind, name, {}))
  }

  addVariable(name: string, line: number, marks: Marks = {}): void {
    if (!VARIABLE.test(name) || NO_VARIABLE.test(name) || PLACEHOLDER_NAME.test(name)) return
    const secret = isSecret(name) || undefined
    this.add('variables', name, line, secret ? { ...marks, secret } : marks)
    if (secret && !OWN_SECRET.test(name)) this.add('accounts', name, line)
  }

  /** Adds a variable that counts in the end: `SHELF_URL`, as a sibling, only beside one such as `SHELF_KEY`. */
  addPossible(name: string, line: number, isSibling = false): void {
    if (!isSibling || !this.#possible.has(name))
      this.#possible.set(name, { file: this.file, line, isSibling })
  }

  /** Adds the package of an imported module, unless another package with the name of the module counts in the end. */
  addImported(name: string, from: string | undefined, line: number): void {
    if (this.#imported.length < COUNT_LIMIT)
      this.#imported.push({ name, from, file: this.file, line })
  }

  /** Adds the keys that a comment in code names, unless it denies them. */
  addSecrets(words: string, line: number): void {
    for (const { 0: name, index } of words.matchAll(IN_WORDS))
      if (isSecret(name) && !isDenied(words, index)) this.addVariable(name, line)
  }

  /** Lists all names, except the skill's own and short forms. */
  list(): Pick<Needs, NeedKind | 'more' | 'local'> {
    const known = new Set(Array.from(this.#names.get('variables')!.values(), firstPart))
    for (const [name, { file, line, isSibling }] of this.#possible) {
      this.file = file
      if (!this.defined.has(name) && (!isSibling || known.has(firstPart({ name }))))
        this.addVariable(name, line)
    }
    const moduleOf = ({ name, from }: Pick<Need, 'name' | 'from'>): string => {
      const key = keyOf('packages', name, {}).split(' ', 1)[0]!
      return `${from === 'PyPI' ? key.replace(OF_MODULE, '') : key} ${from}`
    }
    const named = new Set(Array.from(this.#names.get('packages')!.values(), moduleOf))
    for (const { name, from, file, line } of this.#imported) {
      this.file = file
      if (!named.has(moduleOf({ name, from })))
        this.add('packages', name, line, {
          from: from === 'PyPI' && !OF_RENAMED.has(name) ? 'imported' : from,
        })
    }
    // A text can shorten the name of a server: `Learn` or `Microsoft` for `Microsoft Learn`.
    const short = new Set(
      [...this.#names.get('servers')!.values()].flatMap(({ name }) =>
        Array.from(name.toLowerCase().matchAll(/ /g), ({ index, input }) => [
          input.slice(index + 1),
          input.slice(0, index),
        ]).flat(),
      ),
    )
    const listNames = (kind: NeedKind): string[] =>
      Array.from(this.#names.get(kind)!.values(), ({ name }) => name)
    const [missing, outside] = [listNames('missing'), listNames('outside')]
    const isOwn: Partial<Record<NeedKind, (name: string, need: Need) => boolean>> = {
      outside: (name, { onlyNamed = false }) =>
        onlyNamed && outside.some((other) => other.startsWith(`${name}/`)),
      skills: (name) => this.names.some((own) => own === name || own.endsWith(`-${name}`)),
      commands: (name) => this.defined.has(name),
      missing: (name) =>
        this.written.has(name) || missing.some((path) => path.endsWith(`/${name}`)),
      servers: (name) => short.has(name.toLowerCase()),
    }
    const more: Partial<Record<NeedKind, number>> = {}
    const lists = Array.from(this.#names, ([kind, names]) => {
      const all = [...names.values()].filter((need) => !isOwn[kind]?.(need.name, need))
      const weigh = (need: Need): number =>
        2 * Number(isRisky(kind, need)) + Number(need.required ?? false)
      all.sort((a, b) => weigh(b) - weigh(a))
      if (all.length > NAMES_LIMIT) more[kind] = all.length - NAMES_LIMIT
      return [kind, all.slice(0, NAMES_LIMIT)]
    })
    const found = Object.fromEntries(lists) as Record<NeedKind, Need[]>
    return { ...found, local: this.local, ...(Object.keys(more).length > 0 ? { more } : {}) }
  }
}
