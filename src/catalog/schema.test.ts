import { expect, test } from 'vitest'
import { siteRecord } from './schema.ts'

const LEAF = 'M4 4h24v24H4zM8 8v2.5h16V8z'

test.each([
  ['nothing', {}],
  ['a mark', { mark: LEAF }],
  ['an accent', { accent: { light: '#0b5345', dark: '#8ad0bb' } }],
  ['fonts', { fonts: { heading: "'Gill Sans', Optima, sans-serif", code: 'monospace' } }],
])('a look with %s is taken', (_, look) => {
  expect(siteRecord.shape.look.parse(look)).toEqual(look)
})

test.each([
  ['an accent too pale for paper', { accent: { light: '#8ad0bb', dark: '#8ad0bb' } }, 'a contrast'],
  [
    'an accent too dark for the dark',
    { accent: { light: '#0b5345', dark: '#0b5345' } },
    'dark paper',
  ],
  ['one accent alone', { accent: { light: '#0b5345' } }, 'dark'],
  ['a colour by name', { accent: { light: 'teal', dark: '#8ad0bb' } }, '"#0b5345"'],
  [
    'fonts that end the rule',
    { fonts: { text: 'serif; } body { display: none' } },
    'names of fonts',
  ],
  ['fonts from elsewhere', { fonts: { text: 'url(//elsewhere.example)' } }, 'names of fonts'],
  ['a mark that ends its attribute', { mark: 'M4 4" onload="alert(1)' }, 'an SVG path'],
  ['a placeholder', { mark: 'M4 4\uE000name\uE001' }, 'an SVG path'],
  ['what it does not know', { shadow: 'deep' }, 'shadow'],
])('a look with %s is refused', (_, look, words) => {
  const { error } = siteRecord.shape.look.safeParse(look)
  expect(
    JSON.stringify([error?.issues, error?.issues.map(({ path }) => path)]).replaceAll('\\', ''),
  ).toContain(words)
})
