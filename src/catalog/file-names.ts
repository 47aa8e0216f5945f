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

/** A path in the form of the second name that Windows gives to a long one: `REFERE~1.MD` opens `reference.md`. */
const SHORT = /^(.*\/)?([^~./]{1,6})~\d{1,4}(?:\.([^./]{1,3}))?$/s

/** Characters that Windows leaves out of a second name. */
const NOT_SHORT = /[ .+,;=[\]]/g

/** The starts and ends of the second names that Windows may give to a path: `re.md` for `reference.md`. */
const listShort = (path: string): string[] => {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const name = path.slice(folder.length)
  const start = name.replace(NOT_SHORT, '')
  const ends = Array.from(name.matchAll(/\.([^.]{1,3})/g), ([, end = '']) =>
    [1, 2, 3].map((length) => end.slice(0, length)),
  )
  return ['', ...ends.flat()].flatMap((end) =>
    [1, 2].map((length) => `${folder}${start.slice(0, length)}.${end}`),
  )
}

/** Finds the paths that may be second names of others in their folder. All are folded. */
const findShort = (paths: ReadonlySet<string>): ReadonlySet<string> => {
  const short = Array.from(paths, (path) => SHORT.exec(path)).filter((found) => found !== null)
  // Most skills have none. To list names would double the time of findTwins, 25 µs.
  if (short.length === 0) return new Set()
  const found = new Set(short.map(([path]) => path))
  const known = new Set([...paths].filter((path) => !found.has(path)).flatMap(listShort))
  return new Set(
    short.flatMap(([path, folder = '', start = '', end = '']) =>
      known.has(`${folder}${start.slice(0, 2)}.${end}`) ? [path] : [],
    ),
  )
}

const listAbove = (path: string): string[] =>
  Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))

/**
 * Finds the files that some systems would unpack over SKILL.md or an earlier file, or that need its name for a folder.
 * `skillMd` is the file that becomes SKILL.md.
 */
export const findTwins = (paths: Iterable<string>, skillMd = SKILL_MD): ReadonlySet<string> => {
  const all = Array.from(paths, (path) => ({ path, folded: foldPath(path) })).filter(
    ({ path }) => path !== skillMd,
  )
  const files = new Set([foldPath(SKILL_MD)])
  const short = findShort(
    new Set([...files, ...all.flatMap(({ folded }) => [...listAbove(folded), folded])]),
  )
  const folders = new Set<string>()
  const twins = new Set<string>()
  for (const { path, folded } of all) {
    const above = listAbove(folded)
    if (
      files.has(folded) ||
      folders.has(folded) ||
      above.some((folder) => files.has(folder)) ||
      [...above, folded].some((place) => short.has(place))
    )
      twins.add(path)
    else {
      files.add(folded)
      for (const folder of above) folders.add(folder)
    }
  }
  return twins
}
