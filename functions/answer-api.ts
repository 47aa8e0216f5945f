import { hash } from 'node:crypto'
import { DOWNLOAD_PATH } from '../src/api/endpoints.ts'
import { skillNotFound, unavailable } from '../src/api/failures.ts'
import type { ListingQuery } from '../src/api/query.ts'
import { answerFile } from './answer-file.ts'
import { answerText } from './answer-failure.ts'
import { answerRedirect } from './answer-moved.ts'
import { POLICIES } from './policies.ts'
import type { SiteRequest } from './request.ts'
import type { Site } from './site.ts'
import { isUnchanged, makeTag } from './validators.ts'

/** Answers a listing with a SkillSearchResponse (registry-api 2.3), or 304. */
export const answerListing = async (
  request: SiteRequest,
  query: ListingQuery,
  site: Site,
): Promise<Response> => {
  const { limit, offset } = query
  const { rows, total } = await (await site.search()).findRows(query)
  const text = `{"skills":[${rows.join(',')}],"total":${total},"limit":${limit},"offset":${offset}}`
  const { headers, isExact } = POLICIES.listing
  const tag = makeTag(hash('sha256', text, 'base64url'), isExact)
  if (!isUnchanged(request.ifNoneMatch, tag))
    return answerText(text, 200, { ...headers, ETag: tag })
  const { 'Content-Type': _, ...kept } = headers
  return new Response(null, { status: 304, headers: { ...kept, ETag: tag } })
}

/**
 * Answers a download with the zip of the skill (registry-api 4.2; decisions, "Downloads"), or 308 where
 * another skill answers for its id.
 */
export const answerDownload = async (
  request: SiteRequest,
  id: number,
  site: Site,
): Promise<Response> => {
  const download = await site.findDownload(id)
  if (!download) {
    const next = (await site.moves()).ids.get(id)
    if (next === undefined) throw skillNotFound(String(id))
    return answerRedirect(`${DOWNLOAD_PATH}/${next}`)
  }
  const file = await site.store.read(`public${DOWNLOAD_PATH}/${id}`)
  if (!file) throw unavailable(new Error(`the zip of skill ${id} is missing`))
  const headers = { 'Content-Disposition': `attachment; filename="${download.slug}.zip"` }
  const served = { file, policy: 'zip', version: download.sha256, headers } as const
  return answerFile(request, served, site.origin)
}
