import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError, readSettings } from '../../build/site/settings.ts'
import { countOf } from '../../src/catalog/text.ts'
import { INDEX_NAME, InvalidIndexError } from '../../src/search/format/layout.ts'
import { InvalidVectorsError } from '../../src/search/vector-file.ts'
import { unpackIndex } from '../../src/search/read/unpack.ts'
import { SearchUrlError, readSearchUrl } from './schema.ts'
import { describeDatabaseFailure, syncSearch } from './sync.ts'

// `npm run search:sync` loads the skills of the finished build into the database. It reads them from the index of the
// build, so that pages and database have the same skills.

const EXPECTED = [SettingsError, SearchUrlError, InvalidIndexError, InvalidVectorsError]

const describeSyncFailure = (error: unknown): string =>
  EXPECTED.some((expected) => error instanceof expected)
    ? (error as Error).message
    : `The sync failed; the database is unchanged: ${describeDatabaseFailure(error)}`

const readIndex = (outputFolder: string): Buffer => {
  try {
    return readFileSync(join(outputFolder, 'current', INDEX_NAME))
  } catch (cause) {
    const message = `There is no finished build in ${outputFolder}: run "npm run build", or set OUT_DIR to the folder of a build.`
    throw new SettingsError(message, { cause })
  }
}

const main = async (): Promise<void> => {
  try {
    const url = readSearchUrl(process.env)
    if (url === undefined) {
      throw new SearchUrlError(
        'SEARCH_URL is not set; set it to the database to write to, as postgres://user:password@host/database.',
      )
    }
    const { outputFolder } = readSettings(process.env)
    const bytes = readIndex(outputFolder)
    const rows = unpackIndex(bytes)
    const digest = hash('sha256', bytes)
    const begin = performance.now()
    const { added, changed, removed, unchanged } = await syncSearch(url, { ...rows, digest })
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
    console.log(
      `Synced ${countOf(rows.documents.length, 'skill')} of ${outputFolder} in ${seconds} s: ` +
        `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`,
    )
  } catch (error) {
    console.error(describeSyncFailure(error))
    process.exitCode = 1
  }
}

await main()
