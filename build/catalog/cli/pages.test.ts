import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { LEFT_OUT_NAMES } from '../../../src/catalog/left-out.ts'
import { COMMANDS_PAGE, renderCommandsPage } from './commands-page.ts'
import { ALL_COMMANDS } from './commands.ts'

const AUTHORS_PAGE = new URL('../../../content/pages/docs-authors.md', import.meta.url)
const authors = splitSkillMd(readFileSync(AUTHORS_PAGE, 'utf8')).body

/** Command lines in the page for authors: the name, and the options behind it. */
const LINE = /npm run catalog -- (?!help\b)([a-z-]+)([^\n`]*)/g

test('the page of commands is written from them: npm run commands', () => {
  expect(readFileSync(COMMANDS_PAGE, 'utf8')).toBe(renderCommandsPage())
})

test('the stories for authors use commands and options that there are', () => {
  const lines = [...authors.matchAll(LINE)]
  expect(lines.length).toBeGreaterThan(15)
  for (const [line, name, rest = ''] of lines) {
    const command = ALL_COMMANDS.find((one) => one.name === name)
    expect(command, line).toBeDefined()
    for (const [, option = ''] of rest.matchAll(/ --([a-z-]+)/g))
      expect(Object.keys(command?.options ?? {}), line).toContain(option)
  }
})

test('the page for authors lists the names that no copy has', () => {
  const section = authors.slice(authors.indexOf('## left out'))
  for (const name of LEFT_OUT_NAMES) expect(section).toContain(`\`${name}\``)
})

test('the page for authors links to each of its sections', () => {
  for (const [, heading = ''] of authors.matchAll(/^## (.+)$/gm))
    expect(authors).toContain(`](#${heading.toLowerCase().replaceAll(' ', '-')})`)
})
