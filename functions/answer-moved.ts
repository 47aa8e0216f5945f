import type { Answer } from './answer.ts'
import { answerText } from './answer-failure.ts'
import { POLICIES } from '../src/api/policies.ts'
import type { SiteRequest } from './request.ts'
import { moveAddress } from './route-moved.ts'
import type { Site } from './site.ts'

/** Answers 308 with another address. */
export const answerRedirect = (location: string): Answer =>
  answerText(`This is at ${location}\n`, 308, {
    ...POLICIES.redirect.headers,
    Location: location,
  })

/** Answers 308 for whatever lay under the old slug of a skill that moved; undefined for all else. */
export const answerMovedSkill = async (
  { target }: SiteRequest,
  site: Site,
): Promise<Answer | undefined> => {
  const { slugs } = await site.moves()
  const location = moveAddress(target, (slug) => slugs.get(slug))
  return location === undefined ? undefined : answerRedirect(location)
}
