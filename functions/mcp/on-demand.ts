import type { SiteSource } from '../respond.ts'

/** Answers at `/mcp`. Its packages take .6 CPU s and 27 MB, so only the first request there loads them. */
export const answerMcpOnDemand: NonNullable<SiteSource['mcp']> = async (request, site) =>
  (await import('./answer.ts')).answerMcp(request, site)
