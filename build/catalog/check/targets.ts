import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import { listSlugs } from '../../../src/catalog/load.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { refuse } from '../cli/command.ts'
import { findOwnSkills } from '../import/copied.ts'
import { folderOf, isInFolder, isSkillMd, listFoldersUp } from '../import/find.ts'
import { NO_GIT, listMissing, openGitFiles } from '../import/git/tracked.ts'
import type { GitFiles } from '../import/git/tracked.ts'
import { listTracked, readSkillBits } from '../../machine/checkout.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import type { GitBits } from '../../../src/catalog/fingerprint.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import type { Folder, Target } from './check-skill.ts'
import { makeProblem } from '../rules.ts'

export interface CheckedCatalog extends Folder {
  /** The skills to check; undefined for the whole catalog. */
  slugs?: ReadonlySet<string>
}

/** The catalogs and skills to check, and diagnostics about missing or left-out files and skills. */
interface Targets {
  targets: Target[]
  catalogs: CheckedCatalog[]
  diagnostics: Problem[]
}

/** The name of a path in messages; relative for a path inside the working folder `from`. */
export const showPath = (path: string, from: string): string => {
  const inside = relative(from, path)
  return (inside.startsWith('..') ? path : inside).split(sep).join('/')
}

const isCatalog = (folder: string): boolean =>
  ['site.json', 'skills'].every((name) => existsSync(join(folder, name)))

/** The catalog that has a skill in this folder. */
const catalogOf = (folder: string): string | undefined => {
  const above = dirname(dirname(folder))
  return basename(dirname(folder)) === 'skills' && isCatalog(above) ? above : undefined
}

/** Caches git's answers, so that each checkout and each catalog needs one call. */
class GitCache {
  readonly #listings = new Map<string, ReturnType<typeof listTracked>>()
  readonly #bits = new Map<string, SkillBits>()

  readonly #list: typeof listTracked = (folder, workTree) => {
    const all = this.#listings.get(workTree) ?? listTracked(workTree, workTree)
    this.#listings.set(workTree, all)
    if (typeof all === 'string') return all
    const start = folder
      .slice(workTree.length + 1)
      .split(sep)
      .join('/')
    return all.flatMap(({ mode, path }) =>
      isInFolder(path, start)
        ? { mode, path: path.slice(start === '' ? 0 : start.length + 1) }
        : [],
    )
  }

  openFiles(folder: string): GitFiles {
    return openGitFiles(folder, this.#list)
  }

  bitsOf(catalog: string, slug: string): GitBits | undefined {
    const bits = this.#bits.get(catalog) ?? readSkillBits(catalog)
    this.#bits.set(catalog, bits)
    return bits.ofSkill(slug)
  }
}

const targetIn = (catalog: Folder, slug: string, cache: GitCache): Target => ({
  folder: join(catalog.folder, 'skills', slug),
  shown: posix.join(catalog.shown, 'skills', slug),
  fileName: SKILL_MD,
  inner: [],
  git: NO_GIT,
  catalog,
  bits: cache.bitsOf(catalog.folder, slug),
})

/** Reports tracked files that are missing on the disk: SKILL.md files, and other files of existing skills. */
const reportMissing = (
  { folder, shown }: Folder,
  git: GitFiles,
  skills: readonly string[],
): Problem[] => {
  const folders = new Set(skills)
  const isOfSkill = (path: string): boolean =>
    listFoldersUp(folderOf(path)).some((above) => folders.has(above))
  return listMissing(git, folder)
    .filter((path) => isSkillMd(posix.basename(path)) || isOfSkill(path))
    .map((path) => makeProblem(posix.join(shown, path), { rule: 'not-checked-out' }))
}

const NO_SKILL = {
  rule: 'unchecked',
  detail: 'there is no SKILL.md here or below',
  remedy: 'name a folder that has one',
}

const findBelow = (folder: string, shown: string, cache: GitCache): Targets => {
  const git = cache.openFiles(folder)
  const { found, skips } = findOwnSkills(folder, git)
  const targets = found.map(({ path, ...skill }): Target => {
    const catalog = catalogOf(skill.folder)
    if (catalog !== undefined) {
      const above = { folder: catalog, shown: posix.join(shown, path, '../..') }
      return targetIn(above, basename(path), cache)
    }
    return Object.assign(skill, { shown: posix.join(shown, path), git })
  })
  const diagnostics = skips.map((skip) =>
    Object.assign({}, skip, { file: posix.join(shown, skip.file) }),
  )
  const paths = found.map(({ path }) => path)
  diagnostics.push(...reportMissing({ folder, shown }, git, paths))
  if (targets.length === 0) diagnostics.push(makeProblem(shown || '.', NO_SKILL))
  return { targets, catalogs: [], diagnostics }
}

const findAt = (argument: string, from: string, cache: GitCache): Targets => {
  const stats = statSync(resolve(from, argument), { throwIfNoEntry: false })
  const isFile = stats?.isFile() === true && isSkillMd(basename(argument))
  if (!isFile && stats?.isDirectory() !== true) {
    return refuse(`${showValue(argument, 200)} is neither a SKILL.md nor a folder; name one.`)
  }
  const given = realpathSync(resolve(from, isFile ? dirname(argument) : argument))
  const isAllSkills = basename(given) === 'skills' && isCatalog(dirname(given))
  const path = isAllSkills ? dirname(given) : given
  const catalog = { folder: path, shown: showPath(path, from) }
  if (isCatalog(path)) {
    const slugs = listSlugs(path)
    const targets = slugs.map((slug) => targetIn(catalog, slug, cache))
    const folders = slugs.map((slug) => `skills/${slug}`)
    const diagnostics = reportMissing(catalog, cache.openFiles(path), folders)
    return { targets, catalogs: [catalog], diagnostics }
  }
  const above = catalogOf(path)
  if (above !== undefined) {
    const catalogAbove = { folder: above, shown: showPath(above, from) }
    const target = targetIn(catalogAbove, basename(path), cache)
    const diagnostics = reportMissing(target, cache.openFiles(path), [''])
    return { targets: [target], catalogs: [], diagnostics }
  }
  return findBelow(path, catalog.shown, cache)
}

/** Finds the skills at the given paths. Throws UsageError. */
export const findTargets = (paths: readonly string[], from: string): Targets => {
  const cache = new GitCache()
  const all = paths.map((path) => findAt(path, from, cache))
  const targets = all.flatMap((found) => found.targets)
  const catalogs = all.flatMap((found) => found.catalogs)
  const whole = new Set(catalogs.map(({ folder }) => folder))
  const inParts = targets.filter(({ catalog }) => catalog && !whole.has(catalog.folder))
  const parts = Map.groupBy(inParts, ({ catalog }) => catalog?.folder)
  const partly = Array.from(parts.values(), (skills) => ({
    ...skills[0]!.catalog!,
    slugs: new Set(skills.map(({ folder }) => basename(folder))),
  }))
  return {
    targets,
    catalogs: [...catalogs, ...partly],
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  }
}
