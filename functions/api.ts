import { readSearchUrl } from '../extras/postgres/schema.ts'
import { createHandler } from './fetch.ts'
import { openGenerations, searchOnDemand } from './hosts/node/generations.ts'

/** Answers a request under `/api` from the build in OUT_DIR, or the database of SEARCH_URL, for a route of Astro. */
export const answerApi = createHandler(
  openGenerations(process.env['OUT_DIR'] || 'dist', searchOnDemand(readSearchUrl(process.env))),
)
