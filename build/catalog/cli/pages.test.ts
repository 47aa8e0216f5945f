import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { LEFT_OUT_NAMES } from '../../../src/catalog/left-out.ts'
import { COMMANDS_PAGE, renderCommandsPage } from './commands-page.ts'
import { ALL_COMMANDS } from './commands.ts'

const AUTHORS_PAGE = new URL('../../../content/pages/docs-authors.md', import.meta.url)
const authors = splitSkillMd(readFileSync(AUTHORS_PAGE, 'utf8')).body

/** Command lines on the authors page: the command, and the rest of the line. */
const LINE = /npm run catalog -- (?!help\b)([a-z-]+)([^\n`]*)/g

test('the commands page is up to date: npm run commands', () => {
  expect(readFileSync(COMMANDS_PAGE, 'utf8')).toBe(renderCommandsPage())
})

test('the authors page uses only existing commands and options', () => {
  const lines = [...authors.matchAll(LINE)]
  expect(lines.length).toBeGreaterThan(15)
  for (const [line, name, rest = ''] of lines) {
    const command = ALL_COMMANDS.find((one) => one.name === name)
    expect(command, line).toBeDefined()
    for (const [, option = ''] of rest.matchAll(/ --([a-z-]+)/g))
      expect(Object.keys(command?.options ?? {}), line).toContain(option)
  }
})

test('the authors page lists the names that copies omit', () => {
  const section = authors.slice(authors.indexOf('## left out'))
  for (const name of LEFT_OUT_NAMES) expect(section).toContain(`\`${name}\``)
})

test('the authors page links to each of its sections', () => {
  for (const [, heading = ''] of authors.matchAll(/^## (.+)$/gm))
    expect(authors).toContain(`](#${heading.toLowerCase().replaceAll(' ', '-')})`)
})
