import { expect, test } from 'vitest'
import { CONTRACT } from './contract.ts'
import { findBreaches, titleOf } from './judge.ts'
import type { SendRequest } from './requests.ts'

/** Defines a test for every clause. */
export const testContract = (send: () => SendRequest, clauses = CONTRACT): void => {
  const titled = clauses.map((clause) => [titleOf(clause), clause] as const)
  test.for(titled)('%s', async ([, clause]) => {
    expect(findBreaches(clause, await send()(clause))).toEqual([])
  })
}

/** Fails a test for an error that a host would only log. */
export const failOn = (cause: unknown): void => {
  throw cause as Error
}
