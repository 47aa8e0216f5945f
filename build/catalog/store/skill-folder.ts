import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { listSkillFiles } from '../../../src/catalog/skill-folder.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { flushFolder } from '../../site/folders.ts'
import { renderRecord } from './write.ts'

/** A file to copy into a skill's folder: its path there, and its source. */
export interface CopiedFile {
  path: string
  from: string
  size: number
}

/** Differences of a skill's folder from its intended files; paths inside it. */
interface FolderChange {
  written: string[]
  removed: string[]
}

/** The loader skips names with a leading dot, so unfinished folders are never read. */
const NEW = '.tmp-new-'
const OLD = '.tmp-old-'
const UNFINISHED = /^\.tmp-(?:new|old)-/

/** Cleans up after a killed run: moves a folder back if nothing replaced it. */
export const clearUnfinished = (content: string): void => {
  const skills = join(content, 'skills')
  if (!existsSync(skills)) return
  const left = readdirSync(skills).filter((one) => UNFINISHED.test(one))
  for (const name of left) {
    const place = join(skills, name.slice(OLD.length))
    if (name.startsWith(OLD) && !existsSync(place)) renameSync(join(skills, name), place)
    else rmSync(join(skills, name), { recursive: true, force: true })
  }
  if (left.length > 0) flushFolder(skills)
}

/** Compares a skill's folder, except its record, with the intended files. */
export const compareFolder = (folder: string, files: readonly CopiedFile[]): FolderChange => {
  const stored = new Map(
    existsSync(folder)
      ? listSkillFiles(folder, '').files.map(({ path, size }) => [path, size])
      : [],
  )
  const isSame = ({ path, from, size }: CopiedFile): boolean =>
    stored.get(path) === size && readFileSync(join(folder, path)).equals(readFileSync(from))
  const paths = new Set(files.map(({ path }) => path))
  return {
    written: files.filter((file) => !isSame(file)).map(({ path }) => path),
    removed: [...stored.keys()].filter((path) => !paths.has(path)),
  }
}

/** Creates the folder of a file; removes symlinks in its path, which would lead outside. */
const makeParent = (folder: string, path: string): void => {
  const parts = path.split('/').slice(0, -1)
  for (const at of parts.keys()) {
    const parent = join(folder, ...parts.slice(0, at + 1))
    if (lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(parent)
  }
  mkdirSync(dirname(join(folder, path)), { recursive: true })
}

/**
 * Writes a skill's folder under a temporary name, reusing unchanged files. Returns a function that moves it into place,
 * which returns one that removes the old folder. A kill leaves the old folder or the new one; between the two moves,
 * `clearUnfinished` moves the old one back.
 */
export const writeSkillFolder = (
  content: string,
  slug: string,
  files: readonly CopiedFile[],
  change: FolderChange,
  record: SkillRecord,
): (() => () => void) => {
  const place = join(content, 'skills', slug)
  const beside = join(content, 'skills', NEW + slug)
  const aside = join(content, 'skills', OLD + slug)
  const isKnown = existsSync(place)
  if (isKnown) {
    cpSync(place, beside, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  } else mkdirSync(beside)
  // Remove first: a file may be in the place of a folder, or be a link.
  for (const path of change.removed) rmSync(join(beside, path), { recursive: true, force: true })
  for (const path of [...change.written, RECORD_FILE]) {
    makeParent(beside, path)
    rmSync(join(beside, path), { recursive: true, force: true })
  }
  const written = new Set(change.written)
  for (const { path, from } of files.filter((file) => written.has(file.path))) {
    makeParent(beside, path)
    writeFileSync(join(beside, path), readFileSync(from))
  }
  writeFileSync(join(beside, RECORD_FILE), renderRecord(record))
  return () => {
    if (isKnown) renameSync(place, aside)
    renameSync(beside, place)
    return () => rmSync(aside, { recursive: true, force: true })
  }
}
