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
    : // Both steps: `ſ` has only an upper-case form in common with `s`.
      name.replace(IGNORED, '').normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** Two paths that Windows or macOS may treat as the same give the same text: they differ in case, for example. */
export const foldPath = (path: string): string =>
  foldCase(path)
    .split('/')
    .map((name) => name.replace(STREAM, '').replace(TAIL, ''))
    .join('/')

/** Lists the folders above a file. */
const listAbove = (path: string): string[] =>
  Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))

/**
 * Finds the files that some systems would unpack over SKILL.md or an earlier file, or that need its name for a folder.
 * `skillMd` is the file that becomes SKILL.md.
 */
export const findTwins = (paths: Iterable<string>, skillMd = SKILL_MD): ReadonlySet<string> => {
  const files = new Set([foldPath(SKILL_MD)])
  const folders = new Set<string>()
  const twins = new Set<string>()
  for (const path of paths) {
    if (path === skillMd) continue
    const folded = foldPath(path)
    const above = listAbove(folded)
    if (files.has(folded) || folders.has(folded) || above.some((folder) => files.has(folder)))
      twins.add(path)
    else {
      files.add(folded)
      for (const folder of above) folders.add(folder)
    }
  }
  return twins
}
