import type { Language } from '../language.ts'
import { TO_FILL } from './tables.ts'

/**
 * The kinds of names: `missing` are files that a skill does not bring, `accounts` logins and keys, `outside` what is
 * installed for the whole machine or written outside of the project, `tools` those that its front matter asks for.
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
  'tools',
  'skills',
] as const
export type NeedKind = (typeof KINDS)[number]

/** Facts about a name besides the place where it was read first. */
export interface Marks {
  /** Stated in front matter or a manifest; else it was seen in code, a shell line or a link. */
  declared?: true | undefined
  /** Stated as required, or a command that the SKILL.md itself runs. */
  required?: true | undefined
  /** Of a package, and of one in `outside`: its registry. */
  from?: string | undefined
  /** Of a package: installed for the whole machine. */
  machineWide?: true | undefined
  /** Of a variable: its value is a key, a token or a password. */
  secret?: true | undefined
  /** Of an account, whose name is a variable, a command that logs in, or one that needs that. */
  service?: string | undefined
  /** Of a path outside of the project: named, and written by no line that was read. */
  onlyNamed?: true | undefined
  /** Of a skill: it can only be a skill, whether or not a registry has it. */
  certain?: true | undefined
}

export interface Need extends Marks {
  name: string
  file: string
  /** From 1. */
  line: number
}

/** The names in a skill's files, each once, in the order of the text. */
export type Needs = Readonly<Record<NeedKind, readonly Need[]>> & {
  /** How many names of a kind are left out, where there are too many. */
  more?: Partial<Record<NeedKind, number>>
  /** What calls hosts, where it was read first. Those it calls may be named nowhere. */
  client?: Need | undefined
  /** Programs that were not read: too large, or in a language that no reader here knows. */
  unread: readonly string[]
  /** How many files can be run. */
  programs: number
  /** As the front matter states them. */
  version?: string | undefined
  compatibility?: string | undefined
  /** The language of the text, if its letters show that it is not English. */
  language?: Language | undefined
}

/** Another skill that a text names; without a slug, the catalog does not have it. */
export interface Mention extends Need {
  slug?: string
}

/** A name as one text, a package with its registry: `requests (PyPI)`. */
export const nameNeed = ({ name, from }: Need): string => (from ? `${name} (${from})` : name)

/** No reader wants more of one kind; so many are counted. */
const NAMES_LIMIT = 200
const COUNT_LIMIT = 5_000

/** Variables that clients and systems fill in themselves, and such that a reader renames. */
const NO_VARIABLE =
  /^(?:BASH|ZSH|CLAUDE_(?:PLUGIN|PROJECT|SKILL|SESSION|EFFORT)|SKILL|XDG|LC|RUNNER|GITHUB_(?!TOKEN|PAT))_|_(?:HERE|X+)$/
const VARIABLE = /^[A-Z][A-Z0-9_]{0,40}_[A-Z0-9_]{1,40}$/
/** Errors and columns of tables. */
const NO_SECRET =
  /^(?:INVALID|EXPIRED|MISSING|REVOKED|UNKNOWN|DUPLICATE|PRIMARY|FOREIGN|PARTITION|SORT)_|PUBLIC_KEY$/
/** Secrets that a project makes for itself, which are of no account. */
const OWN_SECRET =
  /^(?:JWT|SESSION|COOKIE|CSRF|SIGNING|ENCRYPTION|NEXTAUTH|BETTER_AUTH|TEST|E2E|MASTER|HASH|SSH|GPG|TLS|SSL)_|^(?:AUTH|APP|DJANGO|FLASK)_SECRET(?:_KEY)?$|^(?:APP|SECRET|PRIVATE)_KEY$/
const SECRET = /(?:^|_)(?:KEYS?|TOKENS?|SECRETS?|PASSWORD|PASS|PAT|DSN|CREDENTIALS)(?:_BASE64)?$/
/** Names of the same program. */
const SAME: Readonly<Record<string, string>> = { python3: 'python', pip3: 'pip' }

export const isSecret = (variable: string): boolean =>
  SECRET.test(variable) && !NO_SECRET.test(variable)

