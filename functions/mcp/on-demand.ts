import type { SiteSource } from '../respond.ts'

/** Answers requests to `/mcp`. The first request loads the packages, which takes 0.6 s of CPU time and 27 MB. */
export const answerMcpOnDemand: NonNullable<SiteSource['mcp']> = async (request, site) =>
  (await import('./server.ts')).answerMcp(request, site)
