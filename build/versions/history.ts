import { hash } from 'node:crypto'
import type { FileChanges } from '../../src/documents/on-request/version.ts'

/** A folder of `skills/` after a commit of the main line. */
export interface HistoryStep {
  slug: string
  /** Seconds since 1970 of the commit. */
  at: number
  /** The tree that git has of it; empty where the commit removed the folder. */
  tree: string
}

/** A file as git has it. */
interface ContentFile {
  path: string
  oid: string
  isExecutable?: true | undefined
}

/** The files of a tree that readers install. */
export interface Contents {
  /** In the order of a skill's folder on a disk. */
  files: readonly ContentFile[]
  /** The object of its record. */
  record: string | undefined
  /** Why it cannot be installed as it is, such as a link. */
  fault?: string | undefined
}

/** A version of a skill, or the end of its folder. */
export interface SkillVersion {
  slug: string
  at: number
  /** The newest tree with these files; empty for the end of a folder. */
  tree: string
  /** Digest of its files as git names them. */
  key: string
  /** Absent for the first of a folder. */
  changes?: FileChanges | undefined
  /** The object of its record. */
  record: string | undefined
  /** The id and the upstream address that its record has. */
  id?: number | undefined
  url?: string | undefined
  /** Of `digestSums`; absent where a fault keeps it from having a name. */
  digest?: string | undefined
  fault?: string | undefined
}

/** The fault of a tree without files: that skill is listed without its text, and this is no version. */
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
 * Versions in the order in which they came. A commit that changes a record alone, as a day of verification does, makes none:
 * what is installed stays the same.
 */
export class History {
  readonly versions: SkillVersion[]
  /** Places in `versions` that are new or differ since it was opened. */
  readonly changed = new Set<number>()
  readonly #last = new Map<string, number>()

  constructor(versions: readonly SkillVersion[] = []) {
    this.versions = [...versions]
    this.versions.forEach(({ slug }, place) => this.#last.set(slug, place))
  }

  #lastOf(slug: string): SkillVersion | undefined {
    return this.versions[this.#last.get(slug) ?? -1]
  }

  /** The trees that steps are compared with. */
  listCompared(steps: readonly HistoryStep[]): string[] {
    return steps.flatMap(({ slug }) => this.#lastOf(slug)?.tree || [])
  }

  /**
   * Adds steps, oldest first, with the contents of their trees and of those of `listCompared`; returns the versions
   * they make.
   */
  add(steps: readonly HistoryStep[], contents: ReadonlyMap<string, Contents>): SkillVersion[] {
    return steps.flatMap(({ slug, at, tree }) => {
      const now = contents.get(tree) ?? NOTHING
      const last = this.#lastOf(slug)
      // A file or a link went, which no skill is.
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
