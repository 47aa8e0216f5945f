import { expect, test } from 'vitest'
import { BREAKS_SPECIFICATION } from '../../src/catalog/specification.ts'
import { listWarnings, readBuildOptions } from './command.ts'

test('a build ends with its warnings: file, field and remedy', () => {
  const warning = { file: 'skills/a/SKILL.md', field: '', remedy: 'simplify it' }
  expect(listWarnings({ untraced: ['b'], lost: [], warnings: [warning] })).toEqual([
    'skills/b/skill.json: source.status: "untraced" — never seen at its source, so it is not shown; correct source.url and run `npm run catalog -- verify`',
    'skills/a/SKILL.md — simplify it',
  ])
})

test('skills that break the specification -> one line', () => {
  const breach = { file: 'skills/a/SKILL.md', field: '', remedy: BREAKS_SPECIFICATION }
  expect(listWarnings({ untraced: [], lost: [], warnings: [breach, breach] })).toEqual([
    '2 skills break the specification: npm run catalog -- check',
  ])
})

test.each([
  [['--rollback', '--verify'], '--verify goes with no other option: leave out --rollback'],
  [['--rollback', '--compress'], '--rollback goes with no other option: leave out --compress'],
])('%j is refused', (options, message) => {
  expect(() => readBuildOptions(options)).toThrow(message)
})
