import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { NotTextError, showValue } from '../../../src/catalog/text.ts'
import { FrontMatterError } from '../../../src/catalog/front-matter.ts'
import { FILE_LIMIT } from '../../../src/catalog/skill-folder.ts'
import { isUnreadable } from '../cli/errors.ts'
import type { Fault } from './bad-file.ts'
import type { FoundSkill } from './find-skills.ts'

/** Says how a front matter is mended; the parser's own advice stands after its last semicolon. */
const describeFrontMatter = ({ message, line }: FrontMatterError): Fault => {
  const at = message.startsWith('YAML') ? -1 : message.lastIndexOf('; ')
  if (message.startsWith('no front matter')) {
    return { reason: message, remedy: 'begin the file with name and description between --- lines' }
  }
  return at < 0
    ? { reason: `line ${line}: ${message}`, remedy: 'correct what stands between the --- lines' }
    : { reason: `line ${line}: ${message.slice(0, at)}`, remedy: message.slice(at + 2) }
}

/** Says why a skill could not be read, and how that is mended; what is no fault of the file's is thrown. */
export const describeReading = (error: unknown): Fault => {
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

/** Says why a SKILL.md that was found is not among the files that can be taken. */
export const describeMissing = (skill: FoundSkill): Fault => {
  const { size } = statSync(join(skill.folder, skill.fileName), { throwIfNoEntry: false }) ?? {
    size: 0,
  }
  return size > FILE_LIMIT
    ? {
        reason: `the file has ${size} bytes; at most ${FILE_LIMIT} are read`,
        remedy: 'move what is long into references/',
      }
    : {
        reason: 'the file is a symlink that leads out of the source or nowhere',
        remedy: 'copy the text into the folder',
      }
}
