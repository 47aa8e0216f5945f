import { expect, test } from 'vitest'
import { kindOfLicence } from './licence-kind.ts'
import { OTHER_LICENCE } from './skill.ts'

test.each([
  ['MIT', 'permissive'],
  ['CC-BY-4.0', 'permissive'],
  ['GPL-2.0+', 'copyleft'],
  ['LGPL-2.0-only', 'copyleft'],
  ['GPL-3.0-only WITH Classpath-exception-2.0', 'copyleft'],
  ['MIT OR GPL-3.0-only', 'permissive'],
  ['MIT AND MPL-2.0', 'copyleft'],
  ['MIT AND BUSL-1.1', 'other'],
  ['(MIT OR BUSL-1.1) AND (MPL-2.0 OR (CC-BY-NC-4.0 AND MIT))', 'copyleft'],
  ['CC-BY-NC-4.0', 'other'],
  [OTHER_LICENCE, 'other'],
  ['__proto__', 'other'],
  ['((((', 'other'],
  ['', 'other'],
])('%j -> %s', (expression, kind) => {
  expect(kindOfLicence(expression)).toBe(kind)
})
