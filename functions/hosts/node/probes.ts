import { RETRY_LATER, answerBytes, fitMethod } from '../../answers.ts'
import type { Answer } from '../../answers.ts'
import type { SiteSource } from '../../respond.ts'
import type { SiteRequest } from '../../route.ts'
import { POLICIES } from '../../../src/api/policies.ts'
import { ALL_SKILLS } from '../../site.ts'
import { INDEX_NAME } from '../../../src/search/format/layout.ts'
import { describeDenied } from './disk-store.ts'

/** Answers 200 while the process runs. */
const HEALTH = '/healthz'
/** Answers 200 while a build can be read and the search answers with the skills of that build; otherwise 503. */
const READY = '/readyz'

/** Whether a request is about the state of the server, not about the site. */
export const isProbe = ({ method, target }: SiteRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (target === HEALTH || target === READY)

const UNREADABLE = 'no build can be read, or its search does not answer'
const OUTDATED =
  'the database of SEARCH_URL has the skills of another build: run "npm run search:sync"'

/** Returns why the server is not ready; undefined if it is. */
const findOutage = async (source: SiteSource): Promise<string | undefined> => {
  try {
    const { search, store } = await source.current()
    const backend = await search()
    await backend.find({ ...ALL_SKILLS, limit: 1 })
    if (!backend.readDigest) return undefined
    const index = await store.read(INDEX_NAME)
    return !index || (await index.digest()) === (await backend.readDigest()) ? undefined : OUTDATED
  } catch (error) {
    return describeDenied(error) ?? UNREADABLE
  }
}

export const answerProbe = async (
  { method, target }: SiteRequest,
  source: SiteSource,
): Promise<Answer> => {
  const { headers } = POLICIES.plain
  const fault = target === HEALTH ? undefined : await findOutage(source)
  const answer =
    fault === undefined
      ? answerBytes('ok\n', 200, headers)
      : answerBytes(`${fault}\n`, 503, { ...headers, ...RETRY_LATER })
  return fitMethod(method, answer)
}
