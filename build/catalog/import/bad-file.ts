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

/** A fenced code block; an unclosed one extends to the end of the text. */
const FENCE = /^ {0,3}(`{3,}|~{3,})[^]*?(?:\n {0,3}\1.*|$(?![^]))/gm

/** Conflict markers inside fenced code are an example. */
const hasConflict = (text: string): boolean =>
  text.includes('<<<<<<<') &&
  ['<{7}(?: .*)?', '={7}', '>{7}(?: .*)?'].every((marker) =>
    new RegExp(`^${marker}\\r?$`, 'm').test(text.replace(FENCE, '')),
  )

/** Patterns of files that are not a real SKILL.md; the first match is reported. */
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

/** Why a text is not a SKILL.md; undefined if it looks like one. */
export const findBadFile = (text: string): SkipReason | undefined =>
  SIGNS.find(({ matches }) => matches(text))

const describeFrontMatter = ({ message, line }: FrontMatterError): SkipReason => {
  if (message.startsWith('no front matter')) {
    return { reason: message, remedy: 'begin the file with name and description between --- lines' }
  }
  // The parser's remedy follows the last semicolon; YAML errors have none.
  const at = message.startsWith('YAML') ? -1 : message.lastIndexOf('; ')
  return at < 0
    ? { reason: `line ${line}: ${message}`, remedy: 'correct the YAML between the --- lines' }
    : { reason: `line ${line}: ${message.slice(0, at)}`, remedy: message.slice(at + 2) }
}

/** Turns an error of reading a skill into a reason to skip it; rethrows other errors. */
export const describeSkip = (error: unknown): SkipReason => {
  if (error instanceof SkipError) return { reason: error.message, remedy: error.remedy }
  if (error instanceof FrontMatterError) return describeFrontMatter(error)
  if (error instanceof NotTextError) {
    const reason = error.message.replace(/; save it as UTF-8$/, '')
    return { reason, remedy: 'save it as plain text in UTF-8' }
  }
  if (!isUnreadable(error)) throw error
  return {
    reason: `${showValue(basename(error.path ?? ''))} is not readable`,
    remedy: 'change its permissions and import again',
  }
}
