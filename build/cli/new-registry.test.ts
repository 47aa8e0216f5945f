import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { quoteFolder } from './new-registry.ts'

test.each([
  ['a/b/acme', 'a/b/acme'],
  ['Über uns', "'Über uns'"],
  ["it's", String.raw`'it'\''s'`],
  ['-rf', './-rf'],
  ['~', "'~'"],
])('%s -> %s, which a shell reads as that folder', (name, shown) => {
  expect(quoteFolder(name)).toBe(shown)
  const root = makeSampleFolder({ [`${name}/file`]: '' })
  const options = { cwd: root, encoding: 'utf8' } as const
  expect(execFileSync('sh', ['-ec', `cd ${shown} && pwd -P`], options)).toMatch(`/${name}\n`)
})
