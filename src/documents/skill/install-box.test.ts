import { expect, test } from 'vitest'
import type { InstallWay } from '../document.ts'
import { renderInstallBox } from './install-box.ts'
import { html } from '../prose/markup.ts'
import { md } from '../prose/md.ts'

const render = (ways: readonly InstallWay[]): string =>
  renderInstallBox({ id: 'install', heading: 'Install', markdown: md`` }, ways, {
    text: html`Below.`,
    fold: html`Fold.`,
  }).html

/** Reads the names of the ways to install, and the labels and commands of each, in order. */
const readCommands = (page: string): string[] =>
  Array.from(
    page.matchAll(
      /<b>(.*)<\/b>|<p class="hidden">(.*)<\/p>\s+<pre class="line"[^>]*><code>(.*)<\/code><\/pre>/g,
    ),
    ([, ...found]) => found.filter(Boolean).join(' | '),
  )

test('each command is complete, and its label names its clients and place', () => {
  const page = render([
    {
      name: 'Any shell',
      suits: 'nothing to install first',
      commands: [
        { clients: ['claude'], place: 'project', command: 'curl a && "b"' },
        { clients: ['codex', 'cursor'], place: 'project', command: 'curl c' },
      ],
    },
    {
      name: 'With Node',
      suits: 'from its source',
      commands: [{ clients: ['cursor'], place: 'home', command: 'npx e' }],
    },
  ])
  expect(readCommands(page)).toEqual([
    'Any shell',
    'Claude Code · this project | curl a &amp;&amp; &quot;b&quot;',
    'Codex, Cursor · this project | curl c',
    'With Node',
    'Cursor · every project | npx e',
  ])
  expect(page).toMatch(/data-clients="codex cursor"\s+data-place="project"/)
  expect(page.match(/class="copy"/g)).toHaveLength(2)
  expect(page).toMatch(/Below\.\sFold\./)
})

test('without commands there is nothing to choose or copy', () => {
  const page = render([])
  expect(page).not.toMatch(/radio|class="copy"|class="command/)
  expect(page).toContain('Below.')
})
