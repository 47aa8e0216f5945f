import type { Given, Option } from './arguments.ts'
import { countersCommand } from './counters/command.ts'
import { explainCommand } from './explain/command.ts'
import { familiesCommand } from './families/command.ts'
import { importCommand } from './import/command.ts'
import { lintCommand } from './lint/command.ts'
import { moveCommand, retireCommand } from './retire/command.ts'
import { statsCommand } from './stats/command.ts'
import { verifyCommand } from './verify/command.ts'
import { whyCommand } from './why/command.ts'

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

/** Every command, in the order the help shows them. */
export const COMMANDS: readonly Command[] = [
  importCommand,
  explainCommand,
  statsCommand,
  familiesCommand,
  whyCommand,
  lintCommand,
  verifyCommand,
  countersCommand,
  retireCommand,
  moveCommand,
]
