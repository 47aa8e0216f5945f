import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COLOURS, renderTheme, themeRecord } from './theme.ts'

test('the default colours match the stylesheet', () => {
  const styles = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8')
  for (const [name, { light, dark }] of Object.entries(COLOURS)) {
    const property = name.replace('onAccent', 'on-accent')
    expect(styles).toContain(`  --${property}: light-dark(${light}, ${dark});`)
  }
})

test.each([
  ['nothing', {}],
  ['an accent', { accent: { light: '#0b5345', dark: '#8ad0bb' } }],
  ['every colour', COLOURS],
])('a theme with %s is accepted', (_, theme) => {
  const colours = Object.entries(theme).map(([name, value]: [string, string | object]) => {
    const { seen: _seen, ...rest } = { seen: '', ...(typeof value === 'string' ? {} : value) }
    return [name, typeof value === 'string' ? value : rest]
  })
  const plain: unknown = Object.fromEntries(colours)
  expect(themeRecord.parse(plain)).toEqual(plain)
})

test.each([
  [
    'an accent too pale for paper',
    { accent: { light: '#8ad0bb', dark: '#8ad0bb' } },
    'accent.light: "accent" must have a contrast of 4.5 with "paper", #fbfaf6; it has 1.7',
  ],
  [
    'an accent too dark for dark mode',
    { accent: { light: '#0b5345', dark: '#0b5345' } },
    'accent.dark: "accent" must have a contrast of 4.5 with "paper", #181713; it has 2.0',
  ],
  ['an accent for light mode only', { accent: { light: '#0b5345' } }, 'accent.dark: '],
  ['a colour by name', { accent: { light: 'teal', dark: '#8ad0bb' } }, '"#0b5345"'],
  ['fonts that close the CSS rule', { text: 'serif; } body { display: none' }, 'a list of fonts'],
  ['fonts from elsewhere', { text: 'url(//elsewhere.example)' }, 'a list of fonts'],
])('a theme with %s is refused', (_, theme, words) => {
  const { error } = themeRecord.safeParse(theme)
  const messages = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  expect(messages?.join('\n')).toContain(words)
})

test('a theme overrides style values; without one the defaults stay', () => {
  expect(renderTheme()).toBe('')
  expect(renderTheme({})).toBe('')
  const accent = { light: '#0b5345', dark: '#8ad0bb' }
  expect(renderTheme({ accent, text: "'Gill Sans', sans-serif" })).toBe(
    ":root:root { --on-accent: var(--paper); --accent: light-dark(#0b5345, #8ad0bb); --text: 'Gill Sans', sans-serif; }\n",
  )
  expect(renderTheme({ accent, onAccent: accent })).not.toContain('var(--paper)')
})
