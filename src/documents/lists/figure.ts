import { categorySlug } from '../../catalog/categories.ts'
import { showNumber } from '../../catalog/text.ts'
import type { Figure } from '../document.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'

/** Heights in em. A row has a label, a bar, and space below. */
const [LABEL, BAR, ROW] = [1.1, 0.5, 2.5]

const em = (value: number): string => `${Number(value.toFixed(2))}em`

/** Widths are percentages and heights are in em, so labels keep their size on every screen. */
const drawBar = (
  { label, count, category }: Figure['bars'][number],
  at: number,
  most: number,
): Html => {
  const top = at * ROW
  const share = most === 0 ? 0 : Number(((100 * count) / most).toFixed(2))
  const hue = category && html`data-hue="${categorySlug(category)}"`
  return html`<text x="0" y="${em(top + LABEL)}">${label}</text>
    <text x="100%" y="${em(top + LABEL)}" text-anchor="end">${showNumber(count)}</text>
    <rect x="0" y="${em(top + LABEL + 0.4)}" width="${share}%" height="${em(BAR)}" ${hue}></rect> `
}

/** Draws the bar chart of a section as SVG. */
export const drawFigure = (id: string, title: string, { columns, bars }: Figure): Html => {
  const most = Math.max(...bars.map(({ count }) => count))
  const words = bars.map(({ label, count }) => `${label}: ${showNumber(count)}`).join('; ')
  const height = em(bars.length * ROW)
  return html`<svg
    class="figure"
    role="img"
    width="100%"
    height="${height}"
    aria-labelledby="${id}-title ${id}-words"
  >
    <title id="${id}-title">${title}, ${columns[1].toLowerCase()}</title>
    <desc id="${id}-words">${words}</desc>
    ${bars.map((bar, at) => drawBar(bar, at, most))}
  </svg> `
}
