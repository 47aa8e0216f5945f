import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { FILE_LIMIT } from '../../../src/catalog/folder-files.ts'
import { readRecord } from '../../../src/catalog/problems.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import type { Violation } from '../rules.ts'
import { SITE_FILE, SOURCES_FILE } from '../store/records.ts'

/** Files in and above the skills of a registry that say what it is. */
export const REGISTRY_FILES: ReadonlySet<string> = new Set([SITE_FILE, SOURCES_FILE, RECORD_FILE])

/** Other versions of this software may write other fields. */
const looseRecord = z.object({ source: z.object({ kind: z.string(), url: z.string().optional() }) })
const looseSources = z.array(z.object({ address: z.string() }))

const isPlainFile = (path: string): boolean => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size <= FILE_LIMIT
}

const readLoosely = <Schema extends z.ZodType>(path: string, schema: Schema) =>
  isPlainFile(path) ? readRecord(path, () => readFileSync(path, 'utf8'), schema, []) : undefined

/** Finds the content folder of the registry that lists a skill, and the skill's folder there. */
const findRegistry = (folder: string): { content: string; skill: string } | undefined => {
  for (let skill = folder; skill !== dirname(skill); skill = dirname(skill)) {
    const above = dirname(dirname(skill))
    // Release 1.0.0 kept versions that waited for a curator in "pending".
    const content = basename(above) === 'pending' ? dirname(above) : above
    const isListed = basename(dirname(skill)) === 'skills' && isPlainFile(join(skill, RECORD_FILE))
    if (isListed && isPlainFile(join(content, SITE_FILE))) return { content, skill }
  }
  return undefined
}

/**
 * Registries among the folders of a source. Only their own skills may be imported: a copy of somebody else's skill would
 * get the licence and the author of this source.
 */
export class RegistryFolders {
  readonly #contents = new Set<string>()

  /** Says why a skill is left out, given the real path of its folder. */
  judge(folder: string): Violation | undefined {
    const found = findRegistry(folder)
    if (!found) return undefined
    this.#contents.add(found.content)
    if (dirname(dirname(found.skill)) !== found.content)
      return { rule: 'other-registry', detail: 'it waits for review there' }
    const source = readLoosely(join(found.skill, RECORD_FILE), looseRecord)?.source
    if (source?.kind === 'own') return undefined
    const place = source?.url === undefined ? 'its source' : showValue(source.url, 200)
    return {
      rule: 'other-registry',
      detail: 'a copy, not a skill of its own',
      remedy: `follow ${place} instead`,
    }
  }

  /** The addresses that the registries of the judged skills follow. */
  listFollowed(): string[] {
    const rows = [...this.#contents].flatMap(
      (content) => readLoosely(join(content, SOURCES_FILE), looseSources) ?? [],
    )
    return [...new Set(rows.map(({ address }) => address))]
  }
}
