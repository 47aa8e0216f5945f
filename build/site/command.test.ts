import { expect, test } from 'vitest'
import { listWarnings } from './command.ts'

test('warnings after a build have file, field and remedy', () => {
  const warning = { file: 'skills/a/SKILL.md', field: '', remedy: 'simplify it' }
  expect(
    listWarnings({
      warnings: [warning],
      broken: 2,
      notes: ['Without versions: x.'],
    }),
  ).toEqual([
    'Without versions: x.',
    'skills/a/SKILL.md — simplify it',
    '2 skills break the specification: npm run catalog -- check',
  ])
})
