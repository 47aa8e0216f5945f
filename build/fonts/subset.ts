import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

// Writes src/fonts from the packages of the families: `npm run fonts`, after one of them got a new version.

const range = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at))

const ASCII = range(0x20, 0x7e)
const SIGNS = '–—‘’“”„…•′″‹›€™−×←↑→↓✓'
const LATIN = ASCII + range(0xa0, 0xff) + SIGNS

/** The OpenType features that stay: spacing, accents, ligatures, and figures of one width. */
const FEATURES = ['kern', 'liga', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'lnum']

interface FontPart {
  name: string
  file: string
  text: string
  axes: Record<string, number | { min: number; max: number }>
}

const FONTS: readonly FontPart[] = [
  {
    name: 'heading',
    file: 'newsreader/files/newsreader-latin-opsz-normal.woff2',
    text: LATIN,
    axes: { wght: 500, opsz: 36 },
  },
  {
    name: 'text',
    file: 'atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
    text: LATIN,
    axes: { wght: { min: 400, max: 700 } },
  },
  {
    name: 'code',
    file: 'atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono-latin-wght-normal.woff2',
    text: ASCII + SIGNS,
    axes: { wght: { min: 400, max: 700 } },
  },
]

/** The same letters for pictures, which `@resvg/resvg-js` draws: it reads TrueType without axes. */
const PREVIEW_FONTS: readonly FontPart[] = [
  { ...FONTS[0]!, name: 'preview-heading' },
  { ...FONTS[1]!, name: 'preview-text', axes: { wght: 400 } },
]

const { resolve } = createRequire(import.meta.url)

const write = async (
  { name, file, text, axes }: FontPart,
  format: 'woff2' | 'truetype',
): Promise<void> => {
  const whole = readFileSync(resolve(`@fontsource-variable/${file}`))
  const part = await subsetFont(whole, text, {
    targetFormat: format,
    variationAxes: axes,
    keepFeatures: FEATURES,
  })
  const ending = format === 'woff2' ? 'woff2' : 'ttf'
  writeFileSync(fileURLToPath(new URL(`../../src/fonts/${name}.${ending}`, import.meta.url)), part)
  console.log(`${name}.${ending}: ${part.length} bytes of ${whole.length}`)
}

for (const font of FONTS) await write(font, 'woff2')
for (const font of PREVIEW_FONTS) await write(font, 'truetype')
