import type { Document, LinePiece, Section } from './document.ts'
import { escapeAttribute, escapeContent } from './escape.ts'
import { renderBlocks } from './html.ts'
import type { Html } from './html.ts'
import { viewFact } from './view.ts'

/** Up to these lengths, in characters, a line is set in a size at which it takes 7 lines at most at 360 px. */
const LINE_LENGTHS = { short: 215, usual: 285, long: 332, longest: Infinity }

const lengthOf = (line: readonly LinePiece[]): string => {
  const length = line
    .flatMap((piece) =>
      typeof piece === 'string'
        ? piece.length
        : Math.max(...Object.values(piece).map((words) => words.length)),
    )
    .reduce((sum, one) => sum + one, 0)
  return Object.entries(LINE_LENGTHS).find(([, most]) => length <= most)![0]
}

/** Styles show the words of the choice that is made; `hidden` ones are for readers without them. */
const renderChoices = (piece: Readonly<Record<string, string>>): string =>
  Object.entries(piece)
    .map(([choice, words], at) => {
      const hidden = at === 0 ? '' : ' hidden'
      return (
        words &&
        `<span data-for="${escapeAttribute(choice)}"${hidden}>${escapeContent(words)}</span>`
      )
    })
    .join('')

const renderLinePieces = (line: readonly LinePiece[]): Html => ({
  html: line
    .map((piece) => (typeof piece === 'string' ? escapeContent(piece) : renderChoices(piece)))
    .join(''),
})

/** Views the lines that install a skill. */
export const viewInstall = (
  { id, heading = '', blocks = [], lines }: Section,
  { moreFacts = [], pick }: Pick<Document, 'moreFacts' | 'pick'>,
) =>
  lines
    ? [
        {
          id,
          heading,
          lines: lines
            .filter(({ choice }) => choice !== 'npx')
            .map(({ choice, line }) => ({
              choice,
              line: renderLinePieces(line),
              length: lengthOf(line),
            })),
          npx: lines
            .filter(({ choice }) => choice === 'npx')
            .map(({ line }) => ({ line: renderLinePieces(line) })),
          body: renderBlocks(blocks.slice(lines.some(({ choice }) => choice === 'npx') ? 2 : 1)),
          picks: pick === undefined ? [] : [{ slug: pick }],
          facts: moreFacts.map(viewFact),
        },
      ]
    : []
