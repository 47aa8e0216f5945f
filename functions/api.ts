import { toResponse } from './answer.ts'
import { openGenerations } from './hosts/generations.ts'
import { searchOnDemand } from './hosts/open-search.ts'
import { readSearchUrl } from './hosts/settings.ts'
import { readRequest } from './request.ts'
import type { Report } from './respond.ts'
import { serve } from './serve.ts'
import type { SiteSource } from './serve.ts'

const reportToConsole: Report = (cause) => console.error(cause)

/** Makes the function that answers every method and address under `/api` from a site. */
export const createApi =
  (source: SiteSource, report: Report = reportToConsole) =>
  async (request: Request): Promise<Response> =>
    toResponse(await serve(readRequest(request), source, report))

/** Answers a request under `/api` from the build output in OUT_DIR, and SEARCH_URL, for a route of Astro. */
export const answerApi = createApi(
  openGenerations(process.env['OUT_DIR'] || 'dist', searchOnDemand(readSearchUrl(process.env))),
)
