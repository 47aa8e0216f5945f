import type { Token, Tokens } from 'marked'
import type { LinkResolver } from './links.ts'
import { isSafeHref } from './links.ts'
import { isOrdinaryText, revealHidden } from '../catalog/text.ts'
import { escapeLineStart, escapeMarkdown } from './escape.ts'
import { areContained } from './twin-headings.ts'
import { GUEST_EFFORT, lexBlocks, lexInline } from './lex.ts'
import { Anchors, toAnchor } from './anchors.ts'
import { findShallowest } from './part-blocks.ts'
import { joinBlocks, readContained } from './contained.ts'
import { isPathological } from './pathological.ts'
import { printEach, printFence, printInline } from './print.ts'
import type { PrintContext } from './print.ts'

/** Where a guest's text stands: which headings are taken, and where its links lead. */
export interface Host {
  /** Depth of the section's own heading; the guest's start one below. */
  depth: number
  /** Anchors the page has already. */
  takenAnchors: readonly string[]
  /** Resolves what is relative; absolute safe addresses never reach it. */
  resolve: LinkResolver
}

/** Longest text that is set as Markdown, in characters; longer ones are read as a file. */
export const GUEST_LIMIT = 1_048_576

const DEEPEST_HEADING = 6
const topHeadings = (tokens: readonly Token[]): Tokens.Heading[] =>
  tokens.filter(
    (token): token is Tokens.Heading => token.type === 'heading' && token.text.trim() !== '',
  )

/** Maps the anchors a guest's author links to onto those its headings get in the page. */
const mapAnchors = (
  headings: readonly Tokens.Heading[],
  taken: readonly string[],
): Map<string, string> => {
  const own = new Anchors()
  const page = createSlugger(taken)
  return new Map(headings.map(({ text }) => [own.slug(text), page.slug(text)]))
}

/** Makes a slugger that gives no anchor the page has already. */
export const createSlugger = (taken: readonly string[]): Anchors => {
  const slugger = new Anchors()
  for (const anchor of taken) slugger.slug(anchor)
  return slugger
}

/** Gives each top heading the depth it asks for, below the host's and never skipping a level. */
const placeHeadings = (headings: readonly Tokens.Heading[], depth: number): Map<Token, number> => {
  const shallowest = findShallowest(headings)
  const placed = new Map<Token, number>()
  let previous = depth
  for (const heading of headings) {
    const asked = depth + 1 + heading.depth - shallowest
    previous = Math.min(asked, previous + 1, DEEPEST_HEADING)
    placed.set(heading, previous)
  }
  return placed
}

/** Makes the context that prints a guest's tokens for its host, and the lookup of its anchors. */
export const createGuestContext = (
  tokens: readonly Token[],
  host: Host,
): { context: PrintContext; anchorOf: (heading: string) => string | undefined } => {
  const headings = topHeadings(tokens)
  const depths = placeHeadings(headings, host.depth)
  const anchors = mapAnchors(headings, host.takenAnchors)
  const placeFragment = (anchor: string): string | undefined => {
    const placed = anchors.get(anchor.toLowerCase())
    return placed === undefined ? undefined : `#${placed}`
  }
  const placeRelative = (href: string): string | undefined => {
    const resolved = host.resolve(href)
    return resolved !== undefined && isSafeHref(resolved) ? resolved : undefined
  }
  const context: PrintContext = {
    placeHeading: (heading) => depths.get(heading),
    placeLink: (href) => {
      if (href.startsWith('#')) return placeFragment(href.slice(1))
      if (!/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return placeRelative(href)
      return isSafeHref(href) ? href : undefined
    },
  }
  return { context, anchorOf: (heading) => anchors.get(toAnchor(heading)) }
}

// Controls other than tab and newline show nothing and may steer a terminal.
const CONTROLS = /[^\P{Cc}\t\n]/gu

/** A guest's text as it stands in a page: Markdown, and its tokens where they are known. */
export interface Hosted {
  markdown: string
  tokens?: readonly Token[] | undefined
}

/** A guest's text that was read once, for its place in a page and for the parts lifted out of it. */
export interface Guest {
  text: string
  /** None where the parser would not survive the text. */
  tokens: readonly Token[] | undefined
}

const normalizeBody = (body: string): string =>
  isOrdinaryText(body)
    ? body.trim()
    : revealHidden(body.replace(/\r\n?/g, '\n').toWellFormed()).replace(CONTROLS, '\uFFFD').trim()

/** Runs what recurses with nesting; undefined where a text overflows the stack, or takes too long to read. */
const withinReach = <Result>(run: () => Result): Result | undefined => {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Reads a guest's text into tokens, or into none where the parser would not survive it. */
export const readGuest = (body: string): Guest => {
  const text = normalizeBody(body)
  const tokens = isPathological(text) ? undefined : withinReach(() => lexBlocks(text, GUEST_EFFORT))
  return { text, tokens }
}

/** Writes a guest's tokens for its host; what cannot be contained is shown as plain text. */
const printContained = (
  text: string,
  tokens: readonly Token[],
  context: PrintContext,
  depth: number,
): Hosted => {
  const blocks = printEach(tokens, context)
  const contained = readContained(blocks, depth)
  return contained
    ? { markdown: joinBlocks(blocks), tokens: contained }
    : { markdown: printFence(text, 'markdown') }
}

/**
 * Sets a stranger's Markdown into a page as a guest: headings below the section's, fences closed,
 * raw HTML shown as text, dead links where an address is unsafe or leads nowhere. A text that
 * would exhaust the parser or will not stay in its section is shown as it is, fenced.
 */
export const hostGuest = (
  { text, tokens }: Guest,
  context: PrintContext,
  depth: number,
): Hosted => {
  if (text === '') return { markdown: '' }
  const hosted = tokens && withinReach(() => printContained(text, tokens, context, depth))
  return hosted ?? { markdown: printFence(text, 'markdown') }
}

/** Sets a text of which no part is used elsewhere into a page, as hostGuest does. */
export const hostMarkdown = (body: string, host: Host): string => {
  const guest = readGuest(body)
  const { context } = createGuestContext(guest.tokens ?? [], host)
  return hostGuest(guest, context, host.depth).markdown
}

const INLINE_CONTEXT: PrintContext = {
  placeHeading: () => undefined,
  placeLink: (href) => (/^https?:/i.test(href) && isSafeHref(href) ? href : undefined),
}

/** Sets one line of inline Markdown by a catalog author; block marks at its start are text. */
export const hostInline = (line: string): string => {
  const text = line.replace(/\s+/g, ' ').trim()
  if (isPathological(text)) return printFence(text)
  const printed = escapeLineStart(printInline(lexInline(text), INLINE_CONTEXT))
  return areContained([printed]) ? printed : escapeMarkdown(text)
}