/** Tells the line of each position of a text; asked in their order it reads the text once. */
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

/** The key by which two names are the same: registries do not distinguish `_` and `-`. */
const keyOf = (kind: NeedKind, name: string, { from, service }: Marks): string =>
  kind === 'packages'
    ? `${name.toLowerCase().replace(/[_.]/g, '-')} ${from}`
    : (service ?? `${SAME[name] ?? (kind === 'servers' ? name.toLowerCase() : name)} ${from ?? ''}`)

/** Collects names. `file` is the one that is being read. */
export class FoundNames {
  file = ''
  /** What calls hosts. */
  client: Need | undefined
  /** What the skill itself is called. */
  readonly names: readonly string[]
  /** Whether it has a proper name, as the others of its repository then have, too. */
  readonly hasProperName: boolean
  /** Functions and variables that the skill itself makes. */
  readonly own = new Set<string>()
  /** Variables that stand in a text with a value, and are asked for unless the skill itself makes them. */
  readonly given = new Map<string, Pick<Need, 'file' | 'line'>>()
  /** Names with hyphens in pieces of code; a module `far_shelf` is of the package `far-shelf` where that is one. */
  readonly hyphened = new Set<string>()
  readonly #names = new Map<NeedKind, Map<string, Need>>(KINDS.map((kind) => [kind, new Map()]))

  constructor(names: readonly string[]) {
    this.names = names
    this.hasProperName = names.some((name) => /^[A-Z][a-z]+$/.test(name))
  }

  add(kind: NeedKind, name: string | undefined, line: number, marks: Marks = {}): void {
    if (name === undefined || name === '') return
    const names = this.#names.get(kind)!
    const key = keyOf(kind, name, marks)
    let known = names.get(key)
    // The command that logs in says more than one that needs it.
    if (known && kind === 'accounts' && name.startsWith(`${known.name} `)) known = undefined
    if (known?.onlyNamed && !marks.onlyNamed) known = undefined
    // Where nothing else can be meant tells more than where it may be.
    if (known && marks.certain && !known.certain) known = undefined
    if (known) Object.assign(known, marks, { onlyNamed: known.onlyNamed })
    else if (names.size < COUNT_LIMIT) names.set(key, { name, file: this.file, line, ...marks })
  }

  addClient(name: string, line: number): void {
    this.client ??= { name, file: this.file, line }
  }

  has(kind: NeedKind, name: string): boolean {
    return this.#names.get(kind)!.has(keyOf(kind, name, {}))
  }

  addVariable(name: string, line: number, marks: Marks = {}): void {
    if (!VARIABLE.test(name) || NO_VARIABLE.test(name) || TO_FILL.test(name)) return
    const secret = isSecret(name) || undefined
    this.add('variables', name, line, secret ? { ...marks, secret } : marks)
    if (secret && !OWN_SECRET.test(name)) this.add('accounts', name, line)
  }

  #nameOfModule(name: string): string {
    const other = name.replaceAll('_', '-')
    return this.hyphened.has(other) ? other : name
  }

  /** All names but those of the skill itself. */
  list(): Pick<Needs, NeedKind | 'more' | 'client'> {
    for (const [name, { file, line }] of this.given) {
      this.file = file
      if (!this.own.has(name)) this.addVariable(name, line)
    }
    const isOwn: Partial<Record<NeedKind, (name: string) => boolean>> = {
      skills: (name) => this.names.includes(name),
      commands: (name) => this.own.has(name),
    }
    const more: Partial<Record<NeedKind, number>> = {}
    const lists = Array.from(this.#names, ([kind, names]) => {
      const all = [...names.values()].filter(({ name }) => !isOwn[kind]?.(name))
      if (kind === 'packages') for (const one of all) one.name = this.#nameOfModule(one.name)
      if (all.length > NAMES_LIMIT) more[kind] = all.length - NAMES_LIMIT
      return [kind, all.slice(0, NAMES_LIMIT)]
    })
    const found = Object.fromEntries(lists) as Record<NeedKind, Need[]>
    return { ...found, client: this.client, ...(Object.keys(more).length > 0 ? { more } : {}) }
  }
}
