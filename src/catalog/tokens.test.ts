import { expect, test } from 'vitest'
import { estimateTokens, LISTING_BUDGETS, costInListing, fitListing } from './tokens.ts'

// Exact counts from the o200k encoder of gpt-tokenizer.
test.each<[string, number]>([
  ['', 0],
  ['Read the file and list what is missing.', 9],
  ['getElementById(document, "title-of-page")', 11],
  ['npm install --save-dev typescript@5.9.2\n\n\n', 14],
  ['打开表格文件，查找空单元格和重复的行，并列出需要修改的地方。', 23],
  ['このスキルは、問い合わせのメールに返事を書くときに使います。', 19],
  ['스프레드시트를 열어 빈 칸과 같은 줄을 찾고, 고쳐야 할 곳을 목록으로 만듭니다.', 30],
  ['Откройте таблицу и найдите пустые ячейки.', 15],
])('%j -> about %i tokens', (text, counted) => {
  expect(Math.abs(estimateTokens(text) - counted)).toBeLessThanOrEqual(1 + counted * 0.3)
})

test('a text twice as long -> twice the tokens', () => {
  const text = 'Some words, 12345 and a line.\n'
  expect(estimateTokens(text.repeat(200)) / estimateTokens(text.repeat(100))).toBeCloseTo(2, 1)
})

const budgetOf = (client: string) => LISTING_BUDGETS.find((budget) => budget.client === client)!

test.each([
  ['Claude Code', 'x'.repeat(500), 500],
  ['Claude Code', 'x'.repeat(2_000), 1_536],
  ['Claude Code', '🎉é', 2],
  ['Codex', 'x'.repeat(401), 101],
  ['Codex', '漢字漢字', 3],
])('%s counts %j as %i', (client, description, cost) => {
  expect(costInListing({ description }, budgetOf(client))).toBe(cost)
})

test('descriptions are kept in order until the budget is used up', () => {
  const skills = [1_500, 3_000, 1_500, 1_500, 1_500, 1_500].map((length, at) => ({
    at,
    description: 'x'.repeat(length),
  }))
  const { total, dropped } = fitListing(skills, budgetOf('Claude Code'))
  expect({ total, dropped: dropped.map(({ at }) => at) }).toEqual({ total: 9_036, dropped: [5] })
})

test('a skill that only the user can start costs nothing and is never dropped', () => {
  const manual = { description: 'x'.repeat(500), startedBy: 'user' } as const
  expect(LISTING_BUDGETS.map((budget) => costInListing(manual, budget))).toEqual([0, 0])
  const skills = [...Array.from({ length: 6 }, () => ({ description: 'x'.repeat(1_500) })), manual]
  const { total, dropped } = fitListing(skills, budgetOf('Claude Code'))
  expect({ total, dropped: dropped.length }).toEqual({ total: 9_000, dropped: 1 })
  expect(dropped).not.toContain(manual)
})

test('each budget has a source and a date', () => {
  for (const { source, day, all, window } of LISTING_BUDGETS) {
    expect(source).toMatch(/^https:/)
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(all).toBeLessThan(window)
  }
})
