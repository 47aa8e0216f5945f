import { existsSync, realpathSync, statSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { YAML_OPTIONS, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { findMisfits, listSlugs, loadSiteContent } from '../../../src/catalog/load.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { FILE_LIMIT, loadSkill } from '../../../src/catalog/skill-folder.ts'
import { RECORD_FILE, SKILL_MD, pickFacts } from '../../../src/catalog/skill.ts'
import type { SkillFacts } from '../../../src/catalog/skill.ts'
import { showValue, decodeLoosely } from '../../../src/catalog/text.ts'
import { UsageError } from '../cli/command.ts'
import { findSkills, isInFolder } from '../import/find.ts'
import { createLocator } from './rule.ts'
import type { Diagnostic } from './rule.ts'
import { createDiagnostic } from './rules.ts'
import { findPair, rangeOf } from './rules/front-matter.ts'

export interface Target {
  folder: string
  fileName: string
  /** How the folder is shown; empty for the one the command runs in. */
  shown: string
  /** Paths inside the folder that are skills of their own. */
  inner: readonly string[]
  /** Only the file was named: the rest of the folder is not looked at. */
  isAlone: boolean
  /** The name has to be that of the folder: not where a catalog chose the folder's name. */
  isNamedByFolder: boolean
  /** The file may be changed: not where it is the copy of somebody else's. */
  mayChange: boolean
}

/** A skill outside of a catalog, all of its folder. */
const FREE = { inner: [], isAlone: false, isNamedByFolder: true, mayChange: true } as const

/** How a file of a folder is shown. */
export const shownPath = (shown: string, path: string): string =>
  [shown, path].filter(Boolean).join('/')

/** Skills, catalogs, and what was noticed on the way to them. */
interface Targets {
  targets: Target[]
  catalogs: { folder: string; shown: string }[]
  diagnostics: Diagnostic[]
}

const findBelow = (folder: string, shown: string): Targets => {
  const { found, skips } = findSkills(folder)
  const targets = found.map((skill): Target => ({
    ...FREE,
    folder: skill.folder,
    fileName: skill.fileName,
    shown: shownPath(shown, skill.path),
    inner: skill.inner,
  }))
  // What lies in a skill's folder is told with the skill.
  const diagnostics = skips
    .filter(({ path }) => !found.some((skill) => isInFolder(path, skill.path)))
    .map(({ path, reason: detail, remedy }) =>
      createDiagnostic('folder-unread', shownPath(shown, path), { detail, remedy }),
    )
  if (targets.length === 0) diagnostics.push(createDiagnostic('file-missing', shown || '.'))
  return { targets, catalogs: [], diagnostics }
}

/** How a path is shown: from where the command runs, where it lies below. */
const showPath = (path: string, from: string): string => {
  const inside = relative(from, path)
  return (inside.startsWith('..') ? path : inside).split(sep).join('/')
}

const findAt = (named: string, from: string): Targets => {
  const stats = statSync(resolve(from, named), { throwIfNoEntry: false })
  if (stats === undefined) {
    throw new UsageError(`${showValue(named, 200)} is not there; name a SKILL.md or a folder.`)
  }
  const path = realpathSync(resolve(from, named))
  if (stats.isFile()) {
    const folder = dirname(path)
    const file = { folder, fileName: basename(path), shown: showPath(folder, from) }
    const target = { ...FREE, ...file, isAlone: true }
    return { targets: [target], catalogs: [], diagnostics: [] }
  }
  if (!stats.isDirectory()) {
    throw new UsageError(`${showValue(named, 200)} is neither a file nor a folder.`)
  }
  const shown = showPath(path, from)
  // A catalog names a registry and holds skills.
  return ['site.json', 'skills'].every((name) => existsSync(join(path, name)))
    ? { targets: [], catalogs: [{ folder: path, shown }], diagnostics: [] }
    : findBelow(path, shown)
}

/** Finds what lies at the given paths, each skill once. Throws UsageError. */
export const findTargets = (paths: readonly string[], from: string): Targets => {
  const targets = new Map<string, Target>()
  const catalogs = new Map<string, Targets['catalogs'][number]>()
  const diagnostics: Diagnostic[] = []
  for (const path of paths) {
    const found = findAt(path, from)
    for (const one of found.targets) targets.set(join(one.folder, one.fileName), one)
    for (const one of found.catalogs) catalogs.set(one.folder, one)
    diagnostics.push(...found.diagnostics)
  }
  return { targets: [...targets.values()], catalogs: [...catalogs.values()], diagnostics }
}

const readLoosely = (path: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() && stats.size <= FILE_LIMIT ? decodeLoosely(readFileSync(path)) : ''
}

const findPart = (node: unknown, part: string): unknown => {
  if (isSeq(node)) return node.items[Number(part)]
  return isMap(node) ? findPair(node, part)?.value : undefined
}

/**
 * Finds the position of a field such as `source.url` in YAML or JSON, or of its nearest existing parent.
 */
const locateField = (text: string, field: string): { start: number; end: number } => {
  let node: unknown = parseDocument(text, YAML_OPTIONS).contents
  for (const part of field.split('.')) {
    const next = findPart(node, part)
    if (next === undefined || next === null) break
    node = next
  }
  const { start, end } = rangeOf(node)
  // Point at the beginning of a record, not at all of it.
  return { start, end: isScalar(node) ? end : start }
}

/** The position in a parser's message. */
const STUMBLED = /\(line (\d+) column (\d+)\)|^line (\d+):/

/** Finds a problem's position in its file; undefined if it concerns the file as a whole. */
const placeProblem = (content: string, { file, field, remedy }: Problem) => {
  const [, jsonLine, column = 1, yamlLine] = STUMBLED.exec(remedy) ?? []
  const line = jsonLine ?? yamlLine
  if (line !== undefined) return { line: Number(line), column: Number(column) }
  if (field === '' || !/\.(?:json|md)$/.test(file)) return {}
  const text = readLoosely(join(content, file))
  const { block = '', start: by = 0 } = file.endsWith('.md') ? splitSkillMd(text) : { block: text }
  const { start, end } = locateField(block, field)
  const locate = createLocator(text)
  return { ...locate(by + start), end: locate(by + end) }
}

const reportProblem = (content: string, shown: string, problem: Problem): Diagnostic => {
  const { file, field, value, remedy } = problem
  const what = [field, value === undefined ? '' : showValue(value)].filter(Boolean).join(' ')
  return createDiagnostic('catalog-record', shownPath(shown, file), {
    ...placeProblem(content, problem),
    detail: what === '' ? undefined : what,
    remedy,
  })
}

/** Reports what the build would refuse in a catalog besides its skills, whose facts are `skills`. */
export const checkCatalog = (
  content: string,
  shown: string,
  skills: readonly SkillFacts[],
): Diagnostic[] => {
  const { problems, ...site } = loadSiteContent(content)
  return [...problems, ...findMisfits(site, skills)].map((problem) =>
    reportProblem(content, shown, problem),
  )
}

/** A skill of a catalog, whose record is checked. */
export interface RecordTask {
  content: string
  shown: string
  slug: string
}

/** Loads a skill as the build does: its facts, or why the build would refuse it. */
export const checkRecord = ({ content, shown, slug }: RecordTask) => {
  const { skill, problems } = loadSkill(content, slug, {})
  return {
    slug,
    facts: skill && pickFacts(skill),
    diagnostics: problems.map((problem) => reportProblem(content, shown, problem)),
  }
}

/** Whether a skill of a catalog is the registry's own, so that its text may be fixed here. */
const isOwn = (folder: string): boolean => {
  try {
    const record: unknown = JSON.parse(readLoosely(join(folder, RECORD_FILE)))
    const source = (record as { source?: { kind?: unknown } } | null)?.source
    return source?.kind === 'own'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Lists the skills with a text; those from elsewhere are never changed. */
export const listCatalogTargets = (content: string, shown: string): Target[] =>
  listSlugs(content)
    .map((slug) => ({ slug, folder: join(content, 'skills', slug) }))
    .filter(({ folder }) => existsSync(join(folder, SKILL_MD)))
    .map(({ slug, folder }) => {
      const isOurs = isOwn(folder)
      return {
        folder,
        fileName: SKILL_MD,
        shown: shownPath(shown, `skills/${slug}`),
        inner: [],
        isAlone: false,
        isNamedByFolder: isOurs,
        mayChange: isOurs,
      }
    })
