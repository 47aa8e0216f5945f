/** A file that is not imported: why not, and how it becomes one that is. */
export interface Fault {
  reason: string
  remedy: string
}

/** Text outside of code fences, where an example of anything may stand. */
const outsideFences = (text: string): string => {
  let fence = ''
  return text
    .split('\n')
    .filter((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
      if (fence === '') fence = mark
      else if (mark.startsWith(fence)) fence = ''
      return fence === '' && mark === ''
    })
    .join('\n')
}

const hasConflict = (text: string): boolean =>
  text.includes('<<<<<<<') &&
  ['<{7}(?: .*)?', '={7}', '>{7}(?: .*)?'].every((mark) =>
    new RegExp(`^${mark}\\r?$`, 'm').test(outsideFences(text)),
  )

/** What stands in the place of a SKILL.md without being one; the first sign that shows is told. */
const SIGNS: readonly (Fault & { shows: (text: string) => boolean })[] = [
  {
    shows: (text) => text.trim() === '',
    reason: 'the file is blank',
    remedy: 'write a front matter with name and description, and the instructions',
  },
  {
    shows: (text) => text.startsWith('version https://git-lfs.github.com/spec/'),
    reason: 'the file is a Git LFS pointer, not the text',
    remedy: 'run "git lfs pull" in the source and import again',
  },
  {
    shows: (text) => /^\s*(?:<!doctype html|<html[\s>])/i.test(text.slice(0, 1_000)),
    reason: 'the file is an HTML page, not Markdown',
    remedy: 'fetch the raw file instead of the page that shows it',
  },
  {
    shows: (text) => /^(?:\.\.?\/)*[\w./-]*skill\.md$/i.test(text.trim().slice(0, 1_000)),
    reason: 'the file is a symlink that was stored as text',
    remedy: 'check the source out with symlinks, or import the folder it names',
  },
  {
    shows: hasConflict,
    reason: 'the file holds merge conflict markers',
    remedy: 'resolve the conflict (<<<<<<<, =======, >>>>>>>) in the source',
  },
]

/** Finds what shows that a text is no SKILL.md; undefined where nothing does. */
export const findFault = (text: string): Fault | undefined => SIGNS.find(({ shows }) => shows(text))
