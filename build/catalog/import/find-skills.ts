import { existsSync, lstatSync, readdirSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { SKILL_MD } from '../../../src/catalog/skill-files.ts'
import { isUnreadable } from '../faults.ts'
import type { Skip } from './report.ts'

/** A folder that holds a SKILL.md. */
export interface FoundSkill {
  /** Path from the source's root with `/`, empty for the root itself. */
  path: string
  folder: string
  /** Name of the file as it lies there; some are `skill.md`. */
  fileName: string
  /** Paths inside the folder that are skills of their own and no part of this one. */
  inner: string[]
}

/** Folders of a skill whose content is its own, a whole skill kept as an example included. */
const OWN_FOLDERS = new Set(['references', 'scripts', 'assets'])

/** Folders that belong to a tool, not to an author. */
const TOOL_FOLDERS = new Set(['.git', 'node_modules'])

const findSkillMd = (entries: readonly Dirent[]): string | undefined =>
  entries
    .filter((entry) => !entry.isDirectory() && entry.name.toUpperCase() === SKILL_MD.toUpperCase())
    .map(({ name }) => name)
    .sort()[0]

interface Walk {
  root: string
  found: FoundSkill[]
  skips: Skip[]
}

const skipLink = (walk: Walk, path: string, full: string): void => {
  if (!existsSync(join(full, SKILL_MD))) return
  walk.skips.push({
    path,
    kind: 'bad',
    reason: 'the folder is a symlink, which is never followed',
    remedy: 'import the folder it leads to, or copy it here',
  })
}

const readEntries = (walk: Walk, path: string): Dirent[] => {
  try {
    return readdirSync(join(walk.root, path), { withFileTypes: true })
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const remedy = 'change its rights and import again'
    walk.skips.push({ path, kind: 'bad', reason: 'the folder may not be read', remedy })
    return []
  }
}

const walkFolder = (walk: Walk, path: string, outer: FoundSkill | undefined): void => {
  const entries = readEntries(walk, path).sort((a, b) => (a.name < b.name ? -1 : 1))
  const fileName = findSkillMd(entries)
  let holder = outer
  if (fileName !== undefined) {
    holder = { path, folder: join(walk.root, path), fileName, inner: [] }
    walk.found.push(holder)
    if (outer) outer.inner.push(path.slice(outer.path === '' ? 0 : outer.path.length + 1))
  }
  for (const entry of entries) {
    if (TOOL_FOLDERS.has(entry.name)) continue
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isSymbolicLink()) skipLink(walk, below, join(walk.root, below))
    else if (entry.isDirectory() && !(holder && OWN_FOLDERS.has(entry.name))) {
      walkFolder(walk, below, holder)
    }
  }
}

/** Finds every skill below a folder, by path; nothing outside it is looked at. */
export const findSkills = (root: string): { found: FoundSkill[]; skips: Skip[] } => {
  const walk: Walk = { root, found: [], skips: [] }
  if (lstatSync(root).isDirectory()) walkFolder(walk, '', undefined)
  const found = walk.found.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { found, skips: walk.skips }
}
