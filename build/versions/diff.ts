import { formatPatch, structuredPatch } from 'diff'
import { decodeLoosely } from '../../src/catalog/text.ts'
import type { LineChanges } from '../../src/documents/on-request/version.ts'
import { EXECUTABLE_MODE } from '../machine/checkout.ts'
import type { VersionFile } from './read.ts'

/**
 * Maximum number of lines and of characters in a difference, and of lines that are compared. Comparing 500,000
 * lines took up to 7 s; files beyond the limit are shown as replaced.
 */
const LIMITS = { lines: 5_000, characters: 512 * 1024, compared: 50_000 }

/** If more lines of a file changed, it is shown as replaced: the time to compare grows with their square. */
const COMPARED_LINES = 1_000

const modeOf = (file: VersionFile | undefined): string | undefined =>
  file && (file.isExecutable ? EXECUTABLE_MODE : '100644')

/** The first lines of a text, one more than a difference can show. */
const startOf = (text: string): string => text.split('\n', LIMITS.lines + 1).join('\n')

/** The number of lines in two texts, but at most `limit` for each. */
const countLines = (texts: readonly string[], limit: number): number =>
  texts.reduce((sum, text) => sum + text.split('\n', limit).length, 0)

const compareTexts = (path: string, before: string, after: string, isCompared: boolean) => {
  const compare = (old: string, now: string, maxEditLength = Infinity) =>
    structuredPatch(path, path, old, now, '', '', { context: 3, maxEditLength })
  const isOneSided = before === '' || after === ''
  const compared =
    isCompared && !isOneSided ? compare(before, after, COMPARED_LINES)?.hunks : undefined
  const replaced = (): NonNullable<typeof compared> =>
    [compare(startOf(before), ''), compare('', startOf(after))].flatMap(
      (patch) => patch?.hunks ?? [],
    )
  return {
    oldFileName: path,
    newFileName: path,
    oldHeader: '',
    newHeader: '',
    hunks: compared ?? replaced(),
  }
}

const compareFile = (
  path: string,
  left: { compared: number },
  before?: VersionFile,
  after?: VersionFile,
): string => {
  const [oldMode, newMode] = [before, after].map(modeOf)
  const bytes = [before, after].map((file) => file?.bytes ?? new Uint8Array())
  const isBinary = bytes.some((some) => some.includes(0))
  const [old = '', now = ''] = isBinary ? [] : bytes.map(decodeLoosely)
  left.compared -= countLines([old, now], LIMITS.compared)
  const patch = formatPatch({
    ...compareTexts(path, old, now, left.compared >= 0),
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

/** Counts the lines that a difference adds and removes; undefined if it was cut. */
export const countChanged = ({ text, isCut }: VersionDifference): LineChanges | undefined => {
  const count = (sign: string): number =>
    text.split('\n').filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
      .length
  return isCut ? undefined : { added: count('+'), removed: count('-') }
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
    const lines = compareFile(path, left, old!.get(path), now!.get(path)).split('\n')
    for (const line of lines) {
      left.lines -= 1
      left.characters -= line.length
      if (Math.min(left.lines, left.characters) < 0) return { text: shown.join('\n'), isCut: true }
      shown.push(line)
    }
  }
  return { text: shown.join('\n'), isCut: false }
}
