import type { Given, Option } from './arguments.ts'

/** Where a command writes and what it knows of the world: the rim, given by main. */
export interface Surroundings {
  print: (text: string) => void
  /** Where progress is drawn. */
  stderr: { write: (text: string) => unknown; isTTY?: boolean | undefined }
  /** Today as YYYY-MM-DD, UTC. */
  today: string
}

/** One command of `npm run catalog`: how it is called, and what it does. */
export interface Command {
  name: string
  usage: string
  /** One line for the list of commands. */
  summary: string
  /** Paragraphs of its own help. */
  help: readonly string[]
  options: Readonly<Record<string, Option>>
  run: (given: Given, surroundings: Surroundings) => Promise<void>
}

/** Every command by its name, in the order the help shows them; one that runs loads no other. */
export const COMMANDS = {
  import: async () => (await import('./import/command.ts')).importCommand,
  explain: async () => (await import('./explain/command.ts')).explainCommand,
  stats: async () => (await import('./stats/command.ts')).statsCommand,
  families: async () => (await import('./families/command.ts')).familiesCommand,
  why: async () => (await import('./why/command.ts')).whyCommand,
  lint: async () => (await import('./lint/command.ts')).lintCommand,
  verify: async () => (await import('./verify/command.ts')).verifyCommand,
  counters: async () => (await import('./counters/command.ts')).countersCommand,
  retire: async () => (await import('./retire/command.ts')).retireCommand,
  move: async () => (await import('./retire/command.ts')).moveCommand,
} as const satisfies Record<string, () => Promise<Command>>

/** Loads every command, in order. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()))
