import { markdownToHtml } from 'satteri'
import type { Section } from './document.ts'
import { printFence } from './print.ts'
import { DIALECT, codeBlock } from './tree.ts'

const TOP_HEADING = /<h[12](?=[\s/>])[^\n]*/gi

/** Finds a heading that no text holds, so that no text can pretend to be what follows it. */
const chooseMark = (texts: readonly string[]): string => {
  let mark = 'end'
  while (texts.some((text) => text.includes(mark))) mark += '-end'
  return mark
}

/** Whether texts, each followed by a heading, have none of depth 1 or 2 of their own and end where they should. */
export const areContained = (texts: readonly string[]): boolean => {
  const mark = chooseMark(texts)
  const source = texts.map((text) => `${text}\n\n## ${mark}\n\n`).join('')
  const headings = markdownToHtml(source, { features: DIALECT }).html.match(TOP_HEADING) ?? []
  return (
    headings.length === texts.length && headings.every((heading) => heading === `<h2>${mark}</h2>`)
  )
}

/**
 * Sets every section as code whose Markdown has a heading of depth 1 or 2, or does not end before the heading
 * that follows it; gives a warning for each.
 */
export const containSections = (
  sections: readonly Section[],
): { sections: Section[]; warnings: string[] } => {
  if (areContained(sections.map((section) => section.markdown))) {
    return { sections: [...sections], warnings: [] }
  }
  const warnings: string[] = []
  const contained = sections.map((section): Section => {
    if (areContained([section.markdown])) return section
    warnings.push(
      `its text under "${section.heading ?? section.id}" would add headings to the page, so it is shown as code`,
    )
    return {
      ...section,
      markdown: printFence(section.markdown, 'markdown'),
      blocks: [codeBlock(section.markdown, 'markdown')],
    }
  })
  return { sections: contained, warnings }
}
