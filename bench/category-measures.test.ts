import { expect, test } from 'vitest'
import { JUDGES } from './category-judges.ts'
import { measureAgreement } from './category-measures.ts'

const row = (name: string, category: 'Coding' | 'Writing', repository: string) => ({
  name,
  description: '',
  category,
  repository,
})

const ROWS = [
  { ...row('debug', 'Coding', 'a/a'), also: 'Writing' as const },
  row('debug', 'Coding', 'b/b'),
  row('essay', 'Writing', 'c/c'),
  row('essay', 'Writing', 'c/c'),
  row('grammar', 'Writing', 'c/c'),
]

test('agreement -> strict over rows, lenient with the second reading, macro over categories', () => {
  expect(measureAgreement(ROWS, ['Writing', 'Coding', 'Writing', 'Coding', 'Coding'])).toEqual({
    strict: 2 / 5,
    lenient: 3 / 5,
    strictMacro: (1 / 2 + 1 / 3) / 2,
    lenientMacro: (1 + 1 / 3) / 2,
  })
})

test.each([
  ['table as it ships', ['Coding', 'Coding', 'Writing', 'Writing', 'Writing']],
  ['table, words of other rows', ['Coding', 'Coding', 'Writing', 'Writing', 'Coding']],
  ['table, words of other repositories', ['Coding', 'Coding', 'Coding', 'Coding', 'Coding']],
  ['always Coding', ['Coding', 'Coding', 'Coding', 'Coding', 'Coding']],
])('%s -> only what it may know', (name, answers) => {
  expect(JUDGES[name]?.(ROWS)).toEqual(answers)
})

test('learned from the other rows alone -> what they say, against the label of the row itself', () => {
  const others = [
    ...Array.from({ length: 6 }, () => row('alpha', 'Writing', 'b/b')),
    ...Array.from({ length: 6 }, () => row('beta', 'Coding', 'b/b')),
  ]
  const rows = [row('alpha', 'Coding', 'a/a'), row('beta', 'Writing', 'a/a'), ...others]
  const answers = JUDGES['learned from the other rows alone']?.(rows)
  expect(answers?.slice(0, 2)).toEqual(['Writing', 'Coding'])
})
