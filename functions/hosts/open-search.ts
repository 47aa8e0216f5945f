import type { SearchBackend } from '../search-backend.ts'
import type { PostgresBackend } from '../../extras/postgres/backend.ts'

/** Opens the database of the search where there is one; without it, its driver is not even loaded. */
export const openSearch = async (url: string | undefined): Promise<PostgresBackend | undefined> =>
  url === undefined
    ? undefined
    : (await import('../../extras/postgres/backend.ts')).openPostgres(url)

/** Gives the search of a host that has no start of its own: the database is opened by the first query. */
export const searchOnDemand = (url: string | undefined): SearchBackend | undefined => {
  if (url === undefined) return undefined
  let opening: Promise<PostgresBackend> | undefined
  const open = (): Promise<PostgresBackend> => {
    opening ??= import('../../extras/postgres/backend.ts').then(({ openPostgres }) =>
      openPostgres(url),
    )
    return opening
  }
  return {
    find: async (request) => (await open()).find(request),
    findRows: async (request) => (await open()).findRows(request),
  }
}
