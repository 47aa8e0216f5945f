import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

// `npm run fonts` writes src/fonts from the packages of the font families. Run it after updating one of these packages.

const range = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at))

const ASCII = range(0x20, 0x7e)
const PUNCTUATION = '–—‘’“”„…•′″‹›€™−×←↑→↓✓'
const LATIN = ASCII + range(0xa0, 0xff) + PUNCTUATION

/** Letters of Latin alphabets other than those of Western Europe. */
const LATIN_EXTENDED = range(0x100, 0x24f) + range(0x1e80, 0x1e9e)
const VIETNAMESE = '\u01a0\u01a1\u01af\u01b0' + range(0x1ea0, 0x1ef9)

/** The OpenType features to keep: spacing, accents, ligatures, tabular and lining figures. */
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
    text: ASCII + PUNCTUATION,
    axes: { wght: { min: 400, max: 700 } },
  },
]

/** The fonts for pictures: `@resvg/resvg-js`, which draws them, needs TrueType without variation axes. */
const PREVIEW_FONTS: readonly FontPart[] = [
  { ...FONTS[0]!, name: 'preview-heading', text: `${LATIN}ıŒœ` },
  {
    ...FONTS[0]!,
    name: 'preview-extended',
    file: 'newsreader/files/newsreader-latin-ext-opsz-normal.woff2',
    text: LATIN_EXTENDED,
  },
  {
    ...FONTS[0]!,
    name: 'preview-vietnamese',
    file: 'newsreader/files/newsreader-vietnamese-opsz-normal.woff2',
    text: VIETNAMESE,
  },
  { ...FONTS[1]!, name: 'preview-text', axes: { wght: 400 } },
]

const { resolve } = createRequire(import.meta.url)

const write = async (
  { name, file, text, axes }: FontPart,
  format: 'woff2' | 'truetype',
): Promise<void> => {
  const original = readFileSync(resolve(`@fontsource-variable/${file}`))
  const subset = await subsetFont(original, text, {
    targetFormat: format,
    variationAxes: axes,
    keepFeatures: FEATURES,
  })
  const ending = format === 'woff2' ? 'woff2' : 'ttf'
  writeFileSync(
    fileURLToPath(new URL(`../../src/fonts/${name}.${ending}`, import.meta.url)),
    subset,
  )
  console.log(`${name}.${ending}: ${subset.length} bytes of ${original.length}`)
}

for (const font of FONTS) await write(font, 'woff2')
for (const font of PREVIEW_FONTS) await write(font, 'truetype')
