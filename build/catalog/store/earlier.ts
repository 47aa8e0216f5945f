import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import type { GitBits } from '../../../src/catalog/fingerprint.ts'
import { openSkill } from '../../../src/catalog/skill-folder.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { EXECUTABLE_MODE, askGit } from '../../machine/checkout.ts'
import { emptyTree, readObjects, readTreeRows } from '../../versions/git.ts'
import { CommandError } from '../cli/command.ts'
import { SITE_FILE } from './records.ts'

/** A version that a skill had before the current one. */
export interface Earlier {
  /** The short name of a commit that had it. */
  commit: string
  /** The content folder into which it is checked out, and its executable bits in git. */
  content: string
  bits: GitBits
  opened: OpenedSkill
}

/** Everything below the folder of a skill that its author wrote, as arguments of git. */
const authorsFiles = (slugs: readonly string[]): string[] => [
  '--',
  ...slugs.map((slug) => `skills/${slug}`),
  `:(exclude,glob)skills/*/${RECORD_FILE}`,
]

/** Says why git has nothing to go back to in a content folder; undefined if it has. */
export const findLack = (content: string): string | undefined => {
  const args = ['--porcelain=v2', '--branch', '--ignored', '--untracked-files=all']
  const state = askGit(content, ['status', ...args, '--', SITE_FILE])
  if (state === undefined) return 'the content folder is in no git repository'
  if (/^! /m.test(state)) return 'git ignores the content folder'
  return state.startsWith('# branch.oid (initial)') ? 'git has no commit yet' : undefined
}

/** Throws CommandError if git cannot bring anything back. */
export const requireGit = (content: string): void => {
  const lack = findLack(content)
  if (lack !== undefined)
    throw new CommandError(
      `There is no earlier version to go back to: ${lack}. Remove the skill with retire.`,
    )
}

/** Arguments of git that list every changed file, each with two letters of state. */
export const STATUS = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']

/** Throws CommandError if an author's file of a skill differs from git's index: it would be lost. */
export const refuseUnstaged = (content: string, slug: string): void => {
  const rows = askGit(content, [...STATUS, ...authorsFiles([slug])])?.split('\0') ?? []
  const unstaged = rows.find((row) => /^.[^ ]/.test(row))
  if (unstaged === undefined) return
  const path = unstaged.slice(3)
  throw new CommandError(
    `${path} has changes that are not staged; undo them (git restore) or stage them (git add), then run this again.`,
  )
}

/** The name of a git object, if there is one. */
const nameObject = (content: string, ...args: readonly string[]): string | undefined =>
  askGit(content, ['rev-parse', '--verify', '--quiet', ...args])?.trim()

/** Whether the newest commit has a skill, under any of its slugs. */
export const isCommitted = (content: string, slugs: readonly string[]): boolean =>
  slugs.some((slug) => nameObject(content, `HEAD:./skills/${slug}`) !== undefined)

/** Whether the author's files of a skill are those of the newest commit. */
export const hasCommittedFiles = (content: string, slug: string): boolean =>
  askGit(content, ['diff', '--cached', '--quiet', 'HEAD', ...authorsFiles([slug])]) !== undefined

/** Whether a skill is only a draft: git has the catalog, but its newest commit not the skill. */
export const isDraft = (content: string, slug: string): boolean =>
  nameObject(content, `HEAD:./${SITE_FILE}`) !== undefined && !isCommitted(content, [slug])

/** Writes the files of a git tree into a folder, as git stores them. Returns their executable bits. */
const checkOut = (content: string, tree: string, folder: string): Map<string, boolean> => {
  const [rows = []] = readTreeRows(content, [[emptyTree(tree), tree]], ['-r'])
  const files = rows.filter(({ mode }) => mode.startsWith('100'))
  let at = 0
  for (const { bytes } of readObjects(
    content,
    files.map(({ oid }) => oid),
  )) {
    const place = join(folder, files[at]!.path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, bytes ?? '')
    at += 1
  }
  return new Map(files.map(({ path, mode }) => [path, mode === EXECUTABLE_MODE]))
}

/**
 * Yields the versions of a skill on the main line, newest first: that of the newest commit, then that before each
 * commit that changed an author's file. `slugs` are its current and its former slugs; files are checked out below
 * `temporary`. At its end, throws CommandError if the clone is shallow.
 */
export function* listEarlier(
  content: string,
  id: number,
  slugs: readonly [string, ...string[]],
  temporary: string,
): Generator<Earlier> {
  const log = ['log', '--first-parent', '--no-renames', '--format=%H']
  const changes =
    askGit(content, [...log, ...authorsFiles(slugs)])
      ?.split('\n')
      .filter(Boolean) ?? []
  const seen = new Set<string>()
  for (const commit of ['HEAD', ...changes.map((change) => `${change}^`)]) {
    const versions = slugs.flatMap((slug) => {
      const tree = nameObject(content, `${commit}:./skills/${slug}`)
      if (tree === undefined || seen.has(tree)) return []
      seen.add(tree)
      const place = join(temporary, String(seen.size))
      const bits = checkOut(content, tree, join(place, 'skills', slugs[0]))
      return { content: place, bits, opened: openSkill(place, slugs[0], bits) }
    })
    // A slug can have been another skill's until both became one; and a skill can have got another id.
    const version = versions.find(({ opened }) => opened.record?.id === id) ?? versions[0]
    if (version) yield { commit: nameObject(content, '--short', commit) ?? commit, ...version }
  }
  if (askGit(content, ['rev-parse', '--is-shallow-repository'])?.trim() === 'true')
    throw new CommandError(
      'This clone is shallow, so its earlier versions are not here; run git fetch --unshallow, then this again.',
    )
}
