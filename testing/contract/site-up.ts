import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import { PATHS } from '../../src/documents/paths.ts'
import { ORIGIN } from '../fixture.ts'
import type { AskSite } from './ask.ts'
import { needsRawTarget } from './clause.ts'
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
    'csv(?:-|%2D)(?:old|purge|tidy)|csv%2Dclean|skill-1[34]|/gone|octo|/hex|/page\\b|page=2',
    'LICENSE|references|scripts|assets|empty|odd|Ab12Cd|data-and-analytics|cat=.*&cat=',
    'blog/hello|coding/feed|download/(?:1|13|77|899|900)\\b|"5000"|/5000|/10"|Range',
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

/** Asks for a skill of another site what is asked for the fixture's `csv-clean`; the texts of its bodies are its own. */
const rename = (clause: ContractClause, slug: string, id: string): ContractClause => {
  const put = (text: string): string =>
    text
      .replaceAll('csv-clean', slug)
      .replace(/CSV-clean/gi, slug.toUpperCase())
      .replace(/(?<=\/download\/)12\b/, id)
  const has = Object.entries(clause.has).map(([name, value]) => [
    name,
    typeof value === 'string' ? put(value) : value,
  ])
  const body = clause.body === '' ? '' : undefined
  return { ...clause, line: put(clause.line), has: Object.fromEntries(has), body }
}

/** All clauses for a site of the fixture; for others those that every site can keep, asked for a skill of its own. */
const chooseClauses = async (ask: AskSite, origin: string): Promise<readonly ContractClause[]> => {
  if (origin === ORIGIN) return CONTRACT
  const { skills } = await readJson<{ skills: { name: string; url: string }[] }>(
    ask,
    DISCOVERY_PATH,
  )
  const [{ name, url } = { name: '', url: '' }] = skills
  return CONTRACT.filter(
    ({ line, has, headers }) => !OF_FIXTURE.test(line + JSON.stringify([has, headers])),
  ).map((clause) => rename(clause, name, /\d+$/.exec(url)?.[0] ?? ''))
}

/**
 * Holds a site that is up to the contract. A platform that parses addresses is not asked what needs the raw target.
 * Throws NotASiteError, and what a connection throws.
 */
export const holdSite = async (
  ask: AskSite,
  isParsed: boolean,
): Promise<{ kept: number; lost: string[] }> => {
  const { servers } = await readJson<{ servers?: { url: string }[] }>(ask, PATHS.openapi)
  const { origin } = new URL(servers?.[0]?.url ?? ORIGIN)
  const { headers } = await ask({ line: `GET ${PATHS.listingApi}`, headers: {} })
  const isPrivate = headers.get('cache-control')?.startsWith('private') === true
  const chosen = await chooseClauses(ask, origin)
  const lost: string[] = []
  let kept = 0
  for (const clause of isPrivate ? asPrivate(chosen) : chosen) {
    if (isParsed && needsRawTarget(clause)) continue
    const breaches = await ask(clause).then(
      (answered) => findBreaches(clause, answered, origin),
      (error: Error) => [`no answer: ${error.message}`],
    )
    if (breaches.length === 0) kept += 1
    else lost.push([titleOf(clause), ...breaches].join('\n        '))
  }
  return { kept, lost }
}
