import { hash } from 'node:crypto'
import { DOWNLOAD_PATH } from '../src/documents/paths.ts'
import { skillNotFound, unavailable } from '../src/api/errors.ts'
import type { ListingQuery } from '../src/api/query.ts'
import type { Answer } from './answer.ts'
import { answerBytes } from './answer-failure.ts'
import { answerFile, answerUnchanged } from './answer-file.ts'
import { answerRedirect } from './answer-moved.ts'
import { POLICIES } from '../src/api/policies.ts'
import type { SiteRequest } from './request.ts'
import type { Site } from './site.ts'
import { isUnchanged, makeTag } from './validators.ts'

const START = Buffer.from('{"skills":[')
const COMMA = Buffer.from(',')

const joinRows = (rows: readonly Uint8Array[], end: string): Buffer<ArrayBuffer> =>
  Buffer.concat([
    START,
    ...rows.flatMap((row, at) => (at === 0 ? [row] : [COMMA, row])),
    Buffer.from(end),
  ])

/** Answers a listing with a SkillSearchResponse (registry-api 2.3), or 304. */
export const answerListing = async (
  request: SiteRequest,
  query: ListingQuery,
  site: Site,
): Promise<Answer> => {
  const { limit, offset } = query
  const { rows, total } = await (await site.search()).findRows(query)
  const bytes = joinRows(rows, `],"total":${total},"limit":${limit},"offset":${offset}}`)
  const tag = makeTag(hash('sha256', bytes, 'base64url'), POLICIES.listing.isExact)
  const headers = { ...POLICIES.listing.headers, ETag: tag }
  return isUnchanged(request.ifNoneMatch, tag)
    ? answerUnchanged(headers)
    : answerBytes(bytes, 200, headers)
}

/**
 * Answers a download with the zip of the skill (registry-api 4.2; decisions, "Downloads"), or 308 where
 * another skill answers for its id.
 */
export const answerDownload = async (
  request: SiteRequest,
  id: number,
  site: Site,
): Promise<Answer> => {
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
