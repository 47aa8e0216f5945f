import { hash } from 'node:crypto'
import type { FileChanges } from '../../src/documents/on-request/version.ts'

/** A folder of `skills/` after a commit of the main line. */
export interface HistoryStep {
  slug: string
  /** Time of the commit, in seconds since 1970. */
  at: number
  /** Git's tree for the folder; empty if the commit removed the folder. */
  tree: string
}

/** A file in git. */
interface ContentFile {
  path: string
  oid: string
  isExecutable?: true | undefined
}

/** The files of a tree that users install. */
export interface Contents {
  /** In the order in which a skill's folder on a disk is listed. */
  files: readonly ContentFile[]
  /** Name of the git object of its record. */
  record: string | undefined
  /** Why it cannot be installed, such as a link. */
  fault?: string | undefined
}

/** A version of a skill, or the removal of its folder. */
export interface SkillVersion {
  slug: string
  at: number
  /** The newest tree with these files; empty if the folder was removed. */
  tree: string
  /** Digest of the paths, modes and object names of its files. */
  key: string
  /** Absent for the first version of a folder. */
  changes?: FileChanges | undefined
  /** Name of the git object of its record. */
  record: string | undefined
  /** The id and the upstream address in its record. */
  id?: number | undefined
  url?: string | undefined
  /** The result of `digestSums`; absent if a fault means that the version has no name. */
  digest?: string | undefined
  fault?: string | undefined
}

/** The fault of a tree without files. The skill is listed without its text, so the tree does not count as a version. */
export const NO_TEXT = 'its text is not here'

const NOTHING: Contents = { files: [], record: undefined }

const keyOf = ({ files }: Contents): string => hash('sha256', JSON.stringify(files), 'base64url')

const compareFiles = (before: Contents, after: Contents): FileChanges => {
  const [old, now] = [before, after].map(
    ({ files }) => new Map(files.map((file) => [file.path, JSON.stringify(file)] as const)),
  ) as [Map<string, string>, Map<string, string>]
  const paths = [...now.keys()].sort()
  return {
    added: paths.filter((path) => !old.has(path)),
    changed: paths.filter((path) => old.has(path) && old.get(path) !== now.get(path)),
    removed: [...old.keys()].filter((path) => !now.has(path)).sort(),
  }
}

/**
 * All versions, in the order of their commits. A commit that changes only records, such as a daily verification, makes
 * no version, because the installed files stay the same.
 */
export class History {
  readonly versions: SkillVersion[]
  /** Indexes in `versions` of entries that were added or changed since the history was opened. */
  readonly changed = new Set<number>()
  readonly #last = new Map<string, number>()

  constructor(versions: readonly SkillVersion[] = []) {
    this.versions = [...versions]
    this.versions.forEach(({ slug }, place) => this.#last.set(slug, place))
  }

  #lastOf(slug: string): SkillVersion | undefined {
    return this.versions[this.#last.get(slug) ?? -1]
  }

  /** Lists the trees to compare steps with. */
  listCompared(steps: readonly HistoryStep[]): string[] {
    return steps.flatMap(({ slug }) => this.#lastOf(slug)?.tree || [])
  }

  /** Adds steps, oldest first; returns the new versions. `contents` has their trees and those of `listCompared`. */
  add(steps: readonly HistoryStep[], contents: ReadonlyMap<string, Contents>): SkillVersion[] {
    return steps.flatMap(({ slug, at, tree }) => {
      const now = contents.get(tree) ?? NOTHING
      const last = this.#lastOf(slug)
      // A file or a link was removed, not the folder of a skill.
      if (!tree && !last?.tree) return []
      const { record, fault } = now
      const key = tree && keyOf(now)
      if (last?.tree && key === last.key) {
        Object.assign(last, { tree, record })
        this.changed.add(this.#last.get(slug)!)
        return []
      }
      const before = contents.get(last?.tree ?? '')
      const changes = before && tree ? compareFiles(before, now) : undefined
      const version = { slug, at, tree, key, changes, record, fault }
      this.#last.set(slug, this.versions.length)
      this.changed.add(this.versions.length)
      this.versions.push(version)
      return tree ? [version] : []
    })
  }
}
