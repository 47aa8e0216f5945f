import { categorySlug } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'
import { showNumber } from '../catalog/text.ts'
import { escapeText } from './escape.ts'
import type { Html } from './html.ts'
import { printBlocks } from './print.ts'
import { tableOf } from './tree.ts'

/** Numbers that HTML shows as bars and Markdown as a table. */
export interface Figure {
  /** Headings of the two columns. */
  columns: readonly [kind: string, counted: string]
  bars: readonly Bar[]
}

interface Bar {
  label: string
  count: number
  category?: Category
}

export const printFigure = ({ columns, bars }: Figure): string =>
  printBlocks([
    tableOf(
      [
        columns.map((name) => [name]),
        ...bars.map(({ label, count }) => [[label], [showNumber(count)]]),
      ],
      [null, 'right'],
    ),
  ])

/** Heights in em: of the label, of the bar, and of both with the space below. */
const [WORDS, BAR, ROW] = [1.1, 0.5, 2.5]

const em = (value: number): string => `${Number(value.toFixed(2))}em`

/** Widths are percentages and heights are in em, so labels keep their size on every screen. */
const drawBar = ({ label, count, category }: Bar, at: number, most: number): string => {
  const top = at * ROW
  const share = most === 0 ? 0 : Number(((100 * count) / most).toFixed(2))
  const hue = category ? ` data-hue="${categorySlug(category)}"` : ''
  return [
    `<text x="0" y="${em(top + WORDS)}">${escapeText(label)}</text>`,
    `<text x="100%" y="${em(top + WORDS)}" text-anchor="end">${showNumber(count)}</text>`,
    `<rect x="0" y="${em(top + WORDS + 0.4)}" width="${share}%" height="${em(BAR)}"${hue}></rect>`,
  ].join('')
}

/** Draws a figure; `id` is the id of its section. */
export const drawFigure = (id: string, title: string, { columns, bars }: Figure): Html => {
  const most = Math.max(...bars.map(({ count }) => count))
  const words = bars.map(({ label, count }) => `${label}: ${showNumber(count)}`).join('; ')
  return {
    html: [
      `<svg class="figure" role="img" width="100%" height="${em(bars.length * ROW)}" aria-labelledby="${id}-title ${id}-words">`,
      `<title id="${id}-title">${escapeText(`${title}, ${columns[1].toLowerCase()}`)}</title>`,
      `<desc id="${id}-words">${escapeText(words)}</desc>`,
      ...bars.map((bar, at) => drawBar(bar, at, most)),
      '</svg>\n',
    ].join(''),
  }
}
