import { createHandler } from '../fetch.ts'
import { answerMcpOnDemand } from '../mcp/on-demand.ts'
import { openGenerations, searchOnDemand } from './node/generations.ts'
import { readServerSettings } from './node/settings.ts'

const { outDir, searchUrl, hasMcp } = readServerSettings(process.env, [])

/** Answers any request from the build in OUT_DIR and the database of SEARCH_URL, for Astro's server. */
export const answer = createHandler(
  openGenerations(outDir, searchOnDemand(searchUrl), hasMcp ? answerMcpOnDemand : undefined),
)
