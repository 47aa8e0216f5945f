import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { showValue } from '../../../src/catalog/text.ts'
import { UsageError } from '../cli/errors.ts'
import { findSkills } from '../import/find.ts'
import { isInFolder } from '../store/paths.ts'
import type { Diagnostic } from './diagnostic.ts'
import { createDiagnostic } from './rules.ts'

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
