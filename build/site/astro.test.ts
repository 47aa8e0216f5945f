import { expect, test, afterAll, beforeAll } from 'vitest'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderLook, isKept, keepRendering } from './astro.ts'
import { keepNewest } from './folders.ts'

test('a look overrides style values; without one the defaults stay', () => {
  expect(renderLook()).toBe('')
  expect(renderLook({ mark: 'M4 4h24' })).toBe('')
  expect(
    renderLook({
      accent: { light: '#0b5345', dark: '#8ad0bb' },
      fonts: { text: "'Gill Sans', sans-serif" },
    }),
  ).toBe(
    ":root { --accent: light-dark(#0b5345, #8ad0bb); --on-accent: var(--paper); --text: 'Gill Sans', sans-serif; }",
  )
})

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
