import { basename } from 'node:path'
import { NotTextError, showValue } from '../../../src/catalog/text.ts'
import { FrontMatterError } from '../../../src/catalog/front-matter.ts'
import { isUnreadable } from '../cli/errors.ts'

interface SkipReason {
  reason: string
  remedy: string
}

export interface Skip extends SkipReason {
  path: string
  kind: 'bad' | 'duplicate' | 'retired'
}

export class SkipError extends Error {
  override name = 'SkipError'
  readonly remedy: string
  constructor({ reason, remedy }: SkipReason) {
    super(reason)
    this.remedy = remedy
  }
}

/** A fenced block of code; to the end of the text where it is not closed. */
const FENCE = /^ {0,3}(`{3,}|~{3,})[^]*?(?:\n {0,3}\1.*|$(?![^]))/gm

/** A conflict inside a fenced block of code is an example. */
const hasConflict = (text: string): boolean =>
  text.includes('<<<<<<<') &&
  ['<{7}(?: .*)?', '={7}', '>{7}(?: .*)?'].every((marker) =>
    new RegExp(`^${marker}\\r?$`, 'm').test(text.replace(FENCE, '')),
  )

/** Evidence that a file called SKILL.md is something else; the first that matches is reported. */
const SIGNS: readonly (SkipReason & { matches: (text: string) => boolean })[] = [
  {
    matches: (text) => text.trim() === '',
    reason: 'the file is blank',
    remedy: 'write a front matter with name and description, and the instructions',
  },
  {
    matches: (text) => text.startsWith('version https://git-lfs.github.com/spec/'),
    reason: 'the file is a Git LFS pointer, not the text',
    remedy: 'run "git lfs pull" in the source and import again',
  },
  {
    matches: (text) => /^\s*(?:<!doctype html|<html[\s>])/i.test(text.slice(0, 1_000)),
    reason: 'the file is an HTML page, not Markdown',
    remedy: 'fetch the raw file instead of the page that shows it',
  },
  {
    matches: (text) => /^(?:\.\.?\/)*[\w./-]*skill\.md$/i.test(text.trim().slice(0, 1_000)),
    reason: 'the file is a symlink that was stored as text',
    remedy: 'check the source out with symlinks, or import the folder it names',
  },
  {
    matches: hasConflict,
    reason: 'the file holds merge conflict markers',
    remedy: 'resolve the conflict (<<<<<<<, =======, >>>>>>>) in the source',
  },
]

/** Why a text is not a SKILL.md; undefined where nothing shows that. */
export const findBadFile = (text: string): SkipReason | undefined =>
  SIGNS.find(({ matches }) => matches(text))

const describeFrontMatter = ({ message, line }: FrontMatterError): SkipReason => {
  if (message.startsWith('no front matter')) {
    return { reason: message, remedy: 'begin the file with name and description between --- lines' }
  }
  // The parser's own advice stands after its last semicolon; YAML errors have none.
  const at = message.startsWith('YAML') ? -1 : message.lastIndexOf('; ')
  return at < 0
    ? { reason: `line ${line}: ${message}`, remedy: 'correct what stands between the --- lines' }
    : { reason: `line ${line}: ${message.slice(0, at)}`, remedy: message.slice(at + 2) }
}

/** Turns an error of reading a skill into a reason to skip it; throws any other error again. */
export const describeSkip = (error: unknown): SkipReason => {
  if (error instanceof SkipError) return { reason: error.message, remedy: error.remedy }
  if (error instanceof FrontMatterError) return describeFrontMatter(error)
  if (error instanceof NotTextError) {
    const reason = error.message.replace(/; save it as UTF-8$/, '')
    return { reason, remedy: 'save it as plain text in UTF-8' }
  }
  if (!isUnreadable(error)) throw error
  return {
    reason: `${showValue(basename(error.path ?? ''))} may not be read`,
    remedy: 'change its rights and import again',
  }
}
