import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listLoadedPackages } from '../../testing/import-graph.ts'
import { PROJECT_ROOT } from './settings.ts'

/** Packages written in JavaScript, which a time limit can interrupt. Native code could not be interrupted. */
const INTERRUPTIBLE = [
  'github-slugger',
  'gray-matter',
  // Packs zips outside the time-limited call, but is also JavaScript.
  'jszip',
  'marked',
  'prismjs',
  'smol-toml',
  'spdx-expression-parse',
  'stemmer',
  'unbash',
  'yaml',
  'zod',
]

const nameOf = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ''

test.each([
  'build/site/skill-files.ts',
  'build/catalog/import/candidate.ts',
  'build/catalog/check/check-skill.ts',
])('%s parses untrusted files only with JavaScript', (file) => {
  const packages = [...new Set(listLoadedPackages(join(PROJECT_ROOT, file)).map(nameOf))]
  expect(packages.filter((one) => !INTERRUPTIBLE.includes(one))).toEqual([])
})

test.each(INTERRUPTIBLE)('%s has no native code', (name) => {
  const folder = join(PROJECT_ROOT, 'node_modules', name)
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
  expect(manifest).not.toMatch(/"(?:gypfile|binary|napi)"|\.node"|node-gyp|prebuild/)
})
