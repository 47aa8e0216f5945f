import { expect, test } from 'vitest'
import type { Answered, ContractClause } from './clause.ts'
import { API_CLAUSES } from './api-clauses.ts'
import { CLIENT_CLAUSES } from './client-clauses.ts'
import { SITE_CLAUSES } from './site-clauses.ts'
import { ORIGIN } from '../fixture.ts'
import type { AskSite } from './ask.ts'

/** What every host owes every request. */
export const CONTRACT: readonly ContractClause[] = [
  ...API_CLAUSES,
  ...SITE_CLAUSES,
  ...CLIENT_CLAUSES,
]

const titleOf = ({ line, headers, gives }: ContractClause): string => {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`)
  const shown = line.length > 90 ? `${line.slice(0, 90)}…` : line
  return `${shown}${fields.join('')} -> ${gives}`
}

/** What an envelope has to be: the code, and every part filled. */
const envelopeOf = (code: string): object => ({
  error: {
    code,
    message: expect.stringMatching(/./),
    hint: expect.stringMatching(/./),
    docs: `${ORIGIN}/openapi.json`,
  },
})

const bodyOf = ({ gives, body: wanted }: ContractClause, body: Buffer): unknown => {
  if (gives.includes(' ')) return JSON.parse(body.toString())
  if (wanted instanceof RegExp) return body.toString()
  return wanted === undefined ? undefined : body.toString('latin1')
}

const wantedBody = ({ gives, body }: ContractClause): unknown => {
  const [, code] = gives.split(' ')
  if (code !== undefined) return envelopeOf(code)
  if (body instanceof RegExp) return expect.stringMatching(body)
  return body === undefined ? undefined : Buffer.from(body as string).toString('latin1')
}

/** The parts of an answer that a clause speaks of. */
const observe = (clause: ContractClause, { status, headers, body }: Answered): object => ({
  status: String(status),
  ...Object.fromEntries(Object.keys(clause.has).map((name) => [name, headers.get(name)])),
  nosniff: headers.get('x-content-type-options'),
  body: bodyOf(clause, body),
})

const expected = (clause: ContractClause): object => ({
  status: clause.gives.split(' ')[0],
  ...Object.fromEntries(
    Object.entries(clause.has).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  ),
  nosniff: clause.gives === '204' ? null : 'nosniff',
  body: wantedBody(clause),
})

/** Makes a test of every clause, for one way to ask. */
export const holdContract = (ask: () => AskSite, clauses = CONTRACT): void => {
  const titled = clauses.map((clause) => [titleOf(clause), clause] as const)
  test.for(titled)('%s', async ([, clause]) => {
    expect(observe(clause, await ask()(clause))).toEqual(expected(clause))
  })
}

/** Fails the test on what a host would only log. */
export const failOn = (cause: unknown): void => {
  throw cause as Error
}
