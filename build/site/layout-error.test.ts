import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFiles } from '../../src/catalog/testing/content.ts'
import { renderTemplates } from './astro.ts'
import { describeFailure } from './command.ts'
import { PROJECT_ROOT } from './settings.ts'

const PAGE = 'src/pages/templates/one.astro'
const STYLED = `---\nimport '../../one.css'\n---\n<html></html>`

let root = ''
beforeAll(() => {
  // Inside the project, so that Astro's bundle can resolve its packages.
  const cache = join(PROJECT_ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  root = mkdtempSync(join(cache, 'layout-error-'))
})
afterAll(() => rmSync(root, { recursive: true }))

test.each([
  ['of syntax', { [PAGE]: '<p></p>\n{\n' }, `${PAGE}:3:0: Unexpected token`],
  ['while it is rendered', { [PAGE]: '---\nnone()\n---\n' }, `${PAGE}: none is not defined`],
  [
    'of a style',
    { [PAGE]: STYLED, 'src/one.css': 'p {}\n.a { color: \nbody { margin: 0 }\n' },
    'a style near ".a { color:  body { margin: 0 }": [lightningcss minify] Unexpected token',
  ],
])('an error %s -> one line with its place', async (name, files, line) => {
  const project = join(root, name.replaceAll(' ', '-'))
  mkdirSync(project)
  writeFiles(project, { 'package.json': '{"type": "module"}', ...files })
  const failure = await renderTemplates(join(project, 'rendered'), `${project}/`).then(
    () => 'no failure',
    describeFailure,
  )
  expect(failure).toContain(line)
  expect(failure).toMatch(/^[^\n]*; the built site is unchanged\.$/)
})
