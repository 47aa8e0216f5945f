import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { PROJECT_ROOT } from '../site/settings.ts'

const read = (path: string): string => readFileSync(join(PROJECT_ROOT, path), 'utf8')

test('docs/dependencies.md -> explains each package in package.json, and no other', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as {
    [list: string]: Record<string, string>
  }
  const installed = Object.keys({ ...dependencies, ...devDependencies })
  const named = [...read('docs/dependencies.md').matchAll(/\*\*([^*]+)\*\*/g)].map(
    ([, name]) => name,
  )
  const others = installed.filter((name) => !name.startsWith('@types/'))
  expect(named.toSorted()).toEqual(others.toSorted())
})
