import { RETRY_LATER, answerBytes, fitMethod } from '../../answers.ts'
import type { Answer } from '../../answers.ts'
import type { SiteSource } from '../../respond.ts'
import type { SiteRequest } from '../../route.ts'
import { POLICIES } from '../../../src/api/policies.ts'
import { DEFAULT_SORT } from '../../../src/catalog/browse.ts'

/** Answers while the process is up. */
const HEALTH = '/healthz'
/** Answers 200 while a build can be read and the search answers, else 503. */
const READY = '/readyz'

/** Whether a request asks after the server and not for something of the site. */
export const isProbe = ({ method, target }: SiteRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (target === HEALTH || target === READY)

const isReady = async (source: SiteSource): Promise<boolean> => {
  try {
    const search = await (await source.current()).search()
    await search.find({ sort: DEFAULT_SORT, categories: [], limit: 1, offset: 0 })
    return true
  } catch {
    return false
  }
}

export const answerProbe = async (
  { method, target }: SiteRequest,
  source: SiteSource,
): Promise<Answer> => {
  const { headers } = POLICIES.plain
  const answer =
    target === HEALTH || (await isReady(source))
      ? answerBytes('ok\n', 200, headers)
      : answerBytes('no build can be read, or its search does not answer\n', 503, {
          ...headers,
          ...RETRY_LATER,
        })
  return fitMethod(method, answer)
}
