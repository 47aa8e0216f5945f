import type { Need, Needs } from './needs/found.ts'

/**
 * Kinds of things that a skill uses on a machine, as rows and filters name them. `unknown`: SKILL.md or a program was not
 * read whole, so it may use any.
 */
const TOUCHES = ['unasked', 'commands', 'key', 'login', 'outside', 'hosts', 'unknown'] as const

export type Touch = (typeof TOUCHES)[number]

/** Front matter tools that run commands, with the commands that they allow. */
const SHELL = /^(?:Bash|Shell|PowerShell)\b(?:\((.*)\))?/is

export const ANY_COMMAND = 'any command'

/**
 * A first word with a colon before the last one, as in `npx:checkly:*`. Authors mean a space; a client that takes it
 * literally finds no such command.
 */
const COLON = /^(?![a-z]:[\\/])[^\s:]+(?::[^\s:]+)+(?=\s|$)/i

/** The command that a front matter tool allows without asking the user; undefined if the tool runs no commands. */
export const readGrant = (tool: string): string | undefined => {
  const [found, inside = ''] = SHELL.exec(tool) ?? []
  if (found === undefined) return undefined
  const command = inside.replace(/[:*\s]+$/, '').trim()
  return command.replace(COLON, (word) => word.replaceAll(':', ' ')) || ANY_COMMAND
}

/** Whether an account is a login that tells its service: of an unknown program, only its own name is known. */
export const tellsService = ({ name, service }: Need): boolean =>
  service !== undefined && service !== name.split(' ', 1)[0]

const CHECKS: Readonly<Record<Touch, (needs: Needs) => boolean>> = {
  unasked: ({ tools, unasked }) =>
    unasked.length > 0 || tools.some(({ name }) => readGrant(name) !== undefined),
  commands: ({ commands }) => commands.length > 0,
  key: ({ accounts }) => accounts.some(({ service }) => service === undefined),
  login: ({ accounts }) => accounts.some(({ service }) => service !== undefined),
  outside: ({ outside }) => outside.some(({ onlyNamed }) => !onlyNamed),
  hosts: ({ hosts, servers, accounts }) =>
    hosts.length > 0 || servers.length > 0 || accounts.some(tellsService),
  unknown: ({ isPartial }) => isPartial,
}

/** Lists the kinds of things that a skill uses. */
export const listTouches = (needs: Needs): Touch[] =>
  TOUCHES.filter((touch) => CHECKS[touch](needs))
