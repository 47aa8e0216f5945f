import { expect, test } from 'vitest'
import { renderLook } from './astro.ts'

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
