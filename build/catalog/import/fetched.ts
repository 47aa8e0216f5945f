import { hash } from 'node:crypto'
import { z } from 'zod'
import type { ZipEntry } from '../../machine/zip.ts'
import { readBeside } from '../store/records.ts'
import { renderRecord, writeWhole } from '../store/write.ts'

/** Records which zips were fetched from other registries; without the file, all are fetched again. */
const STATE_FILE = 'mirror.state.json'

/** By a skill's id in its registry: the digests of the last fetched zip and of its files. */
const fetchedZips = z.record(z.string(), z.object({ zip: z.string(), files: z.string() }))

type FetchedZips = z.infer<typeof fetchedZips>

/** By a registry's origin. */
const fetchedState = z.record(z.string(), fetchedZips).catch({})

const readState = (content: string): z.infer<typeof fetchedState> =>
  readBeside(content, STATE_FILE, fetchedState) ?? {}

export const readFetched = (content: string, origin: string): FetchedZips =>
  readState(content)[origin] ?? {}

/** Call it while holding the lock. */
export const writeFetched = (content: string, origin: string, fetched: FetchedZips): void =>
  writeWhole(content, STATE_FILE, renderRecord({ ...readState(content), [origin]: fetched }))

/** Returns a digest of files that does not depend on their order. */
export const digestEntries = (files: readonly ZipEntry[]): string => {
  const rows = files.map(
    ({ path, bytes, isExecutable }) => `${hash('sha256', bytes)} ${isExecutable ? '*' : ''}${path}`,
  )
  return hash('sha256', JSON.stringify(rows.sort()))
}
