import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { LEFT_OUT_NAMES } from '../../../src/catalog/left-out.ts'
import { ALL_COMMANDS } from './commands.ts'

const PAGE = new URL('../../../content/pages/docs-authors.md', import.meta.url)

const body = splitSkillMd(readFileSync(PAGE, 'utf8')).body

/** Sections of the page by heading, including code blocks. */
const sections = new Map(
  body
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

describe('the page for authors', () => {
  test.each(ALL_COMMANDS.map((command) => [command.name, command] as const))(
    'has %s, an example of it, and each of its options',
    (name, { options }) => {
      const section = sections.get(name) ?? ''
      expect(section).toContain(`npm run catalog -- ${name}`)
      for (const option of Object.keys(options)) expect(section).toContain(`\`--${option}`)
    },
  )

  test('names no option that a command does not have', () => {
    for (const { name, options } of ALL_COMMANDS) {
      for (const [, option = ''] of (sections.get(name) ?? '').matchAll(/`--([a-z-]+)/g)) {
        expect(Object.keys(options), name).toContain(option)
      }
    }
  })

  test('lists the names that no copy has', () => {
    for (const name of LEFT_OUT_NAMES) expect(sections.get('import')).toContain(`\`${name}\``)
  })

  test('links to each of its sections', () => {
    for (const name of sections.keys()) expect(body).toContain(`](#${name})`)
  })
})
