interface GitFile {
  path: string
  oid: string
  isExecutable?: true | undefined
}

/** A skill's folder in a commit. */
export interface Contents {
  /** The files that users install, in the order in which the folder on a disk is listed. */
  files: readonly GitFile[]
  /** Name of the git object of its record. */
  record?: string | undefined
  /** Why it cannot be installed, such as a link. */
  fault?: string | undefined
}

export interface SkillVersion extends Contents {
  slug: string
  /** Time of its commit, in seconds since 1970. */
  at: number
  /** The upstream address in its record. */
  url?: string | undefined
  /** The result of `digestSums`; absent if a fault means that the version has no name. */
  digest?: string | undefined
}

export const identify = ({ files }: Contents): string => JSON.stringify(files)

/**
 * All versions, in the order of their commits. A commit that changes only records, such as a new category, makes no
 * version, because the installed files stay the same.
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

  /** Adds the folder of a skill after a later commit; returns the version if it is new. */
  add(slug: string, at: number, contents: Contents): SkillVersion | undefined {
    const place = this.#last.get(slug) ?? -1
    const last = this.versions[place]
    if (last && identify(last) === identify(contents)) {
      last.record = contents.record
      this.changed.add(place)
      return undefined
    }
    const version = { slug, at, ...contents }
    this.#last.set(slug, this.versions.length)
    this.changed.add(this.versions.length)
    this.versions.push(version)
    return version
  }
}
