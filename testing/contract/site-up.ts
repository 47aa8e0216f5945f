import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import { PATHS } from '../../src/documents/paths.ts'
import { ORIGIN } from '../fixture.ts'
import type { SendRequest } from './requests.ts'
import { needsRawTarget, splitLine } from './clause.ts'
import type { ContractClause } from './clause.ts'
import { CONTRACT, asPrivate } from './contract.ts'
import { findBreaches, titleOf } from './judge.ts'

/** A site does not answer like a skill registry. The message names the request. */
export class NotASiteError extends Error {
  override name = 'NotASiteError'
}

/** Names, files and sizes that only the fixture has. A clause with one of them does not apply to other sites. */
const ONLY_IN_FIXTURE = new RegExp(
  [
    'csv(?:-|%2D)(?:bad|old|purge|tidy)|csv%2Dclean|skill-1[34]|/gone|octo|/hex|/page\\b|page=2',
    'LICENSE|references|scripts|assets|empty|odd|Ab12Cd|data-and-analytics|cat=.*&cat=',
    '[0-9a-f]{64}|@([a-e])\\1{11}|versions\\.|advisories',
    'blog/hello|coding/feed|download/(?:1|13|77|899|90[01])\\b|"5000"|/5000|/10"|Range',
  ].join('|'),
  'i',
)

const readJson = async <Value>(send: SendRequest, address: string): Promise<Value> => {
  const { status, body } = await send({ line: `GET ${address}`, headers: {} })
  try {
    if (status === 200) return JSON.parse(body.toString()) as Value
  } catch {
    throw new NotASiteError(`The answer to GET ${address} is not JSON`)
  }
  throw new NotASiteError(
    `The answer to GET ${address} has the status ${status}, but should have 200`,
  )
}

/** A skill of the checked site that clients can install. */
interface OwnSkill {
  slug: string
  id: string
}

/** The fixture's skill that clauses request. */
const SKILL_OF_FIXTURE: OwnSkill = { slug: 'csv-clean', id: '12' }
const OF_SKILL = /csv-clean|\/download\/12\b/i

const isThere = async (send: SendRequest, address: string): Promise<boolean> =>
  (await send({ line: `GET ${address}`, headers: {} })).status === 200

/** Applies a clause about `csv-clean` to another site's skill, without the body, whose text is not known. */
const rename = (clause: ContractClause, { slug, id }: OwnSkill): ContractClause => {
  const put = (text: string): string =>
    text
      .replace(/csv-clean/gi, (name) => (name === 'csv-clean' ? slug : slug.toUpperCase()))
      .replace(/(?<=\/download\/)12\b/, id)
  const has = Object.entries(clause.has).map(([name, value]) => [
    name,
    typeof value === 'string' ? put(value) : value,
  ])
  const body = clause.body === '' ? '' : undefined
  return { ...clause, line: put(clause.line), has: Object.fromEntries(has), body }
}

/** Finds the first skill that clients can install; undefined if none of the first 100 can be installed. */
const findSkill = async (send: SendRequest): Promise<OwnSkill | undefined> => {
  const { skills } = await readJson<{ skills: { id: number; slug: string }[] }>(
    send,
    `${PATHS.listingApi}?limit=100`,
  )
  for (const { id, slug } of skills)
    if (await isThere(send, `/skills/${slug}${DISCOVERY_PATH}`)) return { slug, id: String(id) }
  return undefined
}

/** Of the API. The fixture's origin is also the example in the documentation, so other sites may have it. */
const FIXTURE_TITLE = 'Fixture API'

interface ApiOfSite {
  info?: { title: string }
  servers?: { url: string }[]
}

/** Chooses all clauses for the fixture; for another site, those that apply to every site, with a skill of that site. */
const chooseClauses = async (
  send: SendRequest,
  isFixture: boolean,
): Promise<readonly ContractClause[]> => {
  if (isFixture) return CONTRACT
  const skill = await findSkill(send)
  // A site without `starter` has no index at its root.
  const hasIndex = await isThere(send, DISCOVERY_PATH)
  return CONTRACT.filter(
    (clause) =>
      !ONLY_IN_FIXTURE.test(clause.line + JSON.stringify([clause.has, clause.headers])) &&
      (hasIndex || splitLine(clause).target !== DISCOVERY_PATH) &&
      (skill !== undefined || !OF_SKILL.test(clause.line)),
  ).map((clause) => rename(clause, skill ?? SKILL_OF_FIXTURE))
}

/**
 * Checks a running site against the contract; if `isParsed`, without the clauses that need the raw target. Throws
 * NotASiteError, and errors of the connection.
 */
export const checkSite = async (
  send: SendRequest,
  isParsed: boolean,
): Promise<{ passed: number; failed: string[] }> => {
  const { info, servers } = await readJson<ApiOfSite>(send, PATHS.openapi)
  const { origin } = new URL(servers?.[0]?.url ?? ORIGIN)
  const { headers } = await send({ line: `GET ${PATHS.listingApi}`, headers: {} })
  const isPrivate = headers.get('cache-control')?.startsWith('private') === true
  const chosen = await chooseClauses(send, info?.title === FIXTURE_TITLE)
  const failed: string[] = []
  let passed = 0
  for (const clause of isPrivate ? asPrivate(chosen) : chosen) {
    if (isParsed && needsRawTarget(clause)) continue
    const breaches = await send(clause).then(
      (answered) => findBreaches(clause, answered, origin),
      (error: Error) => [`no answer: ${error.message}`],
    )
    if (breaches.length === 0) passed += 1
    else failed.push([titleOf(clause), ...breaches].join('\n        '))
  }
  return { passed, failed }
}
