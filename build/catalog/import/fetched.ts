import { hash } from 'node:crypto'
import { z } from 'zod'
import type { ZipEntry } from '../../machine/zip.ts'
import { readBeside } from '../store/records.ts'
import { renderRecord, writeWhole } from '../store/write.ts'

/** Which zips were fetched from other registries; without the file, they are fetched again. */
const STATE_FILE = 'mirror.state.json'

/** By the id of a skill in its registry: the digest of the zip that was fetched last, and that of the files in it. */
const fetchedZips = z.record(z.string(), z.object({ zip: z.string(), files: z.string() }))

type FetchedZips = z.infer<typeof fetchedZips>

/** By the origin of a registry. */
const fetchedState = z.record(z.string(), fetchedZips).catch({})

const readState = (content: string): z.infer<typeof fetchedState> =>
  readBeside(content, STATE_FILE, fetchedState) ?? {}

export const readFetched = (content: string, origin: string): FetchedZips =>
  readState(content)[origin] ?? {}

/** Call it under the lock. */
export const writeFetched = (content: string, origin: string, fetched: FetchedZips): void =>
  writeWhole(content, STATE_FILE, renderRecord({ ...readState(content), [origin]: fetched }))

/** The digest of files in any order. */
export const digestEntries = (files: readonly ZipEntry[]): string => {
  const rows = files.map(
    ({ path, bytes, isExecutable }) => `${hash('sha256', bytes)} ${isExecutable ? '*' : ''}${path}`,
  )
  return hash('sha256', JSON.stringify(rows.sort()))
}
