import { basename, posix } from 'node:path'
import { FrontMatterError, isInternal, tryFrontMatter } from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import type { GitBits } from '../../../src/catalog/fingerprint.ts'
import { OwnFiles } from '../../../src/catalog/needs/files.ts'
import { scanSkill } from '../../../src/catalog/safety/scan.ts'
import { OLD_DIGITS } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { listAsks } from '../../../src/catalog/parts.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { refuseExcess, listSkillFiles, readSkillFiles } from '../../../src/catalog/folder-files.ts'
import { makeSkill, openSkill } from '../../../src/catalog/skill-folder.ts'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { RECORD_FILE, hasText, pickFacts } from '../../../src/catalog/skill.ts'
import type { JudgedSkill } from '../../../src/catalog/policy.ts'
import type { Finding, Skill, SkillFile } from '../../../src/catalog/skill.ts'
import { checkSpecification } from '../../../src/catalog/specification.ts'
import { NotTextError, decodeLoosely, decodeText, showValue } from '../../../src/catalog/text.ts'
import { estimateTokens } from '../../../src/catalog/tokens.ts'
import { listCopiedFiles } from '../import/copied.ts'
import {
  findBadNames,
  findHeadFault,
  findNameFaults,
  findUploadFaults,
} from '../import/file-faults.ts'
import type { FileViolation } from '../import/file-faults.ts'
import { isInFolder } from '../import/find.ts'
import type { FoundSkill } from '../import/find.ts'
import type { GitFiles } from '../import/git/tracked.ts'
import { checkFields, checkTools } from './check-fields.ts'
import { PLACES_PER_RULE, findDuplicates, locateField, placeAt, placeProblems } from './places.ts'
import { ADVISED, DRAFT_DESCRIPTION, RULES, makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'

/** A folder, and its name in messages (empty for the working folder). */
export interface Folder {
  folder: string
  shown: string
}

export interface Target extends Folder {
  /** The name of its SKILL.md as it is spelt on the disk. */
  fileName: string
  /** Paths of other skills inside this folder. */
  inner: readonly string[]
  link?: FoundSkill['link']
  /** Git's view of the source folder, such as which files it tracks. */
  git: GitFiles
  /** The catalog that contains it; undefined for a folder elsewhere. */
  catalog?: Folder
  /** Executable bits; only for a skill of a catalog. */
  bits?: GitBits | undefined
}

interface OpenedTarget extends Target {
  files: readonly SkillFile[]
  bytes: ReadonlyMap<string, Buffer>
  /** Why the build would refuse it. */
  problems: readonly Problem[]
  /** Its files that are not copied. */
  omitted: readonly FileViolation[]
  /** Only for a skill of a catalog. */
  opened?: OpenedSkill
}

export const openTarget = (target: Target): OpenedTarget => {
  const { folder, fileName, inner, link, git, catalog, bits } = target
  if (catalog) {
    const opened = openSkill(catalog.folder, basename(folder), bits)
    const { omitted } = listSkillFiles(folder, '', { bits })
    return { ...target, ...opened, omitted, opened }
  }
  const { problems, omitted } = listCopiedFiles(target, git)
  const foreign = omitted.filter(({ rule }) => rule === 'submodule')
  // Unlike an import, this includes files that git does not track yet.
  const { judgeTarget } = git
  const isLinked = link === 'folder'
  const { files } = listSkillFiles(folder, '.', { judgeTarget, isLinked, skillMd: fileName })
  const ownFiles = files.filter(
    ({ path }) =>
      !inner.some((skill) => isInFolder(path, skill)) &&
      !foreign.some((other) => path.startsWith(other.path)),
  )
  const bytes = readSkillFiles(folder, ownFiles)
  return { ...target, files: ownFiles, problems, omitted, bytes }
}

const checkLength = (text: string): Violation[] => {
  const lines = text.trimEnd().split('\n').length
  const tokens = estimateTokens(text)
  const detail = `${lines} lines, about ${tokens} tokens`
  return lines > ADVISED.lines || tokens > ADVISED.tokens ? [{ rule: 'skill-length', detail }] : []
}

/** Composed and decomposed letters look equal, so the message says how the names differ. */
const describeSpelling = (name: string, file: string): string =>
  name.normalize('NFC').endsWith(file.normalize('NFC'))
    ? `${showValue(name)} composes its letters in another way than the file's name`
    : `${showValue(name)}; the file is ${showValue(file)}`

const checkLinks = (text: string, own: OwnFiles): Violation[] => {
  const source = text.replace(/\r\n?/g, '\n')
  const found = findBadNames(source, own)
  if (typeof found === 'string')
    return [{ rule: 'unchecked', detail: `its Markdown ${found}, so its links were not checked` }]
  return found.map(({ name, file, at }) => {
    const rule = file === undefined ? 'link-dead' : 'name-spelling'
    const detail = file === undefined ? showValue(name) : describeSpelling(name, file)
    return Object.assign(placeAt(source, at), { rule, detail })
  })
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

/** How many lines may be dropped above a fault: the parser notices an unclosed quote only at the end. */
const LINES_DROPPED = 20

/** Reads the fields of a front matter, and the lines that have them: all, or those above a fault. */
const readFront = (text: string): { front: FrontMatter; readable: string; fault?: Violation } => {
  const read = tryFrontMatter(text)
  if (!(read instanceof FrontMatterError)) return { front: read, readable: text }
  const { line, reason, remedy } = read
  const fault = { rule: 'front-matter', line, detail: reason, remedy }
  const lines = text.split('\n', line)
  for (let end = line - 1; end > Math.max(0, line - LINES_DROPPED); end -= 1) {
    const readable = [...lines.slice(0, end), '---', ''].join('\n')
    const front = tryFrontMatter(readable)
    if (!(front instanceof FrontMatterError)) return { front, readable, fault }
  }
  return { front: {}, readable: '', fault }
}

/** Checks a SKILL.md; `chosenName` is the folder's name if the author chose it. */
const checkSkillMd = (
  bytes: Buffer,
  files: readonly SkillFile[],
  slug: string,
  chosenName: string | undefined,
  isInCatalog: boolean,
): { front: FrontMatter; violations: Violation[] } => {
  const rule = 'front-matter'
  const text = decodeLoosely(bytes)
  const { front, readable, ...read } = readFront(text)
  const fault = findNotText(bytes) ?? read.fault
  const { name = '', description = '' } = front
  const paths = files.map(({ path }) => path)
  const isFirst = bytes.toString('latin1', 0, 3) === '---' || fault?.line === 1
  // A field missing above a fault may be below it.
  const breaches = checkSpecification(front, chosenName).filter(
    ({ field }) => !read.fault || front[field] !== undefined,
  )
  const ofDescription = [
    ...(/[<>]/.test(description) ? [{ rule: 'description-markup' }] : []),
    ...(description === DRAFT_DESCRIPTION ? [{ rule: 'description-draft' }] : []),
  ]
  const violations = [
    ...(fault ? [fault] : []),
    ...(isInternal(front) && chosenName !== undefined
      ? [
          {
            rule: isInCatalog ? 'internal' : 'unlisted',
            ...locateField(readable, 'metadata.internal'),
          },
        ]
      : []),
    ...(isFirst ? [] : [{ rule, detail: 'it is preceded by blank lines or a byte order mark' }]),
    ...breaches.map((breach) => Object.assign(breach, locateField(readable, breach.field))),
    ...ofDescription.map((violation) =>
      Object.assign(violation, locateField(readable, 'description')),
    ),
    ...checkFields(readable),
    ...checkTools(readable, front['allowed-tools']),
    ...checkLength(text),
    ...checkLinks(text, new OwnFiles(paths, [slug, name])),
  ]
  return { front, violations }
}

const checkHeads = ({ files, bytes }: Pick<OpenedTarget, 'files' | 'bytes'>): FileViolation[] =>
  files.flatMap(({ path }) => {
    // Files beyond the limits of clients were not read.
    const rule = findHeadFault(bytes.get(path) ?? Buffer.alloc(0))
    return rule === undefined ? [] : { path, rule }
  })

/** Turns an error into a warning, because only the author can fix a copied skill. */
const downgrade = (diagnostic: Problem): Problem =>
  diagnostic.severity === 'error' ? { ...diagnostic, severity: 'warning' } : diagnostic

/** Checks the files of a skill; `isOriginal` is true for the author's folder and false for a copy. */
const checkFiles = (
  target: OpenedTarget,
  isOriginal: boolean,
): { front: FrontMatter; diagnostics: Problem[] } => {
  const { folder, fileName, shown, files, omitted, bytes, catalog } = target
  const paths = files.map(({ path }) => path)
  const slug = basename(folder)
  const chosenName = isOriginal ? slug : undefined
  const skillMd = bytes.get(fileName)
  const { front, violations } = skillMd
    ? checkSkillMd(skillMd, files, slug, chosenName, catalog !== undefined)
    : { front: {}, violations: [] }
  const text = decodeLoosely(skillMd ?? new Uint8Array())
  const uploads = findUploadFaults(front, paths).map(({ field, ...fault }) =>
    Object.assign(fault, field && locateField(text, field)),
  )
  // Of a copy, the curator has seen in the import's report what else is left out.
  const left = omitted.filter(({ rule }) => isOriginal || rule === 'same-name')
  const ofFiles = [...uploads, ...findNameFaults(paths), ...checkHeads(target), ...left]
  const diagnostics = [
    ...violations.map((violation) => makeProblem(posix.join(shown, fileName), violation)),
    ...ofFiles.map(({ path, ...violation }) => makeProblem(posix.join(shown, path), violation)),
  ]
  return { front, diagnostics: isOriginal ? diagnostics : diagnostics.map(downgrade) }
}

const reportFinding = (finding: Finding, shown: string): Problem => {
  const { rule, severity, contexts, file, line, column, count, digest } = finding
  const more = count > 1 ? [`${count - 1} more like it in this file`] : []
  const detail = [...contexts, ...more].join('; ')
  const remedy = `${RULES.get(rule)?.remedy} If it is harmless, accept it with accept-finding.`
  const violation = { rule, severity, line, column, digest, detail, remedy }
  return makeProblem(posix.join(shown, file), violation)
}

const OLD_ACCEPTANCE = {
  rule: 'acceptance-unused',
  remedy:
    'version 1.0.0 wrote its digest, which is too short; read the finding and run accept-finding, which replaces this row',
}

/**
 * Reports faults in a record that the build ignores: duplicate fields, accepted findings that no longer exist, and
 * example prompts that are not searched, or missing.
 */
const checkRecord = (
  { accepted = [], parts = {} }: SkillRecord,
  skill: Skill,
  { shown, bytes }: OpenedTarget,
): Problem[] => {
  const text = decodeLoosely(bytes.get(RECORD_FILE)!)
  // A gone skill has no text to scan.
  const rows = skill.files.length === 0 ? [] : accepted
  const unused = rows.flatMap(({ rule, file, digest }, at): Violation[] => {
    const isFound = skill.findings.some(
      (finding) => finding.rule === rule && finding.file === file && finding.digest === digest,
    )
    const detail = `${showValue(rule)} in ${showValue(file)}`
    const place = locateField(text, `accepted.${at}`)
    const kind = digest.length === OLD_DIGITS ? OLD_ACCEPTANCE : { rule: 'acceptance-unused' }
    return isFound ? [] : [{ ...kind, detail, ...place }]
  })
  const asks = listAsks(parts)
  const unread = (parts.examples ?? []).flatMap((ask, at): Violation[] => {
    const place = locateField(text, `parts.examples.${at}`)
    return asks[at] === ask ? [] : [{ rule: 'ask-unread', detail: showValue(ask), ...place }]
  })
  if (asks.length === 0 && hasText(skill)) unread.push({ rule: 'no-asks' })
  const file = posix.join(shown, RECORD_FILE)
  return [...findDuplicates(text), ...unused, ...unread].map((violation) =>
    makeProblem(file, violation),
  )
}

/** The result for a skill; `facts` is undefined without a valid record. */
interface CheckedSkill {
  diagnostics: Problem[]
  facts?: JudgedSkill
}

/** Checks files as clients and the safety scan read them; `record` is set for a skill that the build refuses. */
const checkAsClient = (
  target: OpenedTarget,
  isOriginal: boolean,
  record?: SkillRecord,
): Problem[] => {
  const { folder, shown, bytes } = target
  const { diagnostics, front } = checkFiles(target, isOriginal)
  const { name = basename(folder), description = '' } = { ...front, ...record }
  // Files beyond the limits of clients were not read.
  const files = target.files.filter(({ path }) => bytes.has(path))
  const read = (path: string): Buffer => bytes.get(path)!
  const input = { files, read, names: { name, description }, record }
  const findings = scanSkill(input).filter((finding) => finding.accepted === undefined)
  return [...diagnostics, ...findings.map((finding) => reportFinding(finding, shown))]
}

/** Checks the files of a skill that the build refuses, without repeating the faults in `refused`. */
const checkRefused = (
  target: OpenedTarget,
  refused: readonly Problem[],
  record: SkillRecord | undefined,
): Problem[] => {
  const isKnown = ({ rule, file, line }: Problem): boolean =>
    rule === 'front-matter' &&
    refused.some((problem) => problem.file === file && problem.line === line)
  const isOriginal = record?.source.kind === 'own'
  return checkAsClient(target, isOriginal, record).filter((diagnostic) => !isKnown(diagnostic))
}

const checkRecorded = (
  target: OpenedTarget,
  catalog: Folder,
  opened: OpenedSkill,
): CheckedSkill => {
  const { skill, problems } = makeSkill(opened)
  const readNamed = (file: string) => opened.bytes.get(file.slice(`skills/${opened.slug}/`.length))
  const refused = placeProblems(readNamed, catalog.shown, problems)
  if (!skill || !opened.record)
    return { diagnostics: [...refused, ...checkRefused(target, refused, opened.record)] }
  const listed = { ...target, files: skill.files }
  const { diagnostics } = checkFiles(listed, skill.source.kind === 'own')
  const findings = skill.findings
    .filter(({ accepted }) => accepted === undefined)
    .map((finding) => reportFinding(finding, target.shown))
  const ofRecord = checkRecord(opened.record, skill, target)
  const { findings: found, copyOf, refusal } = skill
  const facts = { ...pickFacts(skill), findings: found, copyOf, refusal }
  return { diagnostics: [...diagnostics, ...findings, ...ofRecord], facts }
}

const checkFolder = (target: OpenedTarget): CheckedSkill => {
  const problems = [...target.problems, ...refuseExcess('./', target.files)]
  const refused = placeProblems(() => undefined, target.shown, problems)
  return { diagnostics: [...refused, ...checkAsClient(target, true)] }
}

const comparePlaces = (a: Problem, b: Problem): number => a.line! - b.line! || a.column! - b.column!

/**
 * Checks a skill as clients read it and, if it has a record, as the build reads it. The text is untrusted: set a time
 * limit for the call.
 */
export const checkSkill = (target: OpenedTarget): CheckedSkill => {
  const { catalog, opened } = target
  const { diagnostics, ...facts } =
    catalog && opened ? checkRecorded(target, catalog, opened) : checkFolder(target)
  const inOrder = diagnostics.sort((a, b) =>
    a.file === b.file ? comparePlaces(a, b) : a.file < b.file ? -1 : 1,
  )
  const groups = Map.groupBy(inOrder, ({ file, rule }) => `${rule} ${file}`)
  const few = new Set([...groups.values()].flatMap((same) => same.slice(0, PLACES_PER_RULE)))
  return { ...facts, diagnostics: inOrder.filter((diagnostic) => few.has(diagnostic)) }
}
