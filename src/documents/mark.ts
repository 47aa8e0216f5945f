import { CATEGORIES, categorySlug } from '../catalog/categories.ts'
import { COLOURS } from '../catalog/theme.ts'
import type { Theme } from '../catalog/theme.ts'
import { html } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'

/** SVG path of the right part of the logo, a page with lines of text. The logo is a square of 32 units. */
const PAGE =
  'M10 3h15.5a2.5 2.5 0 0 1 2.5 2.5v21a2.5 2.5 0 0 1-2.5 2.5H10zM14 10v2.5h10V10zM14 15v2.5h10V15zM14 20v2.5h6V20z'

/** The left part of the logo, the spine of a book. */
const SPINE = { x: 4, y: 3, width: 4, height: 26 }

/** The categories that have a colour. */
const HUES = CATEGORIES.map(categorySlug)

/** SVG path of the registry's default logo. */
const MARK = `M${SPINE.x} ${SPINE.y}h${SPINE.width}v${SPINE.height}h-${SPINE.width}z${PAGE}`

/** Draws the logo on a background in the accent colour, for browser tabs. */
export const renderFavicon = ({ accent, paper }: Theme = {}): string =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    `<rect width="32" height="32" rx="6" fill="${(accent ?? COLOURS.accent).light}"/>`,
    `<path transform="translate(4 4) scale(.75)" fill="${(paper ?? COLOURS.paper).light}"`,
    ` fill-rule="evenodd" d="${MARK}"/></svg>\n`,
  ].join('')

/** Draws the logo for the masthead. Its spine has the colours of the categories. */
export const renderMark = (): Html => {
  const height = SPINE.height / HUES.length
  const stripes = HUES.map(
    (hue, at) =>
      html`<rect data-hue="${hue}" x="${SPINE.x}" y="${SPINE.y + at * height}" width="${SPINE.width}" height="${0.86 * height}"></rect>`,
  )
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${PAGE}"></path>${stripes}</svg>`
}
