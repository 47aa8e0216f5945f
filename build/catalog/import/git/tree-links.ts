import { posix } from 'node:path'
import { listFoldersAbove, listFoldersUp } from '../find.ts'
import type { FolderNames } from '../skill-md.ts'

/** Limits on the links of one path: those that lead to it, and those that it leads through. */
const NAMES_LIMIT = 100
const HOPS_LIMIT = 40

/** The links of a tree, by their targets in it. */
export class TreeLinks {
  readonly #targets = new Map<string, string>()
  #byTarget: ReadonlyMap<string, string[]> | undefined

  has(link: string): boolean {
    return this.#targets.has(link)
  }

  add(link: string, target: string): void {
    this.#targets.set(link, target)
    this.#byTarget = undefined
  }

  /** Returns the path that a path leads to; the path itself if its links lead nowhere. */
  resolve(path: string): string {
    let at = path
    for (let hop = 0; hop < HOPS_LIMIT; hop += 1) {
      const link = listFoldersUp(at).findLast((above) => this.#targets.has(above))
      if (link === undefined) return at
      at = posix.join(this.#targets.get(link)!, at.slice(link.length + 1)).replace(/^\.$/, '')
    }
    return path
  }

  listTo(path: string): readonly string[] {
    this.#byTarget ??= Map.groupBy(this.#targets.keys(), (link) => this.resolve(link))
    return this.#byTarget.get(path) ?? []
  }

  /** Lists the paths of a folder: its own and the links to it, and those that lead through links to folders above it. */
  listNames(folder: string): FolderNames {
    const real = this.resolve(folder)
    const names = [real, ...this.listTo(real).slice(0, NAMES_LIMIT)]
    const through: string[] = []
    for (const name of names) {
      for (const above of listFoldersAbove(name).filter(Boolean)) {
        const links = this.listTo(above).slice(0, NAMES_LIMIT - through.length)
        through.push(...links.map((link) => link + name.slice(above.length)))
      }
    }
    return { names, through }
  }
}
