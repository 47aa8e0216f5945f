import { SKILL_MD } from './skill.ts'
import { isAscii } from './text.ts'

/** Characters that the file system HFS+ ignores in names. */
const IGNORED = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g

/** What Windows drops from a name: the default stream, as in `a.md::$DATA`, and dots and spaces at the end. */
const STREAM = /(?::[^:]*:\$.*|:+)$/s
const TAIL = /[. ]+$/

const foldCase = (name: string): string =>
  isAscii(name)
    ? name.toLowerCase()
    : // All steps: `ſ` has only an upper-case form in common with `s`, and `ẞ` only the lower-case `ß` with `SS`.
      name
        .replace(IGNORED, '')
        .normalize('NFC')
        .toLowerCase()
        .toUpperCase()
        .toLowerCase()
        .normalize('NFC')

/** Two paths that Windows or macOS may treat as the same give the same text: they differ in case, for example. */
export const foldPath = (path: string): string =>
  foldCase(path)
    .split('/')
    .map((name) => name.replace(STREAM, '').replace(TAIL, ''))
    .join('/')

/** A name in the form that Windows gives to a long one as a second name: `REFERE~1.MD` opens `reference.md`. */
const SHORT = /^([^~.]{1,6})~\d{1,4}(?:\.([^.]{1,3}))?$/

/** Characters that Windows leaves out of a second name. */
const NOT_SHORT = /[ .+,;=[\]]/g

/** Whether a name may be the second name of another one in its folder. Both are folded. */
const isShortOf = (name: string, other: string): boolean => {
  const [found, start = '', end = ''] = SHORT.exec(name) ?? []
  if (found === undefined || SHORT.test(other)) return false
  return (
    other.replace(NOT_SHORT, '').startsWith(start.slice(0, 2)) &&
    (end === '' || other.includes(`.${end}`))
  )
}

/** Lists the folders above a file. */
const listAbove = (path: string): string[] =>
  Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))

/**
 * Finds the files that some systems would unpack over SKILL.md or an earlier file, or that need its name for a folder.
 * `skillMd` is the file that becomes SKILL.md.
 */
export const findTwins = (paths: Iterable<string>, skillMd = SKILL_MD): ReadonlySet<string> => {
  const all = [...paths].filter((path) => path !== skillMd)
  const foldedAll = [foldPath(SKILL_MD), ...all.map(foldPath)]
  const inFolder = Map.groupBy(
    new Set(foldedAll.flatMap((path) => listAbove(path).concat(path))),
    (path) => path.slice(0, path.lastIndexOf('/') + 1),
  )
  const isShort = (path: string): boolean => {
    const start = path.lastIndexOf('/') + 1
    const name = path.slice(start)
    if (!SHORT.test(name)) return false
    return inFolder.get(path.slice(0, start))!.some((one) => isShortOf(name, one.slice(start)))
  }
  const files = new Set([foldPath(SKILL_MD)])
  const folders = new Set<string>()
  const twins = new Set<string>()
  for (const path of all) {
    const folded = foldPath(path)
    const above = listAbove(folded)
    if (
      files.has(folded) ||
      folders.has(folded) ||
      above.some((folder) => files.has(folder)) ||
      [...above, folded].some(isShort)
    )
      twins.add(path)
    else {
      files.add(folded)
      for (const folder of above) folders.add(folder)
    }
  }
  return twins
}
