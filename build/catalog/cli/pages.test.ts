import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { LEFT_OUT_NAMES } from '../../../src/catalog/left-out.ts'
import { dropFences } from '../../../src/catalog/text.ts'
import { fillGenerated } from '../../../src/documents/generated.ts'
import { COMMANDS_PAGE, FILLED_PAGES, renderCommandsPage } from './commands-page.ts'
import { ALL_COMMANDS } from './commands.ts'

const AUTHORS_PAGE = new URL('../../../content/pages/docs-authors.md', import.meta.url)
const authors = splitSkillMd(readFileSync(AUTHORS_PAGE, 'utf8')).body

/** Command lines on the authors page: the command, and the rest of the line. */
const LINE = /npm run catalog -- (?!help\b)([a-z-]+)([^\n`]*)/g

test('the commands page is up to date: npm run commands', () => {
  expect(readFileSync(COMMANDS_PAGE, 'utf8')).toBe(renderCommandsPage())
})

test.each(FILLED_PAGES)('%s has the blocks that the code writes: npm run commands', (page) => {
  const text = readFileSync(page, 'utf8')
  expect(text).toMatch(/^<!-- code-[a-z]+ -->$/m)
  expect(text).toBe(fillGenerated(text))
})

/** Documents of the repository that people read on a code host. */
const ROOT = new URL('../../../', import.meta.url)
const READ_THERE = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/operators.md',
  'docs/internals.md',
]

/** What a site fills in or leaves out, so that it reads wrong on a code host. */
const UNFILLED = /\{(?:origin|site-[a-z]+)\}|^<!-- (?:private|npm|static) -->$/m

test.each(READ_THERE)('%s links only to pages that read right on a code host', (name) => {
  const document = new URL(name, ROOT)
  const links = readFileSync(document, 'utf8').matchAll(/\]\(([^)#:]*content\/pages\/[^)#]+)/g)
  for (const [, path = ''] of links)
    expect([path, readFileSync(new URL(path, document), 'utf8').match(UNFILLED)]).toEqual([
      path,
      null,
    ])
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
  for (const [, heading = ''] of dropFences(authors).matchAll(/^## (.+)$/gm))
    expect(authors).toContain(`](#${heading.toLowerCase().replaceAll(' ', '-')})`)
})
