import { expect, test } from 'vitest'
import type { InstallCommand } from '../document.ts'
import { renderInstallBox } from './install-box.ts'
import { html } from '../prose/markup.ts'
import { md } from '../prose/md.ts'

const render = (commands: readonly InstallCommand[]): string =>
  renderInstallBox({ id: 'install', heading: 'Install', markdown: md`` }, commands, html`Below.`, {
    pick: 'one',
  }).html

/** Labels and commands, in order. */
const readCommands = (page: string): string[] =>
  Array.from(
    page.matchAll(
      /<p class="hidden">(.*)<\/p>\s+<pre\s+class="(\w+)"[^>]*><code>(.*)<\/code><\/pre>/g,
    ),
    ([, ...found]) => found.join(' | '),
  )

test('each command is whole, behind the words that say for whom it is', () => {
  const others = ['codex', 'cursor']
  const page = render([
    { clients: ['claude'], place: 'project', command: 'curl a && "b"' },
    { clients: others, place: 'project', command: 'curl c' },
    { clients: ['cursor'], place: 'project', command: 'npx d' },
    { clients: ['cursor'], place: 'home', command: 'npx e' },
  ])
  expect(readCommands(page)).toEqual([
    'Claude Code · this project | line | curl a &amp;&amp; &quot;b&quot;',
    'Codex, Cursor · this project | line | curl c',
    'Cursor · this project | other | npx d',
    'Cursor · every project | line | npx e',
  ])
  expect(page).toMatch(/data-clients="codex cursor"\s+data-place="project"/)
  expect(page).toContain('<div class="text">Below.</div>')
  expect(page).toContain('name="skills" form="basket" value="one"')
})

test('without a command there is nothing to choose or to copy', () => {
  const page = render([])
  expect(page).not.toMatch(/radio|data-copies="line"|class="command/)
  expect(page).toContain('data-copies="twin"')
  expect(page).toContain('Below.')
})
