import type { Look } from '../catalog/schema.ts'

/** A leaf of text beside its spine, in a square of 32 units. */
const PAGE =
  'M10 3h15.5a2.5 2.5 0 0 1 2.5 2.5v21a2.5 2.5 0 0 1-2.5 2.5H10zM14 10v2.5h10V10zM14 15v2.5h10V15zM14 20v2.5h6V20z'

const SPINE = { x: 4, y: 3, width: 4, height: 26 }

/** The registry's own mark. */
export const LEAF = `M${SPINE.x} ${SPINE.y}h${SPINE.width}v${SPINE.height}h-${SPINE.width}z${PAGE}`

/** Paper, and the accent on it, of src/styles/tokens.css. */
const [PAPER, ACCENT] = ['#fbfaf6', '#0b5345']

/** Draws the mark on its accent, as tabs show it. */
export const renderFavicon = ({ mark = LEAF, accent }: Look = {}): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="${accent?.light ?? ACCENT}"/><path transform="translate(4 4) scale(.75)" fill="${PAPER}" fill-rule="evenodd" d="${mark}"/></svg>\n`

/** The mark in pieces: its page, and its spine in as many segments. */
export const splitLeaf = (segments: number): { page: string; spine: Record<string, string>[] } => {
  const height = SPINE.height / segments
  return {
    page: PAGE,
    spine: Array.from({ length: segments }, (_, at) => ({
      x: String(SPINE.x),
      y: (SPINE.y + at * height).toFixed(2),
      width: String(SPINE.width),
      height: (height - 0.4).toFixed(2),
    })),
  }
}
