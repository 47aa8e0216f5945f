import type { Document, Entry, Pager, Section } from '../document.ts'
import { joinBlocks, joinWords, link, list, md } from './md.ts'
import type { Markdown } from './md.ts'

const linkTo = (text: string, path: string | undefined): Markdown =>
  path === undefined ? md`${text}` : link(text, path)

const joinLinks = (links: readonly { text: string; path?: string }[]): Markdown =>
  joinWords(links.map(({ text, path }) => linkTo(text, path)))

/** Renders an entry on one line: `[title](path): text (fact, fact)`. */
export const renderEntry = ({ title, path, text, hit, facts }: Entry): Markdown => {
  const shown = [text, hit && `${hit.before} ${hit.text}`].filter(Boolean).join(' ')
  const words = shown === '' ? md`` : md`: ${shown}`
  const notes = facts.length > 0 ? md` (${joinLinks(facts)})` : md``
  return md`${link(title, path)}${words}${notes}`
}

const renderSection = ({ heading, markdown, entries = [] }: Section): Markdown[] => [
  heading === undefined ? md`` : md`## ${heading}`,
  markdown,
  list(entries.map(renderEntry)),
]

const renderPager = ({ page, pages, previous, next }: Pager): Markdown => {
  const before = previous === undefined ? md`` : md` · ${link('Previous page', previous)}`
  const after = next === undefined ? md`` : md` · ${link('Next page', next)}`
  return md`Page ${page} of ${pages}${before}${after}`
}

/** Renders the Markdown twin of a page. It has one H1, LF line endings and a final newline. */
export const renderTwin = (document: Document): string => {
  const { files = [], heading, lead, isQuoted, below, notice, sections, pager } = document
  const blocks = [
    md`# ${heading}`,
    isQuoted && String(lead.markdown) !== '' ? md`> ${lead.markdown}` : lead.markdown,
    below?.markdown ?? md``,
    notice?.markdown ?? md``,
    files.length > 1
      ? md`Files: ${joinLinks(files.map(({ label: text, path }) => ({ text, path })))}`
      : md``,
    ...sections.flatMap(renderSection),
    pager && pager.pages > 1 ? renderPager(pager) : md``,
  ]
  return `${joinBlocks(blocks)}\n`
}
