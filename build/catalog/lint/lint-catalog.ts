import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { listSlugs, loadCatalog } from '../../../src/catalog/load.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { FILE_LIMIT, RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import { locateField } from './field-place.ts'
import { createFinding } from './lint-target.ts'
import { createLocator } from './places.ts'
import type { Finding } from './rule.ts'
import { shownPath } from './target.ts'
import type { Target } from './target.ts'

/** Where the parser of JSON stumbled, in its own words. */
const STUMBLED = /\(line (\d+) column (\d+)\)|^line (\d+):/

const readLoosely = (path: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() && stats.size <= FILE_LIMIT ? decodeLoosely(readFileSync(path)) : ''
}

const locateIn = (text: string, field: string, isProse: boolean): { at: number; end: number } => {
  if (!isProse) return locateField(text, field)
  const { block = '', start = 0 } = splitSkillMd(text)
  const { at, end } = locateField(block, field)
  return { at: at + start, end: end + start }
}

const placeProblem = (content: string, { file, field, remedy }: Problem) => {
  const [, line, column, fileLine] = STUMBLED.exec(remedy) ?? []
  const stumbled = Number(line ?? fileLine ?? 0)
  if (stumbled > 0) {
    const place = { line: stumbled, column: Number(column ?? 1) }
    return { ...place, end: place }
  }
  if (field === '' || !/\.(?:json|md)$/.test(file)) return {}
  const text = readLoosely(join(content, file))
  const { at, end } = locateIn(text, field, file.endsWith('.md'))
  const locate = createLocator(text)
  return { ...locate(at), end: locate(end) }
}

const toFinding = (content: string, shown: string, problem: Problem): Finding => {
  const { file, field, value, remedy } = problem
  const what = [field, value === undefined ? '' : showValue(value)].filter(Boolean).join(': ')
  return createFinding('catalog-record', shownPath(shown, file), {
    ...placeProblem(content, problem),
    message: what === '' ? 'the build refuses this file' : `${what} is refused by the build`,
    remedy,
  })
}

const findProblems = (content: string): readonly Problem[] => {
  try {
    loadCatalog(content)
    return []
  } catch (error) {
    if (error instanceof ContentError) return error.problems
    throw error
  }
}

const isRead = (finding: Finding): boolean => finding.severity === 'error'

/**
 * Finds what the build would refuse in a catalog, and where it stands. What its skills' own findings
 * say already is not said again.
 */
export const lintRecords = (
  content: string,
  shown: string,
  known: readonly Finding[],
): Finding[] => {
  const told = new Set(known.filter(isRead).map(({ file }) => file))
  return findProblems(content)
    .map((problem) => toFinding(content, shown, problem))
    .filter(({ file }) => !told.has(file))
}

/** Says whether a skill of a catalog is the registry's own, so that its text may be mended here. */
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

/** Lists the skills of a catalog that have a text; those from elsewhere are their authors' and stay as they are. */
export const listCatalogTargets = (content: string, shown: string): Target[] =>
  listSlugs(content).flatMap((slug) => {
    const folder = join(content, 'skills', slug)
    if (!existsSync(join(folder, SKILL_MD))) return []
    const isNamedByFolder = isOwn(folder)
    return [
      {
        folder,
        fileName: SKILL_MD,
        shown: shownPath(shown, `skills/${slug}`),
        inner: [],
        isAlone: false,
        isNamedByFolder,
        mayChange: isNamedByFolder,
      },
    ]
  })
