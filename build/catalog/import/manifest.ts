import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { NotTextError, decodeText, showValue } from '../../../src/catalog/text.ts'
import { listProblems } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { CommandError } from '../cli/errors.ts'
import type { Skip } from './report.ts'

/** Name of the file that says where each folder of a source comes from. */
export const MANIFEST = 'manifest.ndjson'

const isInside = (path: string): boolean =>
  !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..')

const relative = z.string().refine(isInside, 'must be a path inside the folder')

const upstream = skillRecord.shape.source.options[1]

/** What the importer reads of a manifest's row; it may say more. */
const manifestRow = z.object({
  dir: relative.transform((dir) => dir.replace(/^\.\/|\/+$/g, '')),
  sourceUrl: upstream.shape.url,
  owner: skillRecord.shape.author,
  licence: z.string().nullish(),
  updated: skillRecord.shape.updated.nullish(),
  sha256: z.string().nullish(),
  references: z.array(relative).nullish(),
})

/** One row: where one folder comes from. */
export type ManifestRow = z.infer<typeof manifestRow>

const REMEDY = 'correct the row in the manifest and import again'

const describeIssues = (input: unknown, error: z.ZodError): string =>
  listProblems('', input, error)
    .map(({ field, value, remedy }) =>
      [field, value === undefined ? '' : showValue(value), remedy].filter(Boolean).join(' '),
    )
    .join('; ')

const readRow = (line: string, path: string): ManifestRow | Skip => {
  let input: unknown
  try {
    input = JSON.parse(line)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { path, kind: 'bad', reason: `the row is not JSON: ${error.message}`, remedy: REMEDY }
  }
  const checked = manifestRow.safeParse(input)
  if (checked.success) return checked.data
  return { path, kind: 'bad', reason: describeIssues(input, checked.error), remedy: REMEDY }
}

const readText = (path: string): string => {
  try {
    return decodeText(readFileSync(path))
  } catch (error) {
    if (!(error instanceof NotTextError)) throw error
    throw new CommandError(`${path}: ${error.message}.`)
  }
}

/** Says whether a source folder has a manifest. */
export const hasManifest = (root: string): boolean =>
  // Anything else of that name, a pipe say, could be read for ever.
  statSync(join(root, MANIFEST), { throwIfNoEntry: false })?.isFile() === true

/** Reads a manifest, by folder; rows that cannot be read, or name a folder again, are skipped. */
export const readManifest = (root: string): { rows: Map<string, ManifestRow>; skips: Skip[] } => {
  const rows = new Map<string, ManifestRow>()
  const skips: Skip[] = []
  // Only a line feed ends a row: a text in it may hold any other line end.
  for (const [index, line] of readText(join(root, MANIFEST)).split('\n').entries()) {
    if (line.trim() === '') continue
    const path = `${MANIFEST} line ${index + 1}`
    const row = readRow(line, path)
    if ('kind' in row) skips.push(row)
    else if (rows.has(row.dir)) {
      const reason = `names the folder ${showValue(row.dir)} again`
      skips.push({ path, kind: 'duplicate', reason, remedy: 'give each folder one row' })
    } else rows.set(row.dir, row)
  }
  return { rows, skips }
}
