import type { Needs } from './needs/found.ts'

/** What a skill's files need on a machine, in the few words of rows and filters. */
const TOUCHES = ['unasked', 'commands', 'key', 'login', 'outside', 'hosts'] as const

export type Touch = (typeof TOUCHES)[number]

/** Tools of a front matter that run commands, with the commands that they allow. */
const SHELL = /^(?:Bash|Shell|PowerShell)\b(?:\((.*)\))?/is

export const ANY_COMMAND = 'any command'

/** The command that a tool of the front matter allows without asking; undefined for a tool that runs none. */
export const readGrant = (tool: string): string | undefined => {
  const [found, inside = ''] = SHELL.exec(tool) ?? []
  return found === undefined ? undefined : inside.replace(/[:*\s]+$/, '').trim() || ANY_COMMAND
}

const HAS: Readonly<Record<Touch, (needs: Needs) => boolean>> = {
  unasked: ({ tools }) => tools.some(({ name }) => readGrant(name) !== undefined),
  commands: ({ commands }) => commands.length > 0,
  key: ({ accounts }) => accounts.some(({ service }) => service === undefined),
  login: ({ accounts }) => accounts.some(({ service }) => service !== undefined),
  outside: ({ outside }) => outside.some(({ onlyNamed }) => !onlyNamed),
  hosts: ({ hosts, client }) => hosts.length > 0 || client !== undefined,
}

/** Sums up what its files name. */
export const listTouches = (needs: Needs): Touch[] => TOUCHES.filter((touch) => HAS[touch](needs))
