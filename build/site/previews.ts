import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { allCategories } from '../../src/catalog/categories.ts'
import { escapeText } from '../../src/documents/prose/markup.ts'
import { previewPath } from '../../src/documents/paths.ts'
import { renderTheme } from '../../src/catalog/theme.ts'
import type { Catalog } from '../../src/catalog/load.ts'

interface Preview {
  /** Index of a category's hue; undefined shows all hues. */
  hue?: number
  title: string
  text: string
  siteName: string
}

const WIDTH = 1_200
const HEIGHT = 630
const MARGIN = 96

// A letter that its font lacks is taken from the first font that has it.
const FONTS = [
  new URL('../../src/fonts/preview-heading.ttf', import.meta.url),
  new URL('../../src/fonts/preview-extended.ttf', import.meta.url),
  new URL('../../src/fonts/preview-vietnamese.ttf', import.meta.url),
  new URL('../../src/fonts/preview-text.ttf', import.meta.url),
].map((url) => fileURLToPath(url))

/** Family names inside the font files. */
const HEADING = 'Newsreader 16pt'
const TEXT = 'Atkinson Hyperlegible Next'

/** Letters and signs of the font for texts. */
const WESTERN = '\\u0020-\\u007e\\u00a0-\\u00ff–—‘’“”…•'
const IN_TEXT_FONT = new RegExp(`^[${WESTERN}]*$`)

/** Text that the fonts for headings can draw: Latin letters. */
const DRAWABLE = new RegExp(
  `^[${WESTERN}„‹›€™\\u0100-\\u0131\\u0134-\\u0148\\u014a-\\u017e\\u018f\\u0192\\u01a0\\u01a1\\u01af\\u01b0\\u0218-\\u021b\\u0237\\u1e80-\\u1e85\\u1e9e\\u1ea0-\\u1ef9]+$`,
)

/** Emoji and invisible characters, without which a text reads the same. */
const LEFT_OUT =
  /(?![\0-\u2122])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\p{Default_Ignorable_Code_Point}/gu

/** Returns the first of some texts that the fonts can draw; empty if there is none. */
const pickDrawable = (...texts: readonly string[]): string =>
  texts
    .map((text) => text.normalize('NFC').replace(LEFT_OUT, '').replace(/\s+/g, ' ').trim())
    .find((text) => DRAWABLE.test(text)) ?? ''

const familyOf = (text: string): string => (IN_TEXT_FONT.test(text) ? TEXT : HEADING)

/** The light-theme value of a colour. */
const readColour = (tokens: string, name: string): string =>
  new RegExp(`--${name}:\\s*(?:light-dark\\()?(#[0-9a-f]{3,8})`, 'i').exec(tokens)?.[1] ?? '#000'

const TOKENS = new URL('../../src/styles/tokens.css', import.meta.url)

const readTokens = (): string => readFileSync(TOKENS, 'utf8')

/** Reads the hues of categories, in order. Further categories repeat them. */
export const readHues = (): string[] =>
  [...readTokens().matchAll(/--hue: ([^;]+);/g)].map(([, value = '']) => value)

/** Breaks text into lines of at most `most` characters; overflow ends in an ellipsis. */
const breakLines = (text: string, most: number, lines: number): string[] => {
  const found: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).map((part) => part.slice(0, most))) {
    if (line !== '' && line.length + word.length >= most) {
      found.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  found.push(line)
  if (found.length <= lines) return found
  const last = found[lines - 1]!
  return [...found.slice(0, lines - 1), `${last.slice(0, most - 1).replace(/[\s,;:.]+$/, '')}…`]
}

const drawLines = (
  lines: readonly string[],
  { x, y, size, leading }: { x: number; y: number; size: number; leading: number },
  style: string,
): string =>
  lines
    .map(
      (line, at) =>
        `<text x="${x}" y="${y + at * leading}" font-size="${size}" ${style}>${escapeText(line)}</text>`,
    )
    .join('')

const drawSpine = (hue: number | undefined): string => {
  const all = readHues()
  const hues = hue === undefined ? all : [all[hue % all.length]]
  const height = HEIGHT / hues.length
  return hues
    .map(
      (value, at) =>
        `<rect width="32" height="${height.toFixed(2)}" y="${(at * height).toFixed(2)}" fill="${readColour(`--hue: ${value}`, 'hue')}"/>`,
    )
    .join('')
}

/** Font sizes of a title, and characters per line. */
const LARGE = { size: 92, most: 24 }
const SMALL = { size: 64, most: 34 }

export const drawPreview = ({ hue, title, text, siteName }: Preview, tokens: string): string => {
  const { size, most } = title.length > LARGE.most ? SMALL : LARGE
  const head = breakLines(title, most, 2)
  const words = text === '' ? [] : breakLines(text, 58, 3)
  const top = 250
  const below = top + (head.length - 1) * size * 1.1 + 84
  const ink = readColour(tokens, 'ink')
  const soft = readColour(tokens, 'soft')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${readColour(tokens, 'paper')}"/>`,
    drawSpine(hue),
    drawLines(
      head,
      { x: MARGIN, y: top, size, leading: size * 1.1 },
      `font-family="${HEADING}" fill="${ink}"`,
    ),
    drawLines(
      words,
      { x: MARGIN, y: below, size: 36, leading: 50 },
      `font-family="${familyOf(text)}" fill="${soft}"`,
    ),
    drawLines(
      siteName === '' ? [] : [siteName.slice(0, 60)],
      { x: MARGIN, y: HEIGHT - 72, size: 32, leading: 0 },
      `font-family="${familyOf(siteName)}" fill="${readColour(tokens, 'accent')}"`,
    ),
    '</svg>',
  ].join('')
}

/** Pictures by their SVG. A process that builds several sites, such as a test, renders each picture once. */
const rendered = new Map<string, Uint8Array>()

/** Renders SVG to PNG, which takes 15 to 25 ms of CPU time. */
export const renderPreview = (svg: string): Uint8Array => {
  const known = rendered.get(svg)
  if (known) return known
  // Loaded lazily: most builds already have their pictures.
  const { Resvg } = createRequire(import.meta.url)(
    '@resvg/resvg-js',
  ) as typeof import('@resvg/resvg-js')
  const font = { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: TEXT }
  const png = new Resvg(svg, { font }).render().asPng()
  rendered.set(svg, png)
  return png
}

/**
 * Draws the pictures of the site and of each category as SVG, by address. Instead of a text that the fonts cannot draw,
 * they show the name of the site, its host, or its description.
 */
export const drawPreviews = (
  {
    name,
    tagline,
    description,
    theme,
    categories,
  }: Pick<Catalog['site'], 'name' | 'tagline' | 'description' | 'theme' | 'categories'>,
  origin: string,
): Map<string, string> => {
  const siteName = pickDrawable(name, new URL(origin).host)
  const about = pickDrawable(tagline, description)
  const site: Preview = { title: siteName, text: about, siteName: '' }
  // The first value of a token counts, so the theme comes first.
  const tokens = renderTheme(theme) + readTokens()
  return new Map([
    [previewPath(), drawPreview(site, tokens)],
    ...allCategories({ categories }).map((category, hue): [string, string] => {
      const own = pickDrawable(category.name)
      const text = pickDrawable(category.description) || about
      const preview = { hue, title: own || siteName, text, siteName: own === '' ? '' : siteName }
      return [previewPath(category.name), drawPreview(preview, tokens)]
    }),
  ])
}
