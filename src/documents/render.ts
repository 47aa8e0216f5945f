import { markdownToHtml } from 'satteri'
import { Anchors } from './anchors.ts'
import { DIALECT } from '../catalog/markdown.ts'
import { isSafeHref } from './links.ts'
import { LONGEST_PAGE, highlightCode } from './highlight.ts'
import type { CodePiece } from './highlight.ts'
import { escapeText, html as htmlOf, toId } from './markup.ts'
import type { Html } from './markup.ts'
import { plainLanguage } from './md.ts'
import type { Markdown } from './md.ts'

/** Each tag that satteri may write for Markdown of ours, with what may stand in it. */
const TAGS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'p h1 h2 h3 h4 h5 h6 pre em strong del blockquote hr br table thead tbody tr'
      .split(' ')
      .map((name) => [name, /^$/]),
  ),
  ul: /^(?: class="contains-task-list")?$/,
  ol: /^(?: start="\d+")?(?: class="contains-task-list")?$/,
  li: /^(?: class="task-list-item")?$/,
  input: /^ type="checkbox"(?: checked)? disabled$/,
  th: /^(?: style="text-align: (?:left|center|right)")?$/,
  td: /^(?: style="text-align: (?:left|center|right)")?$/,
  code: /^(?: class="language-[^"]*")?$/,
  a: /^ href="[^"]*"(?: title="[^"]*")?$/,
}

/** A tag, or a `<` that begins none; satteri leaves `<` in titles alone. */
const TAG = /<(?:\/([a-z]+[1-6]?)>|([a-z]+[1-6]?)((?: [a-z]+(?:="[^"]*")?)*)>)?/g

/** Whether HTML has no tag, attribute or address but those that Markdown of ours becomes. */
const isExpected = (html: string): boolean => {
  for (const [, end, start, attributes = ''] of html.matchAll(TAG)) {
    const name = end ?? start
    if (name === undefined || !Object.hasOwn(TAGS, name) || (!TAGS[name]!.test(attributes) && !end))
      return false
    if (name === 'a' && !end && !isSafeHref(decode(/"([^"]*)"/.exec(attributes)![1]!))) return false
  }
  return true
}

/** Leaves the words of what satteri links as an address and no browser can open: `http://localhost:PORT`. */
const dropDeadLinks = (html: string): string =>
  html.replace(/<a href="(https?:[^"]*)">([^<]*)<\/a>/gi, (link, address: string, words: string) =>
    isSafeHref(decode(address)) ? link : words,
  )

/** What an id begins with whose anchor begins with no letter (`toId`). */
const OTHER_ID = 'At-'

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** Decodes the few references that satteri writes. */
const decode = (html: string): string =>
  html.replace(/&(?:(lt|gt|quot|amp)|#x([0-9a-fA-F]+));/g, (_, name: string, code: string) =>
    name ? ENTITIES[name]! : String.fromCodePoint(Number.parseInt(code, 16)),
  )

/** The words of HTML, without its tags. */
const wordsIn = (html: string): string => decode(html.replace(/<[^>]*>/g, '')).trim()

const renderPieces = (pieces: readonly CodePiece[]): string =>
  pieces
    .map(({ kind, text }) =>
      kind === '' || text.trim() === ''
        ? escapeText(text)
        : `<span class="${kind}">${escapeText(text)}</span>`,
    )
    .join('')

/** Gives each heading the anchor that GitHub would, unless the page has it already. */
const addAnchors = (html: string, taken: readonly string[]): string => {
  const anchors = new Anchors(taken)
  return html.replace(/<(h[1-6])>([^]*?)<\/\1>/g, (_, tag: string, words: string) => {
    // A line feed that is written as a reference.
    const line = wordsIn(words).replaceAll('\n', ' ')
    const id = escapeText(toId(anchors.slug(line)))
    return `<${tag} id="${id}">${words}</${tag}>`
  })
}

/** Colours code. It scrolls sideways, so it must be reachable by keyboard. */
const renderCodeBlocks = (html: string): string => {
  let room = LONGEST_PAGE
  return html.replace(
    /<pre><code(?: class="language-([^"]*)")?>([^<]*)<\/code><\/pre>/g,
    (_, lang = '', code: string) => {
      const language = plainLanguage(decode(lang))
      const mark = language === '' ? '' : ` data-language="${language}"`
      room -= code.length
      const pieces = language === '' || room < 0 ? undefined : highlightCode(decode(code), language)
      return `<pre tabindex="0"${mark}><code>${pieces ? renderPieces(pieces) : code}</code></pre>`
    },
  )
}

const TABLE_START = '<div class="table" tabindex="0" role="group" aria-label="Table"><table'

/** Lets a table scroll; a table of numbers has one class instead of one for each cell. */
const renderTable = (html: string): string => {
  const sides = Array.from(
    html.matchAll(/<th(?: style="text-align: (\w+)")?>/g),
    ([, side]) => side,
  )
  const isOfNumbers =
    sides.length > 1 && sides.every((side, at) => side === (at === 0 ? undefined : 'right'))
  return html
    .replace('<table', TABLE_START + (isOfNumbers ? ' class="numbers"' : ''))
    .replace('</table>', '</table></div>')
    .replace(/ style="text-align: (\w+)"/g, isOfNumbers ? '' : ' class="$1"')
    .replace(/<th((?: class="\w+")?)><\/th>/g, '<td$1></td>')
    .replace(/<th(?=[ >])/g, '<th scope="col"')
}

const renderLink = (attributes: string): string => {
  const isOutside = /^ href="https?:/i.test(attributes)
  // Ids begin with a letter.
  const address = attributes.replace(
    /(?<=^ href="#)[^"]+/,
    (anchor) => (toId(decodeURIComponent(anchor)).startsWith(OTHER_ID) ? OTHER_ID : '') + anchor,
  )
  return `<a${address}${isOutside ? ' rel="nofollow noopener ugc"' : ''}>`
}

/**
 * Renders Markdown as HTML. Its headings get anchors that are not `taken`, the same as those that `embedText` with
 * the same `taken` names.
 */
export const renderHtml = (markdown: Markdown, taken: readonly string[] = []): Html => {
  const text = String(markdown)
  const { html: rendered } = markdownToHtml(text, { features: DIALECT })
  const html = isExpected(rendered) ? rendered : dropDeadLinks(rendered)
  if (!isExpected(html)) return htmlOf`<pre tabindex="0"><code>${text}</code></pre>`
  const marked = addAnchors(html, taken)
    .replace(/<table>[^]*?<\/table>/g, renderTable)
    .replace(/<a( [^>]*)>/g, (_, attributes: string) => renderLink(attributes))
    .replace(/ class="(?:contains-task-list|task-list-item)"/g, '')
    .replace(/<input type="checkbox"( checked)? disabled>/g, (_, checked) =>
      checked ? '[x]' : '[ ]',
    )
  return { html: renderCodeBlocks(marked) }
}
