import { expect, test } from 'vitest'
import { kindOfLicence } from './licence-kind.ts'
import { OTHER_LICENCE } from './skill.ts'

test.each([
  ['MIT', 'permissive'],
  ['GPL-2.0+', 'copyleft'],
  ['GPL-3.0-only WITH Classpath-exception-2.0', 'copyleft'],
  ['MIT OR GPL-3.0-only', 'permissive'],
  ['MIT AND MPL-2.0', 'copyleft'],
  ['(MIT OR BUSL-1.1) AND (MPL-2.0 OR (CC-BY-NC-4.0 AND MIT))', 'copyleft'],
  ['CC-BY-NC-4.0', 'other'],
  [OTHER_LICENCE, 'other'],
  ['__proto__', 'other'],
  ['', 'other'],
])('%j -> %s', (expression, kind) => {
  expect(kindOfLicence(expression)).toBe(kind)
})
