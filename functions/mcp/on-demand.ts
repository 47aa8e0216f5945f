import type { SiteSource } from '../respond.ts'

/** Answers at `/mcp`. The first request loads the packages, which take .6 CPU s and 27 MB. */
export const answerMcpOnDemand: NonNullable<SiteSource['mcp']> = async (request, site) =>
  (await import('./server.ts')).answerMcp(request, site)
