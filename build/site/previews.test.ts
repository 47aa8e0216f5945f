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

test('words with letters that the fonts lack are omitted', () => {
  expect(drawPreview({ ...PREVIEW, text: '清理 CSV' }, TOKENS)).not.toContain('CSV')
})

test('the site and each category have a picture, in the colours of the theme', () => {
  const theme = { accent: { light: '#7a1f5c', dark: '#f0a6d6' } }
  const pictures = drawPreviews({ name: 'Registry', tagline: 'Skills.', theme })
  expect([...pictures.keys()].slice(0, 2)).toEqual(['/previews/site.png', '/previews/coding.png'])
  expect(pictures.size).toBe(10)
  expect(pictures.get('/previews/coding.png')).toContain('fill="#7a1f5c">Registry<')
})

test('a registry’s own categories have their own pictures, in the standard hues', () => {
  const names = ['Pay & ship', '決済', ...Array.from({ length: 8 }, (_, at) => `C${at}`)]
  const categories = names.map((name) => ({ name, description: `About ${name}.` }))
  const pictures = drawPreviews({ name: 'Registry', tagline: 'Skills.', categories })
  const [, first, second, ...others] = pictures.keys()
  expect([first, second]).toEqual(['/previews/pay-and-ship.png', '/previews/6c7a6e08.png'])
  expect(pictures.get(others.at(-1)!)).toContain('fill="#3b6ea5"/>')
  expect(pictures.get(second!)).toContain('>Registry<')
})
