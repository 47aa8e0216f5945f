import { splitLoosely } from '../../catalog/front-matter.ts'
import { runInTime } from '../../catalog/in-time.ts'
import { spellUnseen } from '../../catalog/lines.ts'
import { MARKDOWN_LIMIT, TEXT_TIME, readMarkdown } from '../../catalog/markdown.ts'
import { warnOfFile } from '../../catalog/problems.ts'
import type { Problem } from '../../catalog/problems.ts'
import { SKILL_MD } from '../../catalog/skill.ts'
import type { Skill } from '../../catalog/skill.ts'
import { renderCode } from '../prose/highlight.ts'
import { isSafeHref } from '../prose/links.ts'
import type { LinkResolver } from '../prose/links.ts'
import { EMPTY_HTML, html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { codeFence, joinBlocks, md } from '../prose/md.ts'
import { skillFilePath } from '../paths.ts'
import { paragraphs, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import { HTML_LIMIT, TooLongError, renderTokens } from '../prose/render.ts'
import type { TextHeading, TextPlace } from '../prose/render.ts'

/** Depth of the heading "About", below which the SKILL.md's own headings come. */
const ABOUT_DEPTH = 2

/** Prefix for the ids of the SKILL.md's headings. The page's own ids never start with it. */
const ID_PREFIX = 'text-'

/** The text of a SKILL.md as shown on the page of its skill. */
interface About {
  section: Phrase
  headings: readonly TextHeading[]
  /** Whether the section has all of an author's text. */
  isWhole: boolean
  /** Why the text is shown as code, if reading or rendering it exceeded the time limit. */
  unread?: string | undefined
  warnings: Problem[]
}

/** Makes every character visible; CR and CR LF become LF. */
const showText = (text: string): string => spellUnseen(text.replace(/\r\n?/g, '\n'))

const dropEmptyStart = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '')

/** Frames the author's text, and says who wrote it. */
const renderSheet = ({ slug, author, files, source }: Skill, body: Html): Html => {
  const hasNoLink = source.kind === 'own' || source.status === 'gone' || !isSafeHref(source.url)
  const place = hasNoLink
    ? EMPTY_HTML
    : html` · <a href="${source.url}" rel="nofollow noopener ugc">Source</a>`
  return html`<div class="sheet">
    <header class="flow">
      <b>${SKILL_MD}</b>
      <span>${files.length > 0 ? `by ${author}, word for word` : 'written by the registry'}</span>
      <span><a href="${skillFilePath(slug, SKILL_MD)}">As a file</a>${place}</span>
    </header>
    <div class="text">${body}</div>
  </div> `
}

const CUT_NOTE = html`<p>This is only the beginning; see the file for the rest.</p> `

type Call = typeof runInTime
type Rendered = Pick<About, 'headings'> & { body: Html; fault?: string; isLate?: boolean }

const TOO_LONG = 'becomes more than 2 MB of HTML'

const refuse = (fault: string) => ({ fault, isLate: false })

/** Renders tokens within limits of time and size, or explains why they must be shown as code. */
const renderInTime = (tokens: Parameters<typeof renderTokens>[0], place: TextPlace, call: Call) => {
  try {
    const rendering = call(TEXT_TIME, () => renderTokens(tokens, place))
    if ('fault' in rendering) return rendering
    const { result } = rendering
    if (!result) return refuse('becomes HTML with unexpected tags')
    return result.html.html.length > HTML_LIMIT ? refuse(TOO_LONG) : result
  } catch (error) {
    if (error instanceof TooLongError) return refuse(TOO_LONG)
    throw error
  }
}

const renderText = (text: string, { unread }: Skill, place: TextPlace, call: Call): Rendered => {
  const asCode = (fault: string, isLate = false) => {
    const note = text.length > MARKDOWN_LIMIT ? CUT_NOTE : EMPTY_HTML
    return {
      body: html`${note}${renderCode(text.slice(0, MARKDOWN_LIMIT), 'markdown')}`,
      headings: [],
      fault,
      isLate,
    }
  }
  if (unread !== undefined) return asCode(unread)
  const reading = readMarkdown(text, call)
  if ('fault' in reading) return asCode(reading.fault, reading.isLate)
  const rendered = renderInTime(reading.result, place, call)
  if ('fault' in rendered) return asCode(rendered.fault, rendered.isLate)
  return { body: rendered.html, headings: rendered.headings }
}

/**
 * Shows the text of a SKILL.md word for word. Markdown has it as a code block. HTML has it rendered, or as code if
 * rendering would take too long or become too large; `call` bounds the time.
 */
export const writeAbout = (
  skill: Skill,
  skillMd: string,
  resolve: LinkResolver,
  call = runInTime,
): About => {
  const { body } = splitLoosely(skillMd)
  const text = showText(body)
  if (text.trim() === '') {
    const section = paragraphs(phrase`The SKILL.md has no text below its front matter.`)
    return { section, headings: [], isWhole: false, warnings: [] }
  }
  const place = { depth: ABOUT_DEPTH, prefix: ID_PREFIX, resolve }
  const { body: shown, headings, fault, isLate } = renderText(text, skill, place, call)
  const whose =
    skill.files.length > 0
      ? md`The author’s SKILL.md, word for word:`
      : md`The SKILL.md that the registry wrote for this skill:`
  const warning = warnOfFile(
    `skills/${skill.slug}/${SKILL_MD}`,
    `${fault}, so it is shown as code`,
    'simplify its headings, lists and HTML',
  )
  return {
    section: {
      markdown: joinBlocks([whose, codeFence(dropEmptyStart(text), 'markdown')]),
      html: renderSheet(skill, shown),
    },
    headings,
    isWhole: skill.files.length > 0 && text.length <= MARKDOWN_LIMIT,
    unread: isLate ? fault : undefined,
    warnings: fault === undefined ? [] : [warning],
  }
}
