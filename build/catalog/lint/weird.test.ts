import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lintTarget } from './lint-skill.ts'
import { RULES } from './rules.ts'
import { findTargets } from './lint-catalog.ts'
import { RIGHT_KINDS, WEIRD_RULES } from './testing/weird-cases.ts'

const FOLDER =
  process.env['WEIRD'] ?? fileURLToPath(new URL('../../../../shared/weird', import.meta.url))

/** The cases, where the collection lies beside the project; every rule has samples of our own too. */
const cases = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => /^\d{3}-/.test(name)) : []

const kindOf = (name: string): string => name.slice('000-'.length)

/** The rule of a case: that of its kind, or its own among those of its kind. */
const expectedOf = (name: string): string | undefined => {
  const rules = WEIRD_RULES[kindOf(name)]
  if (typeof rules === 'string' || rules === undefined) return rules
  return rules[cases.filter((one) => kindOf(one) === kindOf(name)).indexOf(name)]
}

test('every kind has a rule that is there, or a reason to have none', () => {
  for (const [kind, rules] of Object.entries(WEIRD_RULES)) {
    for (const rule of [rules].flat()) {
      if (rule === 'nothing') expect(RIGHT_KINDS, kind).toHaveProperty(kind)
      else expect(RULES).toHaveProperty(rule)
    }
  }
})

test('every case of the collection -> the diagnostic it is about', () => {
  for (const name of cases) {
    const expected = expectedOf(name) ?? 'nothing'
    if (expected === 'nothing') expect(RIGHT_KINDS, name).toHaveProperty(kindOf(name))
    const { targets } = findTargets([join(FOLDER, name)], FOLDER)
    const diagnostics = targets.flatMap(lintTarget)
    const rules = diagnostics.map(({ rule }) => rule)
    if (expected !== 'nothing') expect(rules, name).toContain(expected)
    // The collection's folders are numbered, so no name is that of its folder.
    const errors = diagnostics.filter(
      ({ severity, rule }) => severity === 'error' && rule !== 'name-folder',
    )
    if (expected === 'nothing') expect(errors, name).toEqual([])
  }
})
