import { expect, test } from 'vitest'
import { LISTING_BUDGETS, costInListing, fitListing } from './listing-budgets.ts'

const budgetOf = (client: string) => LISTING_BUDGETS.find((one) => one.client === client)!

test.each([
  ['Claude Code', 'x'.repeat(500), 500],
  ['Claude Code', 'x'.repeat(2_000), 1_536],
  ['Claude Code', '🎉é', 2],
  ['Codex', 'x'.repeat(401), 101],
  ['Codex', '漢字漢字', 3],
])('%s counts %j as %i', (client, description, cost) => {
  expect(costInListing(description, budgetOf(client))).toBe(cost)
})

test('descriptions are kept in order until the budget is used up', () => {
  const skills = [1_500, 3_000, 1_500, 1_500, 1_500, 1_500].map((length, at) => ({
    at,
    description: 'x'.repeat(length),
  }))
  const { taken, lost } = fitListing(skills, budgetOf('Claude Code'))
  expect({ taken, lost: lost.map(({ at }) => at) }).toEqual({ taken: 9_036, lost: [5] })
})

test('each budget has a source and a date', () => {
  for (const { source, day, all, window } of LISTING_BUDGETS) {
    expect(source).toMatch(/^https:/)
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(all).toBeLessThan(window)
  }
})
