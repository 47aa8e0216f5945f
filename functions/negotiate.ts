import { parseAccept } from './accept.ts'
import type { MediaRange } from './accept.ts'

/** The two forms of a page. */
export type Form = 'html' | 'markdown'

/** What can match `text/html`, most specific first (RFC 9110 12.5.1). */
const HTML_RANGES = ['text/html', 'text/*', '*/*'] as const

/** The weight of a range, parameters aside: the highest where it is named more than once. */
const weightOf = (ranges: readonly MediaRange[], wanted: string): number | undefined => {
  const weights = ranges.filter(({ range }) => range === wanted).map(({ weight }) => weight)
  return weights.length > 0 ? weights.reduce((a, b) => Math.max(a, b)) : undefined
}

/**
 * Says whether an Accept header chooses Markdown: it is named, not refused, and wanted no less than
 * HTML (decisions, "Markdown"). A wildcard never chooses it.
 */
export const choosesMarkdown = (header: string | undefined): boolean => {
  if (header === undefined || !/markdown/i.test(header)) return false
  const ranges = parseAccept(header)
  const markdown = weightOf(ranges, 'text/markdown') ?? 0
  const html = HTML_RANGES.map((range) => weightOf(ranges, range)).find((one) => one !== undefined)
  return markdown > 0 && markdown >= (html ?? 0)
}

/** Gives the form of a page that an Accept header chooses. */
export const chooseForm = (header: string | undefined): Form =>
  choosesMarkdown(header) ? 'markdown' : 'html'
