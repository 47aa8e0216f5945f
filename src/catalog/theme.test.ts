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

const pair = (light: string, dark: string) => ({ light, dark })

test.each([
  {},
  { accent: pair('#0b5345', '#8ad0bb'), code: 'monospace' },
  { paper: pair(COLOURS.paper.light, COLOURS.paper.dark) },
])('the theme %j is accepted', (theme) => expect(themeRecord.parse(theme)).toEqual(theme))

test.each([
  [
    { accent: pair('#8ad0bb', '#8ad0bb') },
    'accent.light: "accent" must have a contrast of 4.5 with "paper", #fbfaf6; it has 1.7',
  ],
  [
    { accent: pair('#0b5345', '#0b5345') },
    'accent.dark: "accent" must have a contrast of 4.5 with "paper", #181713; it has 2.0',
  ],
  [{ accent: { light: '#0b5345' } }, 'accent.dark: '],
  [{ accent: pair('teal', '#8ad0bb') }, '"#0b5345"'],
  [{ text: 'serif; } body { display: none' }, 'a list of fonts'],
  [{ text: 'url(//elsewhere.example)' }, 'a list of fonts'],
])('the theme %j is refused: %s', (theme, words) => {
  const { error } = themeRecord.safeParse(theme)
  const messages = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  expect(messages?.join('\n')).toContain(words)
})

test('a theme overrides style values; without one the defaults stay', () => {
  expect(renderTheme()).toBe('')
  expect(renderTheme({})).toBe('')
  const accent = pair('#0b5345', '#8ad0bb')
  expect(renderTheme({ accent, text: "'Gill Sans', sans-serif" })).toBe(
    ":root:root { --on-accent: var(--paper); --accent: light-dark(#0b5345, #8ad0bb); --text: 'Gill Sans', sans-serif; }\n",
  )
  expect(renderTheme({ accent, onAccent: accent })).not.toContain('var(--paper)')
})
