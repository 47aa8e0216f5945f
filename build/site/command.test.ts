import { expect, test } from 'vitest'
import { warnOfFile } from '../../src/catalog/problems.ts'
import { listWarnings } from './command.ts'

test('warnings after a build have file, message and remedy', () => {
  const warning = warnOfFile('skills/a/SKILL.md', 'is too deep', 'simplify it')
  expect(
    listWarnings({
      warnings: [warning],
      broken: 2,
      notes: ['Without versions: x.'],
    }),
  ).toEqual([
    'Without versions: x.',
    'skills/a/SKILL.md: is too deep — simplify it',
    '2 skills break the specification: npm run catalog -- check',
  ])
})
