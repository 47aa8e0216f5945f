import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import { PATHS } from '../../src/documents/paths.ts'
import { ORIGIN } from '../fixture.ts'
import type { AskSite } from './ask.ts'
import { needsRawTarget, splitLine } from './clause.ts'
import type { ContractClause } from './clause.ts'
import { CONTRACT, asPrivate } from './contract.ts'
import { findBreaches, titleOf } from './judge.ts'

/** A site does not answer as one of ours: the message says what was asked. */
export class NotASiteError extends Error {
  override name = 'NotASiteError'
}

/** Names, files and sizes that only the fixture has: a clause with one of them is not asked of other sites. */
const OF_FIXTURE = new RegExp(
  [
    'csv(?:-|%2D)(?:bad|old|purge|tidy)|csv%2Dclean|skill-1[34]|/gone|octo|/hex|/page\\b|page=2',
    'LICENSE|references|scripts|assets|empty|odd|Ab12Cd|data-and-analytics|cat=.*&cat=',
    '[0-9a-f]{64}|@([a-e])\\1{11}|versions\\.|advisories',
    'blog/hello|coding/feed|download/(?:1|13|77|899|90[01])\\b|"5000"|/5000|/10"|Range',
  ].join('|'),
  'i',
)

const readJson = async <Value>(ask: AskSite, address: string): Promise<Value> => {
  const { status, body } = await ask({ line: `GET ${address}`, headers: {} })
  try {
    if (status === 200) return JSON.parse(body.toString()) as Value
  } catch {
    throw new NotASiteError(`GET ${address} answers no JSON`)
  }
  throw new NotASiteError(`GET ${address} answers ${status}, not 200`)
}

/** A skill of a site whose text is there, and so the index by which clients install it. */
interface OwnSkill {
  slug: string
  id: string
}

/** The skill of the fixture that clauses ask for. */
const SKILL_OF_FIXTURE: OwnSkill = { slug: 'csv-clean', id: '12' }
const OF_SKILL = /csv-clean|\/download\/12\b/i

const isThere = async (ask: AskSite, address: string): Promise<boolean> =>
  (await ask({ line: `GET ${address}`, headers: {} })).status === 200

/** Asks for a skill of another site what is asked for the fixture's `csv-clean`; the texts of its bodies are its own. */
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

/** The first skill of the listing that can be installed; undefined if none of its first 100 can. */
const findSkill = async (ask: AskSite): Promise<OwnSkill | undefined> => {
  const { skills } = await readJson<{ skills: { id: number; slug: string }[] }>(
    ask,
    `${PATHS.listingApi}?limit=100`,
  )
  for (const { id, slug } of skills)
    if (await isThere(ask, `/skills/${slug}${DISCOVERY_PATH}`)) return { slug, id: String(id) }
  return undefined
}

/** All clauses for a site of the fixture; for others those that every site can keep, asked for a skill of its own. */
const chooseClauses = async (ask: AskSite, origin: string): Promise<readonly ContractClause[]> => {
  if (origin === ORIGIN) return CONTRACT
  const skill = await findSkill(ask)
  // A site without `starter` has no index of its own.
  const hasIndex = await isThere(ask, DISCOVERY_PATH)
  return CONTRACT.filter(
    (clause) =>
      !OF_FIXTURE.test(clause.line + JSON.stringify([clause.has, clause.headers])) &&
      (hasIndex || splitLine(clause).target !== DISCOVERY_PATH) &&
      (skill !== undefined || !OF_SKILL.test(clause.line)),
  ).map((clause) => rename(clause, skill ?? SKILL_OF_FIXTURE))
}

/**
 * Holds a site that is up to the contract. A platform that parses addresses is not asked what needs the raw target.
 * Throws NotASiteError, and what a connection throws.
 */
export const holdSite = async (
  ask: AskSite,
  isParsed: boolean,
): Promise<{ passed: number; failed: string[] }> => {
  const { servers } = await readJson<{ servers?: { url: string }[] }>(ask, PATHS.openapi)
  const { origin } = new URL(servers?.[0]?.url ?? ORIGIN)
  const { headers } = await ask({ line: `GET ${PATHS.listingApi}`, headers: {} })
  const isPrivate = headers.get('cache-control')?.startsWith('private') === true
  const chosen = await chooseClauses(ask, origin)
  const failed: string[] = []
  let passed = 0
  for (const clause of isPrivate ? asPrivate(chosen) : chosen) {
    if (isParsed && needsRawTarget(clause)) continue
    const breaches = await ask(clause).then(
      (answered) => findBreaches(clause, answered, origin),
      (error: Error) => [`no answer: ${error.message}`],
    )
    if (breaches.length === 0) passed += 1
    else failed.push([titleOf(clause), ...breaches].join('\n        '))
  }
  return { passed, failed }
}
