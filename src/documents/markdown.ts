import type { RootContent } from 'mdast'
import { showNumber } from '../catalog/text.ts'
import type { Document, Entry, Fact, Figure, Pager, Section } from './document.ts'
import { escapeMarkdown, printAddress, printBlocks } from './print.ts'
import { paragraph, tableOf } from './tree.ts'
import type { Words } from './tree.ts'

const link = (text: string, path: string | undefined): string =>
  path === undefined ? escapeMarkdown(text) : `[${escapeMarkdown(text)}](${printAddress(path)})`

const renderFact = ({ label, value, path }: Fact): string => `- ${label}: ${link(value, path)}`

/** A list entry as one line: `- [title](path): text (fact, fact)`. */
export const renderEntry = ({ title, path, text, facts, names = [] }: Entry): string => {
  const words = text === '' ? '' : `: ${escapeMarkdown(text)}`
  const notes = facts.map((fact) => link(fact.text, fact.path)).join(', ')
  const first = names.map((name) => link(name.title, name.path)).join(', ')
  return `- ${link(title, path)}${words}${notes && ` (${notes})`}${first && `${notes && '.'} First: ${first}`}`
}

const printFigure = ({ columns, bars }: Figure): string =>
  printBlocks([
    tableOf(
      [
        columns.map((name) => [name]),
        ...bars.map(({ label, count }) => [[label], [showNumber(count)]]),
      ],
      [null, 'right'],
    ),
  ])

const renderSection = ({ heading, markdown, figure, entries = [] }: Section): string[] => [
  heading === undefined ? '' : `## ${escapeMarkdown(heading)}`,
  markdown,
  figure ? printFigure(figure) : '',
  entries.map(renderEntry).join('\n'),
]

const renderPager = ({ page, pages, previous, next }: Pager): string =>
  [
    `Page ${page} of ${pages}`,
    previous === undefined ? '' : `[Previous page](${previous})`,
    next === undefined ? '' : `[Next page](${next})`,
  ]
    .filter(Boolean)
    .join(' · ')

/** Makes a section of blocks. */
export const sectionOf = (
  id: string,
  heading: string | undefined,
  blocks: readonly RootContent[],
): Section => ({
  id,
  ...(heading === undefined ? {} : { heading }),
  markdown: printBlocks(blocks),
  blocks,
})

const printLine = (words: Words): string => printBlocks([paragraph(...words)])

/** Prints a document as its Markdown twin: one H1, LF, a final newline (decisions, "Markdown"). */
export const renderTwin = (document: Document): string => {
  const blocks = [
    `# ${escapeMarkdown(document.heading)}`,
    printLine(document.lead),
    document.notice ? printLine(document.notice) : '',
    [...document.facts, ...(document.moreFacts ?? [])].map(renderFact).join('\n'),
    ...document.sections.flatMap(renderSection),
    document.pager && document.pager.pages > 1 ? renderPager(document.pager) : '',
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}
