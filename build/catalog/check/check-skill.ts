import { realpathSync } from 'node:fs'
import { basename, posix } from 'node:path'
import { FrontMatterError, parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { listNearest } from '../../../src/catalog/nearest-name.ts'
import { OwnFiles } from '../../../src/catalog/needs/files.ts'
import { isInternal } from '../../../src/catalog/left-out.ts'
import { EDITORIAL_NAMES } from '../../../src/catalog/parts.ts'
import { scanSkill } from '../../../src/catalog/safety/scan.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { listSkillFiles, loadSkill, readSkillFile } from '../../../src/catalog/skill-folder.ts'
import { RECORD_FILE, SKILL_MD, pickFacts } from '../../../src/catalog/skill.ts'
import type { Finding, Skill, SkillFacts, SkillFile } from '../../../src/catalog/skill.ts'
import { checkSpecification } from '../../../src/catalog/specification.ts'
import {
  NotTextError,
  countOf,
  decodeLoosely,
  decodeText,
  showValue,
} from '../../../src/catalog/text.ts'
import { LISTING_BUDGETS, costInListing, estimateTokens } from '../../../src/catalog/tokens.ts'
import { REASONS, listCopiedFiles } from '../import/copied.ts'
import { findDeadLinks, findHeadFault, findNameFaults } from '../import/file-faults.ts'
import { isInFolder, isSkillMd } from '../import/find.ts'
import { openGitFiles } from '../import/git/tracked.ts'
import { listFields, locateField, placeAt, reportProblems } from './places.ts'
import {
  ADVISED,
  DRAFT_DESCRIPTION,
  LISTING_SHARE,
  PLACES_PER_RULE,
  RULES,
  createDiagnostic,
} from './rules.ts'
import type { Diagnostic, Violation } from './rules.ts'

/** A folder, and how it is called; empty for the one the command runs in. */
export interface Folder {
  folder: string
  shown: string
}

/** A skill's folder to check. */
export interface Target extends Folder {
  /** Spelling of its SKILL.md. */
  fileName: string
  /** Paths inside the folder that are skills of their own. */
  inner: readonly string[]
  /** The catalog it belongs to; undefined for a folder without a record. */
  catalog?: Folder
}

const SPECIFIED = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

const checkFieldNames = (text: string): Violation[] => {
  const seen = new Set<string>()
  return listFields(text).flatMap(({ field, ...place }): Violation[] => {
    const detail = showValue(field)
    const isTwice = seen.has(field)
    seen.add(field)
    if (isTwice) return [{ rule: 'front-matter', detail: `${detail} appears twice`, ...place }]
    if (SPECIFIED.includes(field)) return []
    const [nearest] = listNearest(field, SPECIFIED)
    const remedy = nearest && `did you mean ${showValue(nearest)}?`
    return [{ rule: 'unknown-field', detail, remedy, ...place }]
  })
}

/** Reports the first client of whose listing a description takes too large a share. */
const checkBudget = (description: string): Violation[] =>
  LISTING_BUDGETS.flatMap((budget) => {
    const cost = costInListing(description, budget)
    const share = cost / budget.all
    const percent = Math.round(share * 100)
    const detail = `${cost} of the ${budget.all} ${budget.unit} of ${budget.client}, ${percent} %`
    return share > LISTING_SHARE ? [{ rule: 'description-budget', detail }] : []
  }).slice(0, 1)

const checkLength = (text: string): Violation[] => {
  const lines = text.trimEnd().split('\n').length
  const tokens = estimateTokens(text)
  const detail = `${lines} lines, about ${tokens} tokens`
  return lines > ADVISED.lines || tokens > ADVISED.tokens ? [{ rule: 'skill-length', detail }] : []
}

const checkLinks = (text: string, own: OwnFiles): Violation[] => {
  const source = text.replace(/\r\n?/g, '\n')
  const found = findDeadLinks(source, own)
  if (typeof found === 'string')
    return [{ rule: 'unchecked', detail: `its Markdown ${found}, so no link was looked at` }]
  return found.map(({ href, at }) =>
    Object.assign(placeAt(source, at), { rule: 'link-dead', detail: showValue(href) }),
  )
}

/** A front matter as far as it can be read. */
interface ReadFront {
  front: FrontMatter
  /** The part of the text that its fields stand in: all, or what stands above a fault. */
  readable: string
  fault?: Violation
}

const findNotText = (bytes: Buffer): Violation | undefined => {
  try {
    decodeText(bytes)
    return undefined
  } catch (error) {
    if (error instanceof NotTextError)
      return { rule: 'front-matter', line: 1, detail: error.message }
    throw error
  }
}

const tryFront = (text: string): FrontMatter | FrontMatterError => {
  try {
    return parseFrontMatter(text)
  } catch (error) {
    if (error instanceof FrontMatterError) return error
    throw error
  }
}

/** Most lines that are left out until the rest can be read: an open quote is noticed only where the front matter ends. */
const LINES_LEFT_OUT = 20

const readFront = (text: string): ReadFront => {
  const read = tryFront(text)
  if (!(read instanceof FrontMatterError)) return { front: read, readable: text }
  const { line, message } = read
  const fault = { rule: 'front-matter', line, detail: message }
  const lines = text.split('\n', line)
  for (let end = line - 1; end > Math.max(0, line - LINES_LEFT_OUT); end -= 1) {
    const readable = [...lines.slice(0, end), '---', ''].join('\n')
    const front = tryFront(readable)
    if (!(front instanceof FrontMatterError)) return { front, readable, fault }
  }
  return { front: {}, readable: '', fault }
}

/** Checks a SKILL.md; `own` is the folder's name if its author chose it. */
const checkSkillMd = (
  bytes: Buffer,
  files: readonly SkillFile[],
  slug: string,
  own: string | undefined,
): { front: FrontMatter; violations: Violation[] } => {
  const rule = 'front-matter'
  const text = decodeLoosely(bytes)
  const { front, readable, ...read } = readFront(text)
  const fault = findNotText(bytes) ?? read.fault
  const { name = '', description = '' } = front
  const paths = files.map(({ path }) => path)
  const isFirst = bytes.toString('latin1', 0, 3) === '---' || fault?.line === 1
  // Below a fault may stand what is missing above it.
  const breaches = checkSpecification(front, own).filter(
    ({ field }) => !read.fault || front[field] !== undefined,
  )
  const ofDescription = [
    ...(/[<>]/.test(description) ? [{ rule: 'description-markup' }] : []),
    ...(description === DRAFT_DESCRIPTION ? [{ rule: 'description-draft' }] : []),
    ...checkBudget(description),
  ]
  const violations = [
    ...(fault ? [fault] : []),
    ...(isFirst ? [] : [{ rule, detail: 'blank lines or a byte order mark stand before it' }]),
    ...breaches.map((one) => Object.assign(one, locateField(readable, one.field))),
    ...ofDescription.map((one) => Object.assign(one, locateField(readable, 'description'))),
    ...(isInternal(front) && own !== undefined ? [{ rule: 'internal' }] : []),
    ...checkFieldNames(readable),
    ...checkLength(text),
    ...checkLinks(text, new OwnFiles(paths, [slug, name])),
  ]
  return { front, violations }
}

const checkNames = (files: readonly SkillFile[]): (Violation & { path: string })[] => {
  const faults = findNameFaults(files.map(({ path }) => path))
  const odd = files.flatMap(({ path }) =>
    isSkillMd(path) && path !== SKILL_MD
      ? { path, detail: `many clients look for ${SKILL_MD} alone` }
      : [],
  )
  return [...faults, ...odd].map((one) => Object.assign({ rule: 'file-name' }, one))
}

const HEAD_RULES = { crlf: 'script-crlf', pointer: 'lfs-pointer' } as const

const checkHeads = (
  folder: string,
  files: readonly SkillFile[],
): (Violation & { path: string })[] =>
  files.flatMap(({ path }) => {
    const fault = findHeadFault(readSkillFile({ folder }, path))
    return fault === undefined ? [] : { path, rule: HEAD_RULES[fault] }
  })

/** What only its author can mend is no error of a catalog that has a copy. */
const soften = (one: Diagnostic): Diagnostic =>
  one.severity === 'error' ? { ...one, severity: 'warning' } : one

/** Checks the files of a skill; `isAuthors` tells whether this is where its author keeps them. */
const checkFiles = (
  { folder, fileName, shown }: Target,
  files: readonly SkillFile[],
  isAuthors: boolean,
): { front: FrontMatter; diagnostics: Diagnostic[] } => {
  const slug = basename(folder)
  const hasText = files.some(({ path }) => path === fileName)
  const { front, violations } = hasText
    ? checkSkillMd(readSkillFile({ folder }, fileName), files, slug, isAuthors ? slug : undefined)
    : { front: {}, violations: [] }
  const diagnostics = [
    ...violations.map((one) => createDiagnostic(posix.join(shown, fileName), one)),
    ...[...checkNames(files), ...checkHeads(folder, files)].map(({ path, ...one }) =>
      createDiagnostic(posix.join(shown, path), one),
    ),
  ]
  return { front, diagnostics: isAuthors ? diagnostics : diagnostics.map(soften) }
}

const reportFinding = (finding: Finding, shown: string): Diagnostic => {
  const { rule, severity, contexts, file, line, column, count, digest } = finding
  const more = count > 1 ? [`${count - 1} more like it in this file`] : []
  const detail = [...contexts, ...more].join('; ')
  const remedy = `${RULES.get(rule)?.remedy} If it is harmless, accept its digest, ${digest}.`
  const violation = { rule, severity, line, column, digest, detail, remedy }
  return createDiagnostic(posix.join(shown, file), violation)
}

/** What is wrong with lines such as `12-18` of a text; undefined if nothing is. */
const checkRange = (range: string, lines: readonly string[]): string | undefined => {
  const [first = 0, last = first] = range.split('-').map(Number)
  const shown = `rests on ${range.includes('-') ? 'lines' : 'line'} ${range}`
  if (last > lines.length) return `${shown}, but SKILL.md has ${countOf(lines.length, 'line')}`
  const isBlank = lines.slice(first - 1, last).every((line) => line.trim() === '')
  return isBlank ? `${shown}, where nothing stands` : undefined
}

/** Holds the lines that a record names for its parts against the text; it may name none at all. */
const checkPartLines = (skill: Skill, shown: string): Diagnostic[] => {
  const { parts, partsFrom } = skill
  // The text of a skill that is gone is not read.
  if (partsFrom === undefined || skill.visibility === 'gone') return []
  const hasText = skill.files[0]?.path === SKILL_MD
  const text = hasText ? decodeLoosely(readSkillFile(skill, SKILL_MD)) : ''
  const lines = text.trimEnd().split('\n')
  const record = decodeLoosely(readSkillFile(skill, RECORD_FILE))
  const file = posix.join(shown, RECORD_FILE)
  return EDITORIAL_NAMES.flatMap((name) => {
    const [part, ranges] = [parts[name], partsFrom[name]]
    const details = ranges?.map((range) => checkRange(range, lines)) ?? []
    if (part === undefined && ranges) details.push('has lines, but is not among the parts')
    if (part !== undefined && !ranges) details.push('has no lines in partsFrom')
    const field = `${ranges ? 'partsFrom' : 'parts'}.${name}`
    return details
      .filter((detail) => detail !== undefined)
      .map((detail) => ({ rule: 'part-lines', detail: `"${name}" ${detail}` }))
      .map((one) => createDiagnostic(file, Object.assign(one, locateField(record, field))))
  })
}

/** A skill after its check; facts are undefined where it has no record that can be read. */
interface CheckedSkill {
  diagnostics: Diagnostic[]
  facts?: SkillFacts
}

const readIn = (folder: string, path: string): Buffer => readSkillFile({ folder }, path)

/** What clients and the scan see in files; `record` is that of a skill which the build refuses. */
const checkAsClient = (
  target: Target,
  files: readonly SkillFile[],
  isAuthors: boolean,
  record?: SkillRecord,
): Diagnostic[] => {
  const { folder, shown } = target
  const { diagnostics, front } = checkFiles(target, files, isAuthors)
  const { name = basename(folder), description = '' } = { ...front, ...record }
  const accepted = record?.accepted
  const input = { folder, files, read: readIn, names: { name, description }, accepted }
  const findings = scanSkill(input).filter((one) => one.accepted === undefined)
  return [...diagnostics, ...findings.map((one) => reportFinding(one, shown))]
}

/** Checks the files of a skill that the build refuses; a fault that it names already is left out. */
const checkRefused = (
  target: Target,
  refused: readonly Diagnostic[],
  record: SkillRecord | undefined,
): Diagnostic[] => {
  const { files } = listSkillFiles(target.folder, '.')
  const isNamed = ({ rule, file, line }: Diagnostic): boolean =>
    rule === 'front-matter' && refused.some((one) => one.file === file && one.line === line)
  const isAuthors = record?.source.kind === 'own'
  return checkAsClient(target, files, isAuthors, record).filter((one) => !isNamed(one))
}

const checkRecorded = (target: Target, catalog: Folder): CheckedSkill => {
  const { skill, record, problems } = loadSkill(catalog.folder, basename(target.folder), {})
  const refused = reportProblems(catalog.folder, catalog.shown, problems)
  if (!skill) return { diagnostics: [...refused, ...checkRefused(target, refused, record)] }
  const { diagnostics } = checkFiles(target, skill.files, skill.source.kind === 'own')
  const findings = skill.findings
    .filter(({ accepted }) => accepted === undefined)
    .map((one) => reportFinding(one, target.shown))
  const ofParts = checkPartLines(skill, target.shown)
  return { diagnostics: [...diagnostics, ...findings, ...ofParts], facts: pickFacts(skill) }
}

/** What no copy will have of a folder, as an import says it; what is refused besides is told by its own rule. */
const reportOmissions = ({ shown, ...skill }: Target): Diagnostic[] =>
  listCopiedFiles(skill, openGitFiles(realpathSync(skill.folder)))
    .notices.filter(({ kind }) => REASONS[kind] !== undefined)
    .map(({ kind, path }) =>
      createDiagnostic(posix.join(shown, path), { rule: 'left-out', detail: REASONS[kind] }),
    )

const checkFolder = (target: Target): CheckedSkill => {
  const { folder, shown, inner } = target
  const listed = listSkillFiles(folder, '.')
  const files = listed.files.filter(({ path }) => !inner.some((one) => isInFolder(path, one)))
  const refused = reportProblems(folder, shown, listed.problems)
  const leftOut = reportOmissions(target)
  return { diagnostics: [...refused, ...leftOut, ...checkAsClient(target, files, true)] }
}

/** Checks a skill as the build reads it if it has a record, and as clients do. */
export const checkSkill = (target: Target): CheckedSkill => {
  const { catalog } = target
  const { diagnostics, ...more } = catalog ? checkRecorded(target, catalog) : checkFolder(target)
  const inOrder = diagnostics.sort((a, b) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
  )
  const groups = Map.groupBy(inOrder, ({ file, rule }) => `${rule} ${file}`)
  const few = new Set([...groups.values()].flatMap((same) => same.slice(0, PLACES_PER_RULE)))
  return { ...more, diagnostics: inOrder.filter((one) => few.has(one)) }
}
