import { expect, test, afterAll, beforeAll } from 'vitest'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropOld, keepRendering } from './astro.ts'

let cache = ''
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'skill-registry-renderings-'))
  for (const name of ['old', 'new']) mkdirSync(join(cache, name, 'inside'), { recursive: true })
  utimesSync(join(cache, 'old'), 1e9, 1e9)
})
afterAll(() => rmSync(cache, { recursive: true }))

test('a rendering that was made more than a day ago is removed', () => {
  dropOld(cache)
  expect(readdirSync(cache)).toEqual(['new'])
})

test('two builds render at the same time -> the first rendering is kept, without an error', () => {
  const place = join(cache, 'same')
  for (const name of ['first', 'second']) {
    mkdirSync(join(cache, name, name), { recursive: true })
    keepRendering(join(cache, name), place)
  }
  expect(readdirSync(place)).toEqual(['first'])
  expect(() => keepRendering(join(cache, 'nothing'), join(cache, 'other'))).toThrow('ENOENT')
})
