import { loadCatalog } from '../../src/catalog/load.ts'
import { ContentError, renderProblem } from '../../src/catalog/problems.ts'
import { createSite } from '../../src/documents/site.ts'
import { searchDocuments } from '../../build/site/search-index.ts'
import { SettingsError, chooseOrigin, readSettings } from '../../build/site/settings.ts'
import { SearchUrlError, readSearchUrl } from './schema.ts'
import { describeDatabaseFailure, syncSearch } from './sync.ts'

const describeFailure = (error: unknown): string => {
  if (error instanceof ContentError) {
    const lines = [...error.problems.map(renderProblem), error.message]
    return `${lines.join('\n')}; the database is unchanged.`
  }
  if (error instanceof SettingsError || error instanceof SearchUrlError) return error.message
  return `The sync failed; the database is unchanged: ${describeDatabaseFailure(error)}`
}

const main = async (): Promise<void> => {
  try {
    const url = readSearchUrl(process.env)
    if (url === undefined) {
      throw new SearchUrlError(
        'SEARCH_URL is not set; set it to postgres://user:password@host/database, the database to write to.',
      )
    }
    const settings = readSettings(process.env)
    const catalog = loadCatalog(settings.contentFolder)
    const site = createSite(catalog, catalog.skills, chooseOrigin(settings, catalog.site.origin))
    const begin = performance.now()
    const { added, changed, removed, unchanged } = await syncSearch(
      url,
      searchDocuments(site),
      catalog.copies,
    )
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
    console.log(
      `Synced ${site.listed.length} skills in ${seconds} s: ${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`,
    )
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}

await main()
