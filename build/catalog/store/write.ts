import {
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { flushFolder } from '../../site/folders.ts'
import { CommandError } from '../cli/errors.ts'
import { isPlainPath } from './paths.ts'

export const renderRecord = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const UNFINISHED = /^\.tmp-\d+-/

/**
 * Writes a file atomically, even across a power failure; a kill leaves a temporary file in `folder`, on the same disk.
 */
export const writeWhole = (path: string, text: string, folder = dirname(path)): void => {
  const beside = join(folder, `.tmp-${process.pid}-${basename(path)}`)
  // A symlink of this name would be written through.
  rmSync(beside, { recursive: true, force: true })
  writeFileSync(beside, text, { flag: 'wx', flush: true })
  renameSync(beside, path)
  flushFolder(dirname(path))
}

const JOURNAL_FILE = '.catalog.journal'

const path = z.string().refine(isPlainPath, 'must lie in the content folder')

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('write'), path, text: z.string() }),
  z.strictObject({ do: z.literal('rename'), path, to: path }),
  z.strictObject({ do: z.literal('remove'), path }),
])

/** An idempotent change of a content folder; paths are inside it. */
export type Step = z.infer<typeof step>

/** The step that writes a record. */
export const writeStep = (file: string, value: unknown): Step => ({
  do: 'write',
  path: file,
  text: renderRecord(value),
})

const journal = z.strictObject({ steps: z.array(step) })

/** Refuses a path through a symlink, which may lead outside. Throws CommandError. */
const checkWay = (content: string, inside: string): void => {
  const parts = inside.split('/').slice(0, -1)
  for (const at of parts.keys()) {
    const parent = join(content, ...parts.slice(0, at + 1))
    if (lstatSync(parent, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new CommandError(
        `${parent} is a symlink, through which nothing is written: put the folder itself there, and run the command again.`,
      )
    }
  }
}

const applyStep = (content: string, one: Step): void => {
  checkWay(content, one.path)
  if (one.do === 'rename') checkWay(content, one.to)
  const place = join(content, one.path)
  if (one.do === 'write') return writeWhole(place, one.text, content)
  if (one.do === 'remove') rmSync(place, { recursive: true, force: true })
  // A missing source was already renamed before a kill.
  else if (lstatSync(place, { throwIfNoEntry: false })) renameSync(place, join(content, one.to))
  // Steps are flushed in order, before the journal is removed.
  for (const changed of one.do === 'rename' ? [one.path, one.to] : [one.path])
    flushFolder(dirname(join(content, changed)))
}

const readJournal = (place: string): Step[] => {
  try {
    return journal.parse(JSON.parse(readFileSync(place, 'utf8'))).steps
  } catch (error) {
    throw new CommandError(
      `${place} cannot be read, so what a stopped command began cannot be finished: look over the catalog, then remove the file (${(error as Error).name}).`,
    )
  }
}

const finish = (content: string, steps: readonly Step[]): void => {
  for (const one of steps) applyStep(content, one)
  rmSync(join(content, JOURNAL_FILE))
  // A journal that reappears after a power failure would overwrite later changes.
  flushFolder(content)
}

/** Completes the journal of a killed command; call it under the lock. */
export const finishJournal = (content: string): void => {
  for (const name of readdirSync(content).filter((one) => UNFINISHED.test(one))) {
    rmSync(join(content, name), { recursive: true, force: true })
  }
  const place = join(content, JOURNAL_FILE)
  if (existsSync(place)) finish(content, readJournal(place))
}

/**
 * Applies steps in order through a journal, so that the next command completes them after a kill. The catalog must load
 * after each step. Call it under the lock.
 */
export const applySteps = (content: string, steps: readonly Step[]): void => {
  writeWhole(join(content, JOURNAL_FILE), renderRecord({ steps }))
  finish(content, steps)
}
