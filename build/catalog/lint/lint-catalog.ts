import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { YAML_OPTIONS, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { listSlugs, loadCatalog } from '../../../src/catalog/load.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { FILE_LIMIT } from '../../../src/catalog/skill-folder.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { createLocator } from './diagnostic.ts'
import type { Diagnostic } from './diagnostic.ts'
import { createDiagnostic } from './rules.ts'
import { findPair, rangeOf } from './rules/yaml.ts'
import { shownPath } from './targets.ts'
import type { Target } from './targets.ts'

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

/**
 * Reports what the build would refuse in a catalog, except for files with `known` errors.
 */
export const lintRecords = (
  content: string,
  shown: string,
  known: readonly Diagnostic[],
): Diagnostic[] => {
  const told = new Set(known.filter(({ severity }) => severity === 'error').map(({ file }) => file))
  try {
    loadCatalog(content)
    return []
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    return error.problems
      .map((problem) => reportProblem(content, shown, problem))
      .filter(({ file }) => !told.has(file))
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
