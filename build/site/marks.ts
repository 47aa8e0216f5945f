import { takeMark } from '../../src/catalog/skill-files.ts'
import type { FileMark } from '../../src/catalog/skill-files.ts'

// Controls stand in no file name of a skill, so they part what a signature holds.
const BETWEEN_MARKS = '\u001E'

/** A file that changed this little time before it was read may change again unseen: clocks of file systems are coarse. */
const SETTLED = 2_000

const printMark = ({ path, size, changed }: FileMark): string => `${size} ${changed} ${path}`

/** Writes marks as one text; what changed too shortly before `now` gets a mark that nothing meets. */
export const printMarks = (marks: readonly FileMark[], now: number): string =>
  marks
    .map((mark) => printMark(mark.changed > now - SETTLED ? { ...mark, changed: 0 } : mark))
    .join(BETWEEN_MARKS)

const pathOf = (printed: string): string =>
  printed.slice(printed.indexOf(' ', printed.indexOf(' ') + 1) + 1)

/** Says whether a folder looks as it did when the marks were printed. */
export const isUnchanged = (folder: string, printed: string): boolean =>
  printed !== '' &&
  printed.split(BETWEEN_MARKS).every((one) => {
    const mark = takeMark(folder, pathOf(one))
    return mark !== undefined && printMark(mark) === one
  })
