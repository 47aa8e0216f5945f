import { mkdtempSync, rmSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeLoosely } from '../../src/catalog/text.ts'
import type { FileChanges } from '../../src/documents/on-request/version.ts'
import { TreeReader, askGit } from './git.ts'
import type { TreePair } from './git.ts'
import { isUncopied } from './read.ts'

/** Pairs whose differences are read at once. */
const AT_ONCE = 100

/** Nothing but the two versions decides what git prints: no program, no colour, names as they are. */
const OPTIONS =
  `-c core.attributesFile=${devNull} diff-tree --stdin -r -z --raw -p --unified=3 --abbrev=12
  --src-prefix= --dst-prefix= --no-renames --no-ext-diff --no-textconv --no-color`.split(/\s+/)

/**
 * Runs `git diff-tree` in a repository that is empty but for the objects of the other: settings, attributes and
 * `info/attributes` of that one would change what is printed. Throws VersionsError.
 */
const askDifferences = (folder: string, pairs: readonly TreePair[]): string => {
  const asked = ['rev-parse', '--path-format=absolute', '--show-object-format']
  const [format, objects] = String(askGit(folder, [...asked, '--git-path', 'objects'])).split('\n')
  const bare = mkdtempSync(join(tmpdir(), 'versions-'))
  try {
    askGit(bare, ['init', '--bare', '--quiet', '--template=', `--object-format=${format}`])
    const found = askGit(bare, OPTIONS, pairs.map((pair) => `${pair.join(' ')}\n`).join(''), {
      GIT_DIR: bare,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ATTR_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '0',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
    })
    return decodeLoosely(found)
  } finally {
    rmSync(bare, { recursive: true })
  }
}

const HEAD = 'diff --git '

/** A difference, cut, with its files and counts of all of it. */
export interface VersionDifference {
  text: string
  files: FileChanges
  lines: number
  added: number
  removed: number
}

/** Most lines of a difference, and characters of it, that are kept. */
const LIMITS = { lines: 5_000, characters: 512 * 1024 }

/** Collects the lines of a difference. */
class Lines {
  readonly #kept: string[] = []
  readonly #counts = { lines: 0, added: 0, removed: 0 }
  #characters = 0
  /** Whether lines of a file follow, or git's header of it. */
  #isInside = false

  add(line: string): void {
    this.#counts.lines += 1
    this.#characters += line.length
    if (line.startsWith(HEAD)) this.#isInside = false
    else if (line.startsWith('@@')) this.#isInside = true
    else if (this.#isInside && line.startsWith('+')) this.#counts.added += 1
    else if (this.#isInside && line.startsWith('-')) this.#counts.removed += 1
    const isKept = this.#kept.length < LIMITS.lines && this.#characters <= LIMITS.characters
    if (isKept) this.#kept.push(line)
  }

  finish(files: FileChanges): VersionDifference {
    return { text: this.#kept.join('\n'), files, ...this.#counts }
  }
}

/** Splits the output of git into a difference for each pair, without the files that no copy has. */
const splitDifferences = (printed: string, pairs: readonly TreePair[]): VersionDifference[] => {
  const reader = new TreeReader(printed)
  return pairs.map((pair, place) => {
    // Of a file that became a link, git prints the end of one and the beginning of the other.
    const rows = reader.readRows(pair)
    const heads = rows.flatMap(({ path, letter }) => (letter === 'T' ? [path, path] : [path]))
    const copied = rows.filter(({ path }) => !isUncopied(path))
    const listBy = (letters: string): string[] =>
      copied.filter(({ letter }) => letters.includes(letter)).map(({ path }) => path)
    const lines = new Lines()
    let isShown = false
    for (const line of reader
      .readPatch(pairs[place + 1])
      .slice(1)
      .trimEnd()
      .split('\n')) {
      if (line.startsWith(HEAD)) isShown = !isUncopied(heads.shift()!)
      if (isShown) lines.add(line)
    }
    return lines.finish({ added: listBy('A'), changed: listBy('MT'), removed: listBy('D') })
  })
}

/** Reads the difference of each pair of trees, in the words of `git diff`. Throws VersionsError. */
export const readDifferences = (
  folder: string,
  pairs: readonly TreePair[],
): VersionDifference[] => {
  const found: VersionDifference[] = []
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const some = pairs.slice(from, from + AT_ONCE)
    found.push(...splitDifferences(askDifferences(folder, some), some))
  }
  return found
}
