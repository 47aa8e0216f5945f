import { devNull } from 'node:os'
import { join } from 'node:path'
import { isRecordName } from '../../src/catalog/folder-files.ts'
import { findLeftOut } from '../../src/catalog/left-out.ts'
import { decodeLoosely } from '../../src/catalog/text.ts'
import { askGit } from './git.ts'
import type { SkillVersion } from './history.ts'

/** Two versions of a skill. */
export interface Pair {
  before: SkillVersion
  after: SkillVersion
}

/** Pairs whose differences are read at once. */
const AT_ONCE = 100

/**
 * What git is told so that nothing but the two versions decides what it prints: no attributes of the repository, whose authors
 * could call a text binary, no programs, and names as they are.
 */
const OPTIONS =
  `-c core.attributesFile=${devNull} -c core.quotePath=false -c diff.suppressBlankEmpty=false
  diff-tree --stdin -r -p --unified=3 --src-prefix= --dst-prefix= --submodule=short
  --no-renames --no-ext-diff --no-textconv --no-color`.split(/\s+/)

/** Runs `git diff-tree` in a work tree without attributes: the folder of git itself. Throws VersionsError. */
const askDifferences = (gitFolder: string, pairs: readonly Pair[]): Buffer =>
  askGit(
    gitFolder,
    OPTIONS,
    pairs.map(({ before, after }) => `${before.tree} ${after.tree}\n`).join(''),
    {
      GIT_DIR: gitFolder,
      GIT_WORK_TREE: gitFolder,
      GIT_INDEX_FILE: join(gitFolder, 'none'),
      GIT_ATTR_NOSYSTEM: '1',
    },
  )

const HEAD = 'diff --git '

/** The path in the first line of a file's difference, `diff --git <path> <path>`, where quotes stand around an odd one. */
const pathOf = (head: string): string => {
  const path = head.slice(HEAD.length, (HEAD.length + head.length - 1) / 2)
  try {
    return path.startsWith('"') ? (JSON.parse(path) as string) : path
  } catch {
    return path
  }
}

const isHeadOfPair = (line: string): boolean => /^[0-9a-f]{40,64} [0-9a-f]{40,64}$/.test(line)

const isCopied = (path: string): boolean =>
  !isRecordName(path) && path.split('/').every((name) => findLeftOut(name) === undefined)

/** A difference, cut, with counts of all of it. */
export interface VersionDifference {
  text: string
  files: number
  lines: number
  added: number
  removed: number
}

/** Most lines of a difference, and characters of it, that are kept. */
const LIMITS = { lines: 5_000, characters: 512 * 1024 }

/** Collects the lines of a difference. */
class Lines {
  readonly #kept: string[] = []
  readonly #counts = { files: 0, lines: 0, added: 0, removed: 0 }
  #characters = 0
  /** Whether lines of a file follow, or what git says of it first. */
  #isInside = false

  add(line: string): void {
    this.#counts.lines += 1
    this.#characters += line.length
    if (line.startsWith(HEAD)) {
      this.#counts.files += 1
      this.#isInside = false
    } else if (line.startsWith('@@')) this.#isInside = true
    else if (this.#isInside && line.startsWith('+')) this.#counts.added += 1
    else if (this.#isInside && line.startsWith('-')) this.#counts.removed += 1
    const isKept = this.#kept.length < LIMITS.lines && this.#characters <= LIMITS.characters
    if (isKept) this.#kept.push(line)
  }

  finish(): VersionDifference {
    return { text: this.#kept.join('\n'), ...this.#counts }
  }
}

/** Splits what git prints into a difference for each pair, without the files that no copy has. */
const splitDifferences = (printed: string, count: number): VersionDifference[] => {
  const found = Array.from({ length: count }, () => new Lines())
  let pair = -1
  let isShown = false
  // Lines of files begin with a blank, a sign or a backslash, so none of them is taken for a head.
  for (const line of printed.trimEnd().split('\n')) {
    if (isHeadOfPair(line)) {
      pair += 1
      isShown = false
    } else {
      if (line.startsWith(HEAD)) isShown = isCopied(pathOf(line))
      if (isShown) found[pair]!.add(line)
    }
  }
  return found.map((lines) => lines.finish())
}

/** Reads the difference of each pair, in the words of `git diff`. Throws VersionsError. */
export const readDifferences = (folder: string, pairs: readonly Pair[]): VersionDifference[] => {
  if (pairs.length === 0) return []
  const gitFolder = String(askGit(folder, ['rev-parse', '--absolute-git-dir'])).trimEnd()
  const found: VersionDifference[] = []
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const some = pairs.slice(from, from + AT_ONCE)
    const printed = decodeLoosely(askDifferences(gitFolder, some))
    found.push(...splitDifferences(printed, some.length))
  }
  return found
}
