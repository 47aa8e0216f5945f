import type { ShellNames } from './shell.ts'

const KINDS = [
  'missing',
  'commands',
  'packages',
  'variables',
  'hosts',
  'servers',
  'tools',
  'skills',
] as const
type Kind = (typeof KINDS)[number]

/**
 * What a skill's files name, each name once, in the order of the text: `missing` are files that it does not bring,
 * `tools` those that its front matter asks for, `skills` what may be the slugs of other skills.
 */
export type Needs = Readonly<Record<Kind, readonly string[]>>

/** No reader wants more of one kind. */
const NAMES_LIMIT = 200

/** What clients fill in themselves, and names to be filled in. */
const NO_VARIABLE =
  /^(?:BASH|CLAUDE_(?:PLUGIN|PROJECT|SKILL)|SKILL|YOUR|EXAMPLE|SOME|MY|FOO)_|_(?:HERE|X+)$/
const NO_SERVER =
  /^(?:server(?:-?name)?|name|example|test|\d*)$|^(?:my|your|some|example)[-_]|[<>{}$]/i

/** Collects names. */
export class FoundNames {
  readonly #names = new Map<Kind, Set<string>>(KINDS.map((kind) => [kind, new Set()]))

  add(kind: Kind, name: string | undefined): void {
    const names = this.#names.get(kind)!
    if (name !== undefined && names.size < NAMES_LIMIT) names.add(name)
  }

  addVariable(name: string): void {
    if (name.includes('_') && !NO_VARIABLE.test(name)) this.add('variables', name)
  }

  /** A server is known by its name in small letters too. */
  addServer(name: string): void {
    const isKnown = this.#names.get('servers')!.has(name.toLowerCase())
    if (!isKnown && !NO_SERVER.test(name)) this.add('servers', name)
  }

  addShell({ commands, packages, hosts, servers }: ShellNames): void {
    for (const name of commands) this.add('commands', name)
    for (const name of packages) this.add('packages', name)
    for (const name of hosts) this.add('hosts', name)
    for (const name of servers) this.addServer(name)
  }

  /** All names but those of the skill itself. */
  list(own: readonly string[]): Needs {
    for (const name of own) this.#names.get('skills')!.delete(name)
    const lists = Array.from(this.#names, ([kind, names]) => [kind, [...names]])
    return Object.fromEntries(lists) as Needs
  }
}
