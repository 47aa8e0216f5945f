import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { readBeside, recordName } from '../store/records.ts'
import { renderRecord, writeWhole } from '../store/write.ts'
import type { Upstream } from './settle-record.ts'

/** What became of a record. */
export type Written = 'written' | 'same' | { refused: string }

/**
 * Puts what a check found into a skill's record, as it lies there now; `change` gives the new source.
 * A record that was given another address meanwhile stays as it is.
 */
export const updateRecord = (
  content: string,
  { slug, url }: { slug: string; url: string },
  change: (source: Upstream) => Upstream | undefined,
  dryRun: boolean,
): Written => {
  const name = recordName(slug)
  const record = readBeside(content, name, skillRecord)
  if (!record || record.source.kind === 'own' || record.source.url !== url) return 'same'
  const source = change(record.source)
  if (source === undefined || isDeepStrictEqual(source, record.source)) return 'same'
  const next = { ...record, source }
  const checked = skillRecord.safeParse(next)
  if (!checked.success) {
    return { refused: listProblems(name, next, checked.error).map(renderProblem).join('; ') }
  }
  // Beside the folders of skills, where the next command finds what a kill leaves.
  if (!dryRun) writeWhole(join(content, name), renderRecord(next), content)
  return 'written'
}
