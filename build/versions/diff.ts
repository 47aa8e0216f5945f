import { mkdtempSync, rmSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeLoosely } from '../../src/catalog/text.ts'
import type { FileChanges } from '../../src/documents/on-request/version.ts'
import { readGit, listPairs, splitPairs } from './git.ts'
import type { TreePair } from './git.ts'
import { isUncopied } from './read.ts'

/** Number of pairs to compare at once. */
const AT_ONCE = 100

/** The output must depend only on the two versions: no external programs, no colours, no prefixes. */
const OPTIONS =
  `-c core.attributesFile=${devNull} diff-tree --stdin -r -z --raw -p --unified=3 --abbrev=12
  --src-prefix= --dst-prefix= --no-renames --no-ext-diff --no-textconv --no-color`.split(/\s+/)

/**
 * Runs `git diff-tree` in an empty repository that borrows the objects of the repository of `folder`, because the
 * settings and attributes there could change the output. Throws VersionsError.
 */
const runDiffTree = (folder: string, pairs: readonly TreePair[]): string => {
  const query = ['rev-parse', '--path-format=absolute', '--show-object-format']
  const [format, objects] = String(readGit(folder, [...query, '--git-path', 'objects'])).split('\n')
  const bare = mkdtempSync(join(tmpdir(), 'versions-'))
  try {
    readGit(bare, ['init', '--bare', '--quiet', '--template=', `--object-format=${format}`])
    const found = readGit(bare, OPTIONS, listPairs(pairs), {
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

/** A difference. The text is cut at the limits; the counts are those of the whole difference. */
export interface VersionDifference {
  text: string
  files: FileChanges
  lines: number
  added: number
  removed: number
}

/** Maximum number of lines and of characters in the text of a difference. */
const LIMITS = { lines: 5_000, characters: 512 * 1024 }

const sumUpLines = (lines: readonly string[], files: FileChanges): VersionDifference => {
  const counts = { lines: lines.length, added: 0, removed: 0 }
  // Only lines below `@@` are lines of a file: git's header of a file has lines that start with `+++` and `---`.
  let isInHunk = false
  for (const line of lines) {
    if (line.startsWith(HEAD)) isInHunk = false
    else if (line.startsWith('@@')) isInHunk = true
    else if (isInHunk && line.startsWith('+')) counts.added += 1
    else if (isInHunk && line.startsWith('-')) counts.removed += 1
  }
  let characters = 0
  const shown = lines
    .slice(0, LIMITS.lines)
    .filter((line) => (characters += line.length) <= LIMITS.characters)
  return { text: shown.join('\n'), files, ...counts }
}

/** Splits the output of git into a difference for each pair, without the files that copies of a skill leave out. */
const splitDifferences = (printed: string, pairs: readonly TreePair[]): VersionDifference[] =>
  splitPairs(printed, pairs).map(({ rows, patch }) => {
    // If a file became a link, git prints two parts: the removed file and the added link.
    const heads = rows.flatMap(({ path, letter }) => (letter === 'T' ? [path, path] : [path]))
    const copied = rows.filter(({ path }) => !isUncopied(path))
    const listBy = (letters: string): string[] =>
      copied.filter(({ letter }) => letters.includes(letter)).map(({ path }) => path)
    let isShown = false
    const lines = patch
      .slice(1)
      .trimEnd()
      .split('\n')
      .filter((line) => {
        if (line.startsWith(HEAD)) isShown = !isUncopied(heads.shift()!)
        return isShown
      })
    return sumUpLines(lines, { added: listBy('A'), changed: listBy('MT'), removed: listBy('D') })
  })

/** Yields the difference of each pair of trees, in the format of `git diff`. Throws VersionsError. */
export function* readDifferences(
  folder: string,
  pairs: readonly TreePair[],
): Generator<VersionDifference> {
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const group = pairs.slice(from, from + AT_ONCE)
    yield* splitDifferences(runDiffTree(folder, group), group)
  }
}
