import { expect, test } from 'vitest'
import { drawPreview, drawPreviews, renderPreview } from './previews.ts'

const PREVIEW = { hue: 0, title: 'Coding', text: 'Words.', siteName: 'Registry' }
const TOKENS = '--paper: light-dark(#ffffff, #000000);'

const sizeOf = (png: Uint8Array): [number, number] => {
  const bytes = Buffer.from(png)
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test('pictures use the colours of the stylesheet', () => {
  const svg = drawPreview(PREVIEW, TOKENS)
  expect(svg).toContain('<rect width="1200" height="630" fill="#ffffff"/>')
  expect(svg).toContain('<rect width="32" height="630.00" y="0.00" fill="#3b6ea5"/>')
})

test.each([
  '</text><image href="file:///etc/passwd"/>',
  '&amp;&#x3c;"\'',
  '<!DOCTYPE svg [<!ENTITY a "b">]>',
])('%s is drawn as text', (title) => {
  const svg = drawPreview({ ...PREVIEW, title, text: title }, TOKENS)
  expect(svg).not.toMatch(/<(?!\/?svg|rect|\/?text)/)
  expect(sizeOf(renderPreview(svg))).toEqual([1_200, 630])
})

test('long words are broken, and overflowing text ends in an ellipsis', () => {
  const svg = drawPreview({ ...PREVIEW, title: 'x'.repeat(300), text: 'word '.repeat(200) }, TOKENS)
  const lines = Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, line = '']) => line)
  expect(lines.every(({ length }) => length <= 60)).toBe(true)
  expect(lines.at(-2)).toMatch(/…$/)
})

const ORIGIN = 'https://skills.example'
const COMMON = { name: 'Registry', tagline: 'Skills.', description: 'Skills of a team.' }

/** The texts of the pictures of a site and its first category. */
const textsOf = (site: object): string[] =>
  Array.from(drawPreviews({ ...COMMON, ...site }, ORIGIN).values(), (svg) =>
    Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, line = '']) => line).join(' | '),
  ).slice(0, 2)

const drawTitle = (title: string): Buffer =>
  Buffer.from(renderPreview(drawPreview({ ...PREVIEW, title, text: '' }, TOKENS)))

test.each([
  [
    { name: 'Навыки', tagline: 'Навыки' },
    'Планы',
    'skills.example | Skills of a team.',
    'skills.example | Plans',
  ],
  [
    { name: '技能库', tagline: '技能', description: '技能' },
    '计划',
    'skills.example',
    'skills.example',
  ],
  [{ name: '🧭 Compass' }, '✈️ Trips', 'Compass | Skills.', 'Trips | Plans | Compass'],
  [{ name: 'Donau\u00ADdampf' }, 'Zażółć', 'Donaudampf | Skills.', 'Zażółć | Plans | Donaudampf'],
  [{}, 'Và một số', 'Registry | Skills.', 'Và một số | Plans | Registry'],
])('what the fonts cannot draw is replaced: %j, %s', (site, name, ofSite, ofCategory) => {
  const categories = [{ name, description: name === '计划' ? name : 'Plans' }]
  expect(textsOf({ ...site, categories })).toEqual([ofSite, ofCategory])
})

test('a description of a category that the fonts cannot draw is replaced by the tagline', () => {
  const categories = [{ name: 'Plans', description: '清理 CSV' }]
  expect(textsOf({ categories })[1]).toBe('Plans | Skills. | Registry')
})

test.each(['ż', 'ı', 'ế', 'ș', 'œ'])('%s is drawn, not left out', (letter) => {
  expect(drawTitle(letter).equals(drawTitle(' '))).toBe(false)
  expect(drawTitle(letter).equals(drawTitle('\u01ff'))).toBe(false)
})

test('the site and its own categories have pictures, in the standard hues and the colours of the theme', () => {
  const names = ['Pay & ship', '決済', ...Array.from({ length: 8 }, (_, at) => `C${at}`)]
  const categories = names.map((name) => ({ name, description: `About ${name}.` }))
  const theme = { accent: { light: '#7a1f5c', dark: '#f0a6d6' } }
  const pictures = drawPreviews({ ...COMMON, categories, theme }, ORIGIN)
  expect(pictures.size).toBe(11)
  const [, first, second, ...others] = pictures.keys()
  expect([first, second]).toEqual(['/previews/pay-and-ship.png', '/previews/6c7a6e08.png'])
  expect(pictures.get(others.at(-1)!)).toContain('fill="#3b6ea5"/>')
  expect(pictures.get(first!)).toContain('fill="#7a1f5c">Registry<')
  expect(pictures.get(second!)).toContain('>Registry<')
})
