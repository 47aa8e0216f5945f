import { badRequest } from '../../src/api/errors.ts'
import { PATHS } from '../../src/documents/paths.ts'
import { answerThrown } from '../answers.ts'
import { createHandler } from '../fetch.ts'
import { answerMcpOnDemand } from '../mcp/on-demand.ts'
import { openGenerations, searchOnDemand } from './node/generations.ts'
import { readServerSettings } from './node/settings.ts'

const { outDir, searchUrl, hasMcp } = readServerSettings(process.env)
const site = openGenerations(
  outDir,
  searchOnDemand(searchUrl),
  hasMcp ? answerMcpOnDemand : undefined,
)
const answerSite = createHandler(site)

/** A host name or IP address, with or without a port (RFC 9110 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Answers all requests to Astro's server, from the build in OUT_DIR and the database of SEARCH_URL. */
export const answer = async (request: Request): Promise<Response> => {
  const host = request.headers.get('Host') ?? ''
  if (HOST.test(host) && URL.canParse(`http://${host}`)) return answerSite(request)
  // Astro drops the path if it cannot parse the host, so any other answer would be for the wrong address.
  const refusal = badRequest('The Host header names no host', host)
  const apiRequest = { method: request.method, target: PATHS.listingApi }
  const { status, headers, body } = answerThrown(refusal, apiRequest, site.origin, console.error)
  return new Response(body, { status, headers })
}
