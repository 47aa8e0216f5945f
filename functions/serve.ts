import type { Answer } from './answer.ts'
import type { SiteRequest } from './request.ts'
import { respond, respondToFailure } from './respond.ts'
import type { Report } from './respond.ts'
import type { Site } from './site.ts'

/** Where the site to serve comes from; it may become another one at any time. */
export interface SiteSource {
  /** Gives the finished build that is current now. Throws UNAVAILABLE where there is none. */
  current(): Promise<Site>
  /** The origin to name in failures while there is no build to ask. */
  origin: string
}

/** Statuses that a build removed during the request would also give. */
const DOUBTFUL = new Set([404, 500, 503])

/** Answers a request from the current build, and once more if the build changed under it. */
export const serve = async (
  request: SiteRequest,
  source: SiteSource,
  report: Report,
): Promise<Answer> => {
  try {
    const site = await source.current()
    const answer = await respond(request, site, report)
    if (!DOUBTFUL.has(answer.status)) return answer
    const later = await source.current()
    return later === site ? answer : await respond(request, later, report)
  } catch (thrown) {
    return respondToFailure(thrown, request, source.origin, report)
  }
}
