import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listLoadedPackages } from '../../testing/import-graph.ts'
import { PROJECT_ROOT } from './settings.ts'

/** Packages in JavaScript, which a bounded call ends. Native code would hold a build as long as it likes. */
const ENDED = [
  'github-slugger',
  'gray-matter',
  // Packs zips outside of the call, in JavaScript too.
  'jszip',
  'marked',
  'prismjs',
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
])('what %s reads of a stranger is read in JavaScript', (file) => {
  const packages = [...new Set(listLoadedPackages(join(PROJECT_ROOT, file)).map(nameOf))]
  expect(packages.filter((one) => !ENDED.includes(one))).toEqual([])
})

test.each(ENDED)('%s has no native code', (name) => {
  const folder = join(PROJECT_ROOT, 'node_modules', name)
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
  expect(manifest).not.toMatch(/"(?:gypfile|binary|napi)"|\.node"|node-gyp|prebuild/)
})
