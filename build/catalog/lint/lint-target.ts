import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import {
  SKILL_MD,
  listSkillFiles,
  readSkillFile,
  scanFiles,
} from '../../../src/catalog/skill-folder.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { scanText } from '../../../src/catalog/safety.ts'
import type { Finding as SafetyFinding } from '../../../src/catalog/skill.ts'
import { checkSkillMd } from './check-skill-md.ts'
import { createLocator } from './places.ts'
import { isCalledSkillMd, readTarget, surroundingsOf } from './read-target.ts'
import type { Finding, Mark, Place } from './rule.ts'
import { ruleOf } from './rules.ts'
import { findColumn } from './safety-rules.ts'
import { shownPath } from './target.ts'
import type { Target } from './target.ts'
import { decodeSkill } from './text-rules.ts'

const START: Place = { line: 1, column: 1 }

/** Makes a finding about a file, at its start where no place is given. */
export const createFinding = (
  rule: string,
  file: string,
  more: Partial<Pick<Finding, 'line' | 'column' | 'end' | 'message' | 'remedy' | 'isFixable'>> = {},
): Finding => {
  const { severity, message, remedy } = ruleOf(rule)
  const { line, column } = { ...START, ...more }
  return {
    file,
    ...START,
    rule,
    severity,
    message,
    remedy,
    end: { line, column },
    isFixable: false,
    ...more,
  }
}

const placeMarks = (marks: readonly Mark[], text: string, file: string, mayFix: boolean) => {
  // A byte order mark takes no column in any editor.
  const skipped = text.startsWith('\uFEFF') ? 1 : 0
  const locate = createLocator(text.slice(skipped))
  const place = (offset: number): Place => locate(Math.max(0, offset - skipped))
  return marks.map((mark) =>
    createFinding(mark.rule, file, {
      ...place(mark.at),
      end: place(Math.max(mark.at, mark.end ?? mark.at)),
      ...(mark.message === undefined ? {} : { message: mark.message }),
      ...(mark.remedy === undefined ? {} : { remedy: mark.remedy }),
      isFixable: mayFix && mark.edit !== undefined,
    }),
  )
}

/** Says whether `--fix` may touch a target's file: a link's other end belongs to somebody else. */
export const mayFix = ({ folder, fileName, mayChange }: Target): boolean =>
  mayChange && lstatSync(join(folder, fileName)).isFile()

const checkName = (target: Target, file: string): Finding[] => {
  if (!isCalledSkillMd(target) || target.fileName === SKILL_MD) return []
  const message = `the file is called ${target.fileName}, and many readers look for ${SKILL_MD} alone`
  return [createFinding('file-name', file, { message, isFixable: mayFix(target) })]
}

const placeScan = (found: readonly SafetyFinding[], target: Target): Finding[] => {
  const texts = new Map<string, readonly string[]>()
  const linesOf = (path: string): readonly string[] => {
    const lines =
      texts.get(path) ?? decodeLoosely(readFileSync(join(target.folder, path))).split('\n')
    texts.set(path, lines)
    return lines
  }
  return found.map((one) => {
    const { at, end } = findColumn(one, linesOf(one.file)[one.line - 1] ?? '')
    return createFinding(one.rule, shownPath(target.shown, one.file), {
      line: one.line,
      column: at + 1,
      end: { line: one.line, column: end + 1 },
    })
  })
}

/** A problem says what is wrong and, after a semicolon, what to do about it. */
const renderProblem = ({ file, value, remedy: text }: Problem): Finding => {
  const at = text.lastIndexOf('; ')
  const what = value === undefined ? '' : `${showValue(value)}: `
  return createFinding('file-unfit', file.replace(/^\.\/|\/$/g, ''), {
    message: what + (at < 0 ? text : text.slice(0, at)),
    remedy: at < 0 ? ruleOf('file-unfit').remedy : text.slice(at + 2),
  })
}

const lintFolder = (target: Target): Finding[] => {
  const { folder, shown, inner } = target
  const isOwn = (path: string): boolean =>
    !inner.some((one) => path === one || path.startsWith(`${one}/`))
  const { files, problems } = listSkillFiles(folder, shown === '' ? '.' : shown)
  const scanned = scanFiles(
    folder,
    files.filter(({ path }) => isOwn(path)),
    (from, path) => readSkillFile({ folder: from }, path),
  )
  return [...problems.map(renderProblem), ...placeScan(scanned, target)]
}

const lintText = (target: Target, bytes: Uint8Array, file: string): Finding[] => {
  const { text, marks } = decodeSkill(bytes)
  // What is no text is looked at no further.
  const found = marks.length > 0 ? marks : checkSkillMd(text, surroundingsOf(target))
  const scanned = target.isAlone ? scanText(target.fileName, decodeLoosely(bytes)) : []
  return [...placeMarks(found, text, file, mayFix(target)), ...placeScan(scanned, target)]
}

/** Finds everything that is wrong with a skill: its file, and its folder unless the file alone was named. */
export const lintTarget = (target: Target): Finding[] => {
  const file = shownPath(target.shown, target.fileName)
  const read = readTarget(target)
  const beside = target.isAlone ? [] : lintFolder(target)
  if ('bytes' in read) {
    return [...checkName(target, file), ...lintText(target, read.bytes, file), ...beside]
  }
  const { reason: message, remedy } = read
  return [
    createFinding('file-unfit', file, { message, remedy }),
    ...beside.filter((one) => one.rule !== 'file-unfit' || one.file !== file),
  ]
}
