import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { posix, join, relative, sep } from 'node:path'
import { findPathFault, refuseTarget } from '../../../src/catalog/folder-files.ts'
import type { JudgeTarget } from '../../../src/catalog/folder-files.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'
import { isUnreadable, systemCode } from '../cli/command.ts'

/** The package folder. It is large, so it is searched for skills only on request. */
export const PACKAGE_FOLDER = 'node_modules'

export const GIT_FOLDER = '.git'

/** Whether a path is this folder or inside it. The empty folder contains all relative paths. */
export const isInFolder = (path: string, folder: string, separator = '/'): boolean =>
  folder === '' ||
  path === folder ||
  path.startsWith(folder.endsWith(separator) ? folder : folder + separator)

/** Whether a relative path leads out of its folder. */
export const isOutside = (path: string): boolean => path === '..' || path.startsWith('../')

/** The folder of a relative path; empty for the root. */
export const folderOf = (path: string): string => {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

/** Lists a folder and every folder above it, the root last. */
export const listFoldersUp = (folder: string): string[] => {
  const folders = [folder]
  for (let at = folder; at !== '';) folders.push((at = folderOf(at)))
  return folders
}

/** Lists every folder above a path, the root last. */
export const listFoldersAbove = (path: string): string[] => listFoldersUp(path).slice(1)

/** The target of a link inside its tree; undefined if the link leads out of it. */
export const resolveLink = (path: string, target: string): string | undefined => {
  if (target === '' || posix.isAbsolute(target)) return undefined
  const joined = posix.normalize(posix.join(folderOf(path), target)).replace(/\/$/, '')
  if (isOutside(joined)) return undefined
  return joined === '.' ? '' : joined
}

/** Ignores case: some authors write `skill.md`. */
export const isSkillMd = (name: string): boolean => name.toUpperCase() === SKILL_MD.toUpperCase()

export interface FoundSkill {
  /** Path relative to the root of the source, with `/`; empty for the root. */
  path: string
  folder: string
  /** The actual spelling, such as `skill.md`. */
  fileName: string
  file: string
  /** Which part is a symlink, if any: the folder or its SKILL.md. */
  link?: 'folder' | 'file' | undefined
  /** Paths of inner skills, which are not part of this one. */
  inner: string[]
  /** Paths of other folders inside with a SKILL.md, which is a file of this one. */
  swallowed: string[]
  /** The odd folders above it (see `ODD_PARENTS`), if it is imported nevertheless. */
  oddParents: readonly string[]
}

/** In these folders, a SKILL.md is a test, a template or somebody else's package. Skills may have these names. */
const ODD_PARENTS: ReadonlySet<string> = new Set([
  'test',
  'tests',
  '__tests__',
  'fixtures',
  'template',
  'templates',
  'example',
  'examples',
  PACKAGE_FOLDER,
  'site-packages',
  'venv',
  '.venv',
])

/** A folder with this name between two skills makes the inner one a separate skill, not a file of the outer one. */
const SKILLS_FOLDER = 'skills'

/** Explains why a skill below an odd folder is left out. */
export const explainOdd = (parent: string): Violation => ({ rule: 'odd-folder', detail: parent })

/** Decides whether to import a skill below an odd folder: one that the catalog follows, or that a curator includes. */
export type TakesOdd = (path: string, parent: string) => boolean

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

const findSkillMd = (entries: readonly Dirent[]): Dirent | undefined =>
  entries
    .filter((entry) => !entry.isDirectory() && isSkillMd(entry.name))
    .sort((a, b) => byText(a.name, b.name))[0]

/** Returns the real path of a linked folder; undefined for a link to a file, a broken link or a loop. */
const findTarget = (link: string): string | undefined => {
  try {
    const target = realpathSync(link)
    return statSync(target).isDirectory() ? target : undefined
  } catch (error) {
    const isNowhere = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')
    if (isUnreadable(error) || isNowhere) return undefined
    throw error
  }
}

/** Whether a folder with a SKILL.md belongs to the skill around it. */
const isFileOf = (outer: FoundSkill | undefined, path: string): boolean =>
  outer !== undefined &&
  !posix.relative(outer.path, path).split('/').slice(0, -1).includes(SKILLS_FOLDER)

class SkillFinder {
  readonly found: FoundSkill[] = []
  readonly skips: Problem[] = []
  readonly #root: string
  readonly #judgeTarget: JudgeTarget
  readonly #takesOdd: TakesOdd
  /** Links with the skills around them. They are followed once all folders are known. */
  readonly #links: { path: string; outer: FoundSkill | undefined }[] = []

  constructor(root: string, judgeTarget: JudgeTarget, takesOdd: TakesOdd) {
    this.#root = root
    this.#judgeTarget = judgeTarget
    this.#takesOdd = takesOdd
  }

  #readEntries(path: string, outer?: FoundSkill): Dirent[] {
    try {
      return readdirSync(join(this.#root, path), { withFileTypes: true })
    } catch (error) {
      if (!isUnreadable(error)) throw error
      // Unreadable files of a skill are reported when the skill is read.
      if (outer) return []
      const message = 'no permission to read the folder'
      this.skips.push(makeProblem(path, { rule: 'unreadable', message }))
      return []
    }
  }

  /** Adds a folder with a SKILL.md, unless it belongs to the outer skill or is inside an odd folder. */
  #add(
    { path, folder, link }: Pick<FoundSkill, 'path' | 'folder' | 'link'>,
    fileName: string,
    outer: FoundSkill | undefined,
  ): FoundSkill | undefined {
    const file = posix.join(path, fileName)
    const parents = path.split('/').slice(0, -1)
    const oddParents = parents.filter((name) => ODD_PARENTS.has(name))
    if (isFileOf(outer, path)) {
      if (oddParents.length === 0) outer!.swallowed.push(path)
      return undefined
    }
    const refused = oddParents.find((name) => !this.#takesOdd(path, name))
    if (refused !== undefined) {
      if (!outer) this.skips.push(makeProblem(path, explainOdd(refused)))
      return undefined
    }
    outer?.inner.push(posix.relative(outer.path, path))
    const skill = { path, folder, fileName, file, link, inner: [], swallowed: [], oddParents }
    this.found.push(skill)
    return skill
  }

  walk(path: string, outer?: FoundSkill): void {
    const entries = this.#readEntries(path, outer).sort((a, b) => byText(a.name, b.name))
    const file = findSkillMd(entries)
    // A file belongs to the innermost skill around it.
    const link = file?.isSymbolicLink() ? 'file' : undefined
    const place = { path, folder: join(this.#root, path), link } as const
    const owner = (file && this.#add(place, file.name, outer)) ?? outer
    for (const entry of entries) {
      const below = posix.join(path, entry.name)
      if (entry.name === GIT_FOLDER) continue
      if (entry.name === PACKAGE_FOLDER && !this.#takesOdd(below, PACKAGE_FOLDER)) continue
      const isFolder = entry.isDirectory()
      if (!isFolder && !entry.isSymbolicLink()) continue
      const fault = findPathFault(below)
      // Faulty paths in a skill are reported when the skill is read.
      if (fault && !owner) this.skips.push(makeProblem(below, { rule: 'file-name', ...fault }))
      if (fault) continue
      if (isFolder) this.walk(below, owner)
      else this.#links.push({ path: below, outer: owner })
    }
  }

  /** Looks for a SKILL.md in each linked folder, without following links inside. */
  followLinks(): void {
    const known = new Set(this.found.map(({ folder }) => realpathSync(folder)))
    for (const { path, outer } of this.#links) {
      const target = findTarget(join(this.#root, path))
      if (target === undefined || known.has(target) || isFileOf(outer, path)) continue
      const file = findSkillMd(this.#readEntries(path))
      if (!file) continue
      const refusal = this.#judgeTarget(target)
      if (refusal) {
        const remedy = 'import the target folder, or copy it here'
        this.skips.push(makeProblem(path, { rule: 'link', message: refusal.message, remedy }))
        continue
      }
      known.add(target)
      this.#add({ path, folder: target, link: 'folder' }, file.name, outer)
    }
  }
}

/** Finds every skill below a folder, sorted by path. A folder with several links to it is found once. */
export const findSkills = (
  root: string,
  judgeTarget: JudgeTarget = refuseTarget,
  takesOdd: TakesOdd = () => false,
): { found: FoundSkill[]; skips: Problem[] } => {
  const finder = new SkillFinder(root, judgeTarget, takesOdd)
  if (lstatSync(root).isDirectory()) finder.walk('')
  finder.followLinks()
  return { found: finder.found.sort((a, b) => byText(a.path, b.path)), skips: finder.skips }
}

/** A skill's real folder relative to the bounds of its source, as in the source's git history. */
export const folderInBounds = ({ folder }: FoundSkill, bounds: string): string =>
  relative(realpathSync(bounds), realpathSync(folder)).split(sep).join('/')
