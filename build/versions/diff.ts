import { formatPatch, structuredPatch } from 'diff'
import { decodeLoosely } from '../../src/catalog/text.ts'
import type { VersionFile } from './read.ts'

/** Maximum number of lines and of characters in a difference. */
const LIMITS = { lines: 5_000, characters: 512 * 1024 }

/** If more lines of a file changed, it is shown as replaced: the time to compare grows with their square. */
const COMPARED_LINES = 1_000

const modeOf = (file: VersionFile | undefined): string | undefined =>
  file && (file.isExecutable ? '100755' : '100644')

const compareTexts = (path: string, before: string, after: string) => {
  const compare = (old: string, now: string, maxEditLength = Infinity) =>
    structuredPatch(path, path, old, now, '', '', { context: 3, maxEditLength })
  const isOneSided = before === '' || after === ''
  const hunks =
    compare(before, after, isOneSided ? Infinity : COMPARED_LINES)?.hunks ??
    [compare(before, ''), compare('', after)].flatMap((patch) => patch?.hunks ?? [])
  return { oldFileName: path, newFileName: path, oldHeader: '', newHeader: '', hunks }
}

const compareFile = (path: string, before?: VersionFile, after?: VersionFile): string => {
  const [oldMode, newMode] = [before, after].map(modeOf)
  const bytes = [before, after].map((file) => file?.bytes ?? new Uint8Array())
  const isBinary = bytes.some((some) => some.includes(0))
  const [old = '', now = ''] = isBinary ? [] : bytes.map(decodeLoosely)
  const patch = formatPatch({
    ...compareTexts(path, old, now),
    isGit: true,
    isCreate: !before,
    isDelete: !after,
    ...(oldMode !== undefined && oldMode !== newMode && { oldMode }),
    ...(newMode !== undefined && oldMode !== newMode && { newMode }),
  })
  return isBinary ? `${patch}Binary files differ` : patch.trimEnd()
}

/** The text of a difference, in the format of git, and whether it was cut. */
interface VersionDifference {
  text: string
  isCut: boolean
}

/** Compares the files of two versions that differ at the given paths. */
export const compareVersionFiles = (
  paths: readonly string[],
  before: readonly VersionFile[],
  after: readonly VersionFile[],
): VersionDifference => {
  const [old, now] = [before, after].map((files) => new Map(files.map((file) => [file.path, file])))
  const left = { ...LIMITS }
  const shown: string[] = []
  for (const path of paths) {
    const lines = compareFile(path, old!.get(path), now!.get(path)).split('\n')
    for (const line of lines) {
      left.lines -= 1
      left.characters -= line.length
      if (Math.min(left.lines, left.characters) < 0) return { text: shown.join('\n'), isCut: true }
      shown.push(line)
    }
  }
  return { text: shown.join('\n'), isCut: false }
}
