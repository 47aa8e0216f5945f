import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quoteFolder } from './new-registry.ts'

test.each([
  ['a/b/acme', 'a/b/acme'],
  ['Über uns', "'Über uns'"],
  ["it's", String.raw`'it'\''s'`],
  ['-rf', './-rf'],
  ['~', "'~'"],
])('%s -> %s, which a shell reads as that folder', (name, shown) => {
  expect(quoteFolder(name)).toBe(shown)
  const root = mkdtempSync(join(tmpdir(), 'new-registry-'))
  mkdirSync(join(root, name), { recursive: true })
  const options = { cwd: root, encoding: 'utf8' } as const
  expect(execFileSync('sh', ['-ec', `cd ${shown} && pwd -P`], options)).toMatch(`/${name}\n`)
  rmSync(root, { recursive: true })
})
