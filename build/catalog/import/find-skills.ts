import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import { isUnreadable } from '../cli/errors.ts'
import type { Skip } from './report.ts'
import { TOOL_FOLDERS } from './tool-folders.ts'

/** A folder that holds a SKILL.md. */
export interface FoundSkill {
  /** Path from the source's root with `/`, empty for the root itself. */
  path: string
  folder: string
  /** Name of the file as it lies there; some are `skill.md`. */
  fileName: string
  /** Whether it, or its file, is a link to what lies elsewhere. */
  isLink: boolean
  /** Paths inside the folder that are skills of their own and no part of this one. */
  inner: string[]
}

/** Folders of a skill whose content is its own, a whole skill kept as an example included. */
const OWN_FOLDERS = new Set(['references', 'scripts', 'assets'])

const findSkillMd = (entries: readonly Dirent[]): Dirent | undefined =>
  entries
    .filter((entry) => !entry.isDirectory() && entry.name.toUpperCase() === SKILL_MD.toUpperCase())
    .sort((a, b) => (a.name < b.name ? -1 : 1))[0]

interface Walk {
  root: string
  /** Real path that no link may lead out of: the repository that the root lies in. */
  bounds: string
  found: FoundSkill[]
  skips: Skip[]
  /** Links to folders, by the path they lie at; they are looked into last. */
  links: string[]
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
  const file = findSkillMd(entries)
  let holder = outer
  if (file) {
    const isLink = file.isSymbolicLink()
    holder = { path, folder: join(walk.root, path), fileName: file.name, isLink, inner: [] }
    walk.found.push(holder)
    if (outer) outer.inner.push(path.slice(outer.path === '' ? 0 : outer.path.length + 1))
  }
  for (const entry of entries) {
    if (TOOL_FOLDERS.has(entry.name) || (holder && OWN_FOLDERS.has(entry.name))) continue
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isSymbolicLink()) walk.links.push(below)
    else if (entry.isDirectory()) walkFolder(walk, below, holder)
  }
}

/** Says whether a real path is a folder or lies below it. */
const isInside = (path: string, bounds: string): boolean =>
  path === bounds || path.startsWith(bounds + sep)

/** Gives the real path of a link to a folder; undefined for a link to a file, to nowhere or to itself. */
const followLink = (full: string): string | undefined => {
  try {
    const target = realpathSync(full)
    return statSync(target).isDirectory() ? target : undefined
  } catch (error) {
    if (isUnreadable(error) || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Looks into a link to a folder: what it leads to has been found already, lies where nothing is
 * looked for, or is out of bounds. Links behind it are not followed, so no circle has an end to miss.
 */
const takeLink = (walk: Walk, path: string, known: Set<string>): void => {
  const target = followLink(join(walk.root, path))
  if (target === undefined) return
  const file = isInside(target, walk.bounds) ? findSkillMd(readEntries(walk, path)) : undefined
  if (!isInside(target, walk.bounds)) {
    const reason = 'the folder is a symlink that leads out of the source'
    const remedy = 'import the folder it leads to, or copy it here'
    walk.skips.push({ path, kind: 'bad', reason, remedy })
  } else if (file && !known.has(target)) {
    known.add(target)
    walk.found.push({ path, folder: target, fileName: file.name, isLink: true, inner: [] })
  }
}

/**
 * Finds every skill below a folder, by path; links are followed as far as `bounds`, and what two of
 * them lead to is found once.
 */
export const findSkills = (
  root: string,
  bounds: string = root,
): { found: FoundSkill[]; skips: Skip[] } => {
  const walk: Walk = { root, bounds: realpathSync(bounds), found: [], skips: [], links: [] }
  if (lstatSync(root).isDirectory()) walkFolder(walk, '', undefined)
  const known = new Set(walk.found.map(({ folder }) => realpathSync(folder)))
  for (const path of walk.links) takeLink(walk, path, known)
  const found = walk.found.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { found, skips: walk.skips }
}

/** Gives a skill's real folder from the bounds of its source, as its history knows it. */
export const folderInBounds = ({ folder }: FoundSkill, bounds: string): string =>
  relative(realpathSync(bounds), realpathSync(folder)).split(sep).join('/')
