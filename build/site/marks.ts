import { takeFingerprint } from '../../src/catalog/skill-folder.ts'
import type { Fingerprint } from '../../src/catalog/skill-folder.ts'

// Controls stand in no file name of a skill, so they part what a signature holds.
const BETWEEN_MARKS = '\u001E'

/** A file that changed this little time before it was read may change again unseen: clocks of file systems are coarse. */
const SETTLED = 2_000

const printMark = ({ path, size, changed }: Fingerprint): string => `${size} ${changed} ${path}`

/** Writes marks as one text; what changed too shortly before `now` gets a mark that nothing meets. */
export const printMarks = (marks: readonly Fingerprint[], now: number): string =>
  marks
    .map((mark) => printMark(mark.changed > now - SETTLED ? { ...mark, changed: 0 } : mark))
    .join(BETWEEN_MARKS)

const isSame = (folder: string, printed: string, from: number, to: number): boolean => {
  const sizeEnd = printed.indexOf(' ', from)
  const changedEnd = printed.indexOf(' ', sizeEnd + 1)
  const mark = takeFingerprint(folder, printed.slice(changedEnd + 1, to))
  return (
    mark !== undefined &&
    mark.size === Number(printed.slice(from, sizeEnd)) &&
    mark.changed === Number(printed.slice(sizeEnd + 1, changedEnd))
  )
}

/** Says whether a folder looks as it did when the marks were printed; every build asks it of every skill. */
export const isUnchanged = (folder: string, printed: string): boolean => {
  if (printed === '') return false
  for (let from = 0; from <= printed.length;) {
    const found = printed.indexOf(BETWEEN_MARKS, from)
    const to = found === -1 ? printed.length : found
    if (!isSame(folder, printed, from, to)) return false
    from = to + BETWEEN_MARKS.length
  }
  return true
}
