import { ApiError } from '../src/api/errors.ts'
import { internalError } from '../src/api/errors.ts'
import type { Answer } from './answer.ts'
import { answerDownload, answerListing } from './answer-api.ts'
import { answerFailure } from './answer-failure.ts'
import { answerMovedSkill } from './answer-moved.ts'
import { answerMissing, answerMoved, answerPage, answerSiteFile } from './answer-page.ts'
import { POLICIES } from '../src/api/policies.ts'
import type { SiteRequest } from './request.ts'
import { findRoute } from './route.ts'
import type { Route } from './route.ts'
import type { Site } from './site.ts'

/** Takes the cause of a failure of ours; it goes to the log and never to the reader. */
export type Report = (cause: unknown) => void

const answerRoute = (route: Route, request: SiteRequest, site: Site): Promise<Answer> | Answer => {
  switch (route.kind) {
    case 'options':
      return { status: 204, headers: POLICIES.options.headers, body: null }
    case 'listing':
      return answerListing(request, route.query, site)
    case 'download':
      return answerDownload(request, route.id, site)
    case 'page':
      return answerPage(request, route, site)
    case 'file':
      return answerSiteFile(request, route, site)
    case 'moved':
      return answerMoved(route, site)
    case 'missing':
      return answerMissing(route.form, site)
  }
}

/** Answers by the route; what is not found may be a skill that moved. */
const answerOrMove = async (route: Route, request: SiteRequest, site: Site): Promise<Answer> => {
  const answer = await answerRoute(route, request, site)
  return (answer.status === 404 && (await answerMovedSkill(request, site))) || answer
}

/** Drops the body an answer to HEAD does not have; its header fields stay (RFC 9110 9.3.2). */
export const fitMethod = (method: string, answer: Answer): Answer =>
  method === 'HEAD' ? { ...answer, body: null } : answer

/** Answers what was thrown: a failure of the table as it is, anything else as INTERNAL_ERROR. */
export const respondToFailure = (
  thrown: unknown,
  { method, target }: SiteRequest,
  origin: string,
  report: Report,
): Answer => {
  const error = thrown instanceof ApiError ? thrown : internalError(thrown)
  if (error.cause !== undefined) report(error.cause)
  return fitMethod(method, answerFailure(error, target, { origin }))
}

/** Answers a request from one finished build. It never throws: every failure is an answer. */
export const respond = async (
  request: SiteRequest,
  site: Site,
  report: Report,
): Promise<Answer> => {
  try {
    return fitMethod(request.method, await answerOrMove(findRoute(request), request, site))
  } catch (thrown) {
    return respondToFailure(thrown, request, site.origin, report)
  }
}
