import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, sep } from 'node:path'
import { FrontMatterError, parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { scanSkill } from '../../../src/catalog/safety/scan.ts'
import type { SkillNames } from '../../../src/catalog/safety/rule.ts'
import { FILE_LIMIT, listSkillFiles, readSkillFile } from '../../../src/catalog/skill-folder.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { Acceptance } from '../../../src/catalog/schema.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import type { Finding, SkillFile } from '../../../src/catalog/skill.ts'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { isUnreadable, systemCode } from '../cli/command.ts'
import { isInFolder, isSkillMd } from '../import/find.ts'
import { checkRules, createLocator, shift } from './rule.ts'
import type { Diagnostic, Violation, Edit } from './rule.ts'
import { RULES, createDiagnostic } from './rules.ts'
import { BODY_RULES, readMarkdown, TEXT_RULES, decodeSkill } from './rules/body.ts'
import { FIELD_RULES } from './rules/fields.ts'
import { FRONT_MATTER_RULES, findFrontMatter, readYaml } from './rules/front-matter.ts'
import { shownPath } from './lint-catalog.ts'
import type { Target } from './lint-catalog.ts'

/** The context that a SKILL.md is checked against. */
interface Context {
  /** Name of the folder, if the skill's name must equal it. */
  folder: string | undefined
  hasFile: (path: string) => boolean
}

/** Reads a target's file, or returns why it is not read. */
const readTarget = ({
  folder,
  fileName,
  isAlone,
}: Target): { bytes: Uint8Array } | { detail: string; remedy: string } => {
  const path = join(folder, fileName)
  const remedy = 'put the file itself there'
  try {
    const isInside = isAlone || isInFolder(realpathSync(path), realpathSync(folder), sep)
    if (!isInside) {
      return { detail: 'a symlink out of the skill folder, which is not followed', remedy }
    }
    const stats = statSync(path)
    // Reading a pipe or device might never end.
    if (!stats.isFile()) return { detail: 'neither a file nor a folder', remedy }
    if (stats.size <= FILE_LIMIT) return { bytes: readFileSync(path) }
    const detail = `a file of ${stats.size} bytes; at most ${FILE_LIMIT} are read`
    return { detail, remedy: 'shorten it' }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      return { detail: 'a symlink that leads nowhere', remedy: 'remove it, or put the file there' }
    }
    if (!isUnreadable(error)) throw error
    return { detail: 'the file may not be read', remedy: 'change its rights' }
  }
}

const contextOf = ({ folder, fileName, isNamedByFolder }: Target): Context => ({
  folder: isNamedByFolder && isSkillMd(fileName) ? basename(folder) : undefined,
  hasFile: (path) => existsSync(join(folder, path)),
})

/** Whether `--fix` may write a target's file; never through a link. */
const mayFix = ({ folder, fileName, mayChange }: Target): boolean =>
  mayChange && lstatSync(join(folder, fileName)).isFile()

const checkBody = (body: string, { hasFile }: Context): Violation[] =>
  body.trim() === '' ? [] : checkRules(BODY_RULES, readMarkdown(body, hasFile))

/** Checks a text without a byte order mark. */
const checkContent = (content: string, context: Context): Violation[] => {
  const found = findFrontMatter(content)
  if ('violation' in found) {
    const isAllBody = found.violation.rule === 'front-matter-missing'
    return [found.violation, ...(isAllBody ? checkBody(content, context) : [])]
  }
  const { start, block, body } = found.frontMatter
  const { fields, violations } = readYaml(block)
  const isEmpty = fields === undefined && violations.length === 0
  const inBlock = [
    ...violations,
    ...(fields ? checkRules(FIELD_RULES, { ...fields, folder: context.folder }) : []),
    ...(isEmpty ? ['name-missing', 'description-missing'] : []).map((rule) => ({ rule, start: 0 })),
  ]
  return [
    ...checkRules(FRONT_MATTER_RULES, { ...found.frontMatter, fields }),
    ...shift(inBlock, start),
    ...shift(checkBody(body, context), content.length - body.length),
  ]
}

/** Checks the text of a SKILL.md, a byte order mark counted. */
export const checkSkillMd = (text: string, context: Context): Violation[] => {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  return [...checkRules(TEXT_RULES, text), ...shift(checkContent(text.slice(mark), context), mark)]
}

const reportFinding = (finding: Finding, { shown }: Target): Diagnostic => {
  const { rule, severity, contexts, file, line, column, length, count, digest } = finding
  const more = count > 1 ? [`${count - 1} more like it in this file`] : []
  return createDiagnostic(rule, shownPath(shown, file), {
    line,
    column,
    end: { line, column: column + length },
    severity,
    detail: [...contexts, ...more].join('; ') || undefined,
    remedy: `${RULES[rule]?.remedy} If it is harmless, accept its digest, ${digest}.`,
  })
}

/** The skill's name, by which the scan recognizes its own hosts. */
const readNames = (text: string, folder: string): SkillNames => {
  try {
    const { name = basename(folder), description = '' } = parseFrontMatter(text)
    return { name, description }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    return { name: basename(folder), description: '' }
  }
}

/** Findings accepted in the record; its other problems are reported elsewhere. */
const readAccepted = (folder: string): readonly Acceptance[] => {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, RECORD_FILE), 'utf8'))
    return skillRecord.pick({ accepted: true }).strip().safeParse(record).data?.accepted ?? []
  } catch {
    return []
  }
}

