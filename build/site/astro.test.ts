import { expect, test, afterAll, beforeAll } from 'vitest'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isKept, keepRendering } from './astro.ts'
import { keepNewest } from '../machine/folders.ts'

let cache = ''
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'skill-registry-renderings-'))
  for (const [age, name] of [...'abcdefghij'].entries()) {
    mkdirSync(join(cache, name))
    utimesSync(join(cache, name), 1e9 - age, 1e9 - age)
  }
})
afterAll(() => rmSync(cache, { recursive: true }))

test('ten renderings, the oldest used last -> it and the seven newest are kept', () => {
  expect([isKept(join(cache, 'j')), isKept(join(cache, 'k'))]).toEqual([true, false])
  keepNewest(cache, 8)
  expect(readdirSync(cache).sort()).toEqual([...'abcdefgj'])
})

test('two builds render the same -> the first rendering is kept without an error', () => {
  const place = join(cache, 'same')
  for (const name of ['first', 'second']) {
    mkdirSync(join(cache, name, name), { recursive: true })
    keepRendering(join(cache, name), place)
  }
  expect(readdirSync(place)).toEqual(['first'])
  expect(() => keepRendering(join(cache, 'nothing'), join(cache, 'other'))).toThrow('ENOENT')
})
