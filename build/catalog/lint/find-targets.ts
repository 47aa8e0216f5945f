import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { showValue } from '../../../src/catalog/text.ts'
import { UsageError } from '../cli/errors.ts'
import { findSkills } from '../import/find.ts'
import { createFinding } from './lint-target.ts'
import type { Finding } from './rule.ts'
import { shownPath } from './target.ts'
import type { Target } from './target.ts'

/** What is to be looked at: skills, catalogs, and what was found on the way to them. */
export interface Found {
  targets: Target[]
  catalogs: { folder: string; shown: string }[]
  findings: Finding[]
}

/** Gives how a path is shown: from where the command runs, where it lies below. */
const showPath = (path: string, from: string): string => {
  const inside = relative(from, path)
  return (inside.startsWith('..') ? path : inside).split(sep).join('/')
}

/** Says whether a folder is a catalog: it names a registry and holds skills. */
const isCatalog = (folder: string): boolean =>
  existsSync(join(folder, 'site.json')) && existsSync(join(folder, 'skills'))

const targetOfFile = (path: string, from: string): Target => ({
  folder: dirname(path),
  fileName: basename(path),
  shown: showPath(dirname(path), from),
  inner: [],
  isAlone: true,
  isNamedByFolder: true,
  mayChange: true,
})

const findBelow = (folder: string, shown: string): Found => {
  const { found, skips } = findSkills(folder)
  const targets = found.map((skill) => ({
    folder: skill.folder,
    fileName: skill.fileName,
    shown: shownPath(shown, skill.path),
    inner: skill.inner,
    isAlone: false,
    isNamedByFolder: true,
    mayChange: true,
  }))
  // What lies in a skill's folder is told with the skill.
  const isInSkill = (path: string): boolean =>
    found.some((skill) => skill.path === '' || path.startsWith(`${skill.path}/`))
  const unread = skips
    .filter(({ path }) => !isInSkill(path))
    .map(({ path, reason, remedy }) =>
      createFinding('folder-unread', shownPath(shown, path), { message: reason, remedy }),
    )
  const missing = targets.length > 0 ? [] : [createFinding('file-missing', shown || '.')]
  return { targets, catalogs: [], findings: [...unread, ...missing] }
}

const findAt = (named: string, from: string): Found => {
  const stats = statSync(resolve(from, named), { throwIfNoEntry: false })
  if (stats === undefined) {
    throw new UsageError(`${showValue(named, 200)} is not there; name a SKILL.md or a folder.`)
  }
  const path = realpathSync(resolve(from, named))
  if (stats.isFile()) return { targets: [targetOfFile(path, from)], catalogs: [], findings: [] }
  if (!stats.isDirectory()) {
    throw new UsageError(`${showValue(named, 200)} is neither a file nor a folder.`)
  }
  const shown = showPath(path, from)
  return isCatalog(path)
    ? { targets: [], catalogs: [{ folder: path, shown }], findings: [] }
    : findBelow(path, shown)
}

const byPlace = <One>(ones: readonly One[], placeOf: (one: One) => string): One[] => [
  ...new Map(ones.map((one) => [placeOf(one), one])).values(),
]

/** Finds what lies at the given paths, each skill once. Throws UsageError. */
export const findTargets = (paths: readonly string[], from: string): Found => {
  const all = paths.map((path) => findAt(path, from))
  return {
    targets: byPlace(
      all.flatMap(({ targets }) => targets),
      ({ folder, fileName }) => join(folder, fileName),
    ),
    catalogs: byPlace(
      all.flatMap(({ catalogs }) => catalogs),
      ({ folder }) => folder,
    ),
    findings: all.flatMap(({ findings }) => findings),
  }
}