const scanTarget = (
  target: Target,
  files: readonly SkillFile[],
  skillMd: Uint8Array | undefined,
): Diagnostic[] =>
  scanSkill({
    folder: target.folder,
    files,
    read: (folder, path) => readSkillFile({ folder }, path),
    names: readNames(skillMd ? decodeLoosely(skillMd) : '', target.folder),
    accepted: readAccepted(target.folder),
  })
    .filter(({ accepted }) => accepted === undefined)
    .map((finding) => reportFinding(finding, target))

/** Splits a problem at its semicolon into detail and remedy. */
const reportProblem = ({ file, value, remedy: text }: Problem): Diagnostic => {
  const at = text.lastIndexOf('; ')
  const what = value === undefined ? '' : `${showValue(value)}: `
  return createDiagnostic('file-unfit', file.replace(/^\.\/|\/$/g, ''), {
    detail: what + (at < 0 ? text : text.slice(0, at)),
    remedy: at < 0 ? undefined : text.slice(at + 2),
  })
}

const lintFolder = (target: Target, skillMd: Uint8Array | undefined): Diagnostic[] => {
  const { folder, shown, inner } = target
  const { files, problems } = listSkillFiles(folder, shown === '' ? '.' : shown)
  const own = files.filter(({ path }) => !inner.some((one) => isInFolder(path, one)))
  return [...problems.map(reportProblem), ...scanTarget(target, own, skillMd)]
}

const lintFile = (target: Target, file: string, bytes: Uint8Array): Diagnostic[] => {
  const { text, violation } = decodeSkill(bytes)
  // Binary files are not checked further.
  const violations = violation ? [violation] : checkSkillMd(text, contextOf(target))
  const locate = createLocator(text)
  const isOurs = mayFix(target)
  const isOddlyCalled = isSkillMd(target.fileName) && target.fileName !== SKILL_MD
  const name = { detail: target.fileName, isFixable: isOurs }
  const alone = target.isAlone ? [{ path: target.fileName, size: bytes.length }] : []
  return [
    ...(isOddlyCalled ? [createDiagnostic('file-name', file, name)] : []),
    ...violations.map(({ rule, start, end = start, edit, detail, remedy }) =>
      createDiagnostic(rule, file, {
        ...locate(start),
        end: locate(end),
        detail,
        remedy,
        isFixable: isOurs && edit !== undefined,
      }),
    ),
    ...scanTarget(target, alone, bytes),
  ]
}

export const lintTarget = (target: Target): Diagnostic[] => {
  const file = shownPath(target.shown, target.fileName)
  const read = readTarget(target)
  const bytes = 'bytes' in read ? read.bytes : undefined
  const beside = target.isAlone ? [] : lintFolder(target, bytes)
  if ('bytes' in read) return [...lintFile(target, file, read.bytes), ...beside]
  return [
    createDiagnostic('file-unfit', file, read),
    ...beside.filter((one) => one.rule !== 'file-unfit' || one.file !== file),
  ]
}

type RuleFilter = (rule: string) => boolean

/** Applies edits; of two that overlap, the first wins. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  let done = 0
  let result = ''
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < done) continue
    result += text.slice(done, start) + replacement
    done = end
  }
  return result + text.slice(done)
}

/** Maximum passes: a fix may reveal another problem, such as a value behind a byte order mark. */
const PASSES = 20

/**
 * Fixes what needs no person. Leaves the text below the front matter unchanged except for its last line end. Idempotent.
 */
export const fixText = (text: string, context: Context, isSelected: RuleFilter): string => {
  let fixed = text
  for (let pass = 0; pass < PASSES; pass += 1) {
    const edits = checkSkillMd(fixed, context).flatMap(({ rule, edit }) =>
      edit && isSelected(rule) ? [edit] : [],
    )
    if (edits.length === 0) return fixed
    fixed = applyEdits(fixed, edits)
  }
  return fixed
}

interface Change {
  /** How the file is shown, before and after. */
  file: string
  to: string
  before: string
  after: string
}

/** Loaders skip names with a leading dot; the next run overwrites a leftover of a kill. */
const BESIDE = '.tmp-lint-'

/** Replaces a file atomically and keeps its permissions. */
const replaceFile = (folder: string, fileName: string, text: string): void => {
  const path = join(folder, fileName)
  const beside = join(folder, BESIDE + fileName)
  // A stranger's symlink of this name would be written through.
  rmSync(beside, { recursive: true, force: true })
  writeFileSync(beside, text, { flag: 'wx' })
  chmodSync(beside, statSync(path).mode)
  renameSync(beside, path)
}

/** Fixes a target's file; a dry run only reports the change. */
export const fixTarget = (
  target: Target,
  isSelected: RuleFilter,
  isDryRun: boolean,
): { target: Target; change?: Change } => {
  const read = mayFix(target) ? readTarget(target) : undefined
  if (read === undefined || !('bytes' in read)) return { target }
  const { text: before, violation } = decodeSkill(read.bytes)
  // Rewriting a file that is not UTF-8 would lose bytes.
  if (violation) return { target }
  const { folder, fileName, shown } = target
  const after = fixText(before, contextOf(target), isSelected)
  const mayRename = isSkillMd(fileName) && isSelected('file-name')
  const name = mayRename && !existsSync(join(folder, SKILL_MD)) ? SKILL_MD : fileName
  if (after === before && name === fileName) return { target }
  if (!isDryRun && after !== before) replaceFile(folder, fileName, after)
  if (!isDryRun && name !== fileName) renameSync(join(folder, fileName), join(folder, name))
  return {
    target: isDryRun ? target : { ...target, fileName: name },
    change: { file: shownPath(shown, fileName), to: shownPath(shown, name), before, after },
  }
}
