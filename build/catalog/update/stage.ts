import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { askGit, askOwnGit } from '../../machine/checkout.ts'
import { showPath } from '../check/targets.ts'
import { CommandError } from '../cli/command.ts'
import { STATUS, findLack } from '../store/earlier.ts'

/** What a command writes into the curator's own repository, which git shows before it is committed. */
export type Stage = ReturnType<typeof openStage>

/** Whether a file on the disk differs from git's index. */
const isUnstaged = ({ state }: { state: string }): boolean => !state.endsWith(' ')

export const openStage = (content: string) => {
  // Asked when first needed: the folder may not exist before.
  let known: { lack: string | undefined; prefix: string } | undefined
  const ask = () =>
    (known ??= {
      lack: findLack(content),
      prefix: askGit(content, ['rev-parse', '--show-prefix'])?.trim() ?? '',
    })
  const isKept = (): boolean => ask().lack === undefined
  const paths = new Set<string>()
  const faults: string[] = []
  /** Lists changed files below a path: two letters of state, and the path in the content folder. */
  const listChanges = (path: string): { state: string; file: string }[] =>
    (askGit(content, [...STATUS, '--ignored', '--', path])?.split('\0') ?? []).map((row) => ({
      state: row.slice(0, 2),
      file: row.slice(3 + ask().prefix.length),
    }))
  return {
    /** Why git has nothing to go back to in the content folder, so that nothing is staged; undefined if it has. */
    findLack: (): string | undefined => ask().lack,
    /** The paths that were staged, relative to the content folder. */
    paths,
    /** Why git did not stage a path. */
    faults,
    /** Whether one of these files of a skill has changes that are not committed. */
    hasChanges: (slug: string, files: readonly string[]): boolean => {
      if (!isKept()) return false
      const folder = `skills/${slug}/`
      const changed = new Set(listChanges(folder).map(({ file }) => file))
      return files.some((file) => changed.has(folder + file))
    },
    /**
     * The skills with files of their authors that are not committed, unless their curator has changed a staged record
     * since.
     */
    listUncommitted: (): ReadonlySet<string> => {
      const rows = (isKept() ? listChanges('skills/') : []).filter(({ state }) => state !== '!!')
      const bySlug = Map.groupBy(rows, ({ file }) => file.split('/')[1] ?? '')
      const found = [...bySlug].filter(([, changes]) => {
        const { record = [], own = [] } = Object.groupBy(changes, ({ file }) =>
          file.endsWith(`/${RECORD_FILE}`) ? 'record' : 'own',
        )
        return own.some(isUnstaged) || (own.length > 0 && !record.some(isUnstaged))
      })
      return new Set(found.map(([slug]) => slug))
    },
    /** Stages all below a path, or that it is gone. A skill's own .gitignore must hide nothing from the reader. */
    add: (path: string): void => {
      if (!isKept()) return
      const args = existsSync(join(content, path))
        ? ['add', '--all', '--force']
        : ['rm', '-r', '--cached', '--quiet', '--ignore-unmatch']
      const fault = askOwnGit(content, [...args, '--', path])?.fault
      if (fault === undefined) paths.add(path)
      else faults.push(`${path} is not staged: git ${fault}`)
    },
  }
}

/** Throws CommandError if git did not stage a path. */
export const refuseFaults = ({ faults }: Stage): void => {
  if (faults.length > 0) throw new CommandError(faults.join('\n'))
}

/** Stages what a command wrote or removed. Throws CommandError. */
export const stageAll = (content: string, paths: readonly string[]): void => {
  const stage = openStage(content)
  for (const path of new Set(paths)) stage.add(path)
  refuseFaults(stage)
}

/** The command that takes back everything below some paths of a content folder. */
export const renderWayBack = (content: string, paths: Iterable<string>): string => {
  const shown = [...paths].sort().map((path) => {
    const place = showPath(join(content, path), process.cwd())
    return /^[\w@%+=:,./-]+$/.test(place) ? place : `'${place.replaceAll("'", `'\\''`)}'`
  })
  return `git restore --staged --worktree -- ${shown.join(' ')}`
}
