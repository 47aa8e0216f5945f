import { categorySlug } from '../catalog/categories.ts'
import type { Look } from '../catalog/schema.ts'
import { Markdown } from './md.ts'
import { renderBlocks, renderDay, renderLine, escapeAttribute, escapeText } from './html.ts'
import type {
  Crumb,
  Document,
  DocumentKind,
  Entry,
  EntryFact,
  Fact,
  Figure,
  Pager,
  Section,
  TextRange,
} from './document.ts'
import type { Html } from './html.ts'
import { PATHS, feedPath, previewPath, twinPath } from './paths.ts'
import { viewSearchForm } from './search-form.ts'
import { renderSource } from './source.ts'
import type { PageView } from './template.ts'

/** A language that letters alone tell. */
type Language = 'ko' | 'ja' | 'zh'

const EAST_ASIAN =
  /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uff9f]/

const HANGUL = /\p{Script=Hangul}/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN = /\p{Script=Han}/gu
const LETTER = /\p{L}/gu

/** One such letter says what three of others do, and a technical text names much in English. */
const SHARE = 0.1

/** Letters of a text that are counted: its beginning shows the language. */
const SAMPLE_LENGTH = 20_000

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0

/**
 * The language of a text where its script decides: Korean by Hangul, Japanese by kana, else Chinese by Han. A text that
 * only quotes some has none.
 */
const detectLanguage = (text: string): Language | undefined => {
  // Nearly all texts end here.
  if (!EAST_ASIAN.test(text)) return undefined
  const sample = text.slice(0, SAMPLE_LENGTH)
  const [hangul, kana, han] = [count(sample, HANGUL), count(sample, KANA), count(sample, HAN)]
  const all = hangul + kana + han
  if (all < SHARE * count(sample, LETTER)) return undefined
  if (hangul > all / 2) return 'ko'
  return kana > SHARE * all ? 'ja' : 'zh'
}

/** Marks HTML with the language of the text that it was made of. */
const withLanguage = (html: string, text: string): string => {
  const language = detectLanguage(text)
  return language === undefined ? html : `<span lang="${language}">${html}</span>`
}

/** Makes the renderer of the registry's own Markdown on a page that has taken some anchors. */
type ProseRenderer = (taken: readonly string[]) => (markdown: string) => Html

/** How a section that installs a skill is shown. */
type InstallView = Parameters<Parameters<PageView['install']['map']>[0]>[0]

/** What only pages that the build prints have; the function does without, since it is sent to where it runs. */
interface PrintedParts {
  listBreadcrumbs?: (document: Document) => readonly Crumb[]
  /** Reads the sections without blocks. */
  openProse?: ProseRenderer
  renderData?: (document: Document, around: { origin: string; siteName: string }) => Html
  drawFigure?: (id: string, heading: string, figure: Figure) => Html
  viewInstall?: (section: Section, document: Document) => readonly InstallView[]
  listSubheadings?: (section: Section) => { entries: Html }[]
}

const optional = <Value>(value: Value | undefined): Value[] => (value === undefined ? [] : [value])

export const viewFact = ({
  label,
  value,
  path,
  isDay,
  isWarning,
}: Fact): { label: string; value: Html } => {
  const mark = isWarning ? ' class="warning"' : ''
  const words = isDay ? renderDays(value) : escapeText(value)
  return {
    label,
    value: {
      html: path === undefined ? words : `<a${mark} href="${escapeAttribute(path)}">${words}</a>`,
    },
  }
}

const viewSource = ({ source }: Section) => (source ? [{ lines: renderSource(source) }] : [])

const renderMarked = (text: string, ranges: readonly TextRange[] = []): Html => {
  let [html, at] = ['', 0]
  for (const { from, to } of ranges) {
    html += `${escapeText(text.slice(at, from))}<mark>${escapeText(text.slice(from, to))}</mark>`
    at = to
  }
  return { html: withLanguage(html + escapeText(text.slice(at)), text) }
}

const DAY = /\d{4}-\d{2}-\d{2}/g

const renderDays = (text: string): string => escapeText(text).replace(DAY, renderDay)

const renderEntryFact = ({ kind, text, path }: EntryFact): string => {
  const words = kind === 'day' || kind === 'days' ? renderDays(text) : escapeText(text)
  const link = path === undefined ? words : `<a href="${escapeAttribute(path)}">${words}</a>`
  return `<li class="${kind}">${link}</li>`
}

const renderName = ({ title, path }: { title: string; path: string }): string =>
  `<li><a href="${escapeAttribute(path)}">${escapeText(title)}</a></li>`

const renderPick = (slug: string | undefined): string =>
  slug === undefined
    ? ''
    : `<li class="pick"><input type="checkbox" name="skills" form="basket" value="${escapeAttribute(slug)}" aria-label="Install ${escapeAttribute(slug)} with others"></li>`

const viewEntry = ({
  title,
  path,
  text,
  category,
  facts,
  examples = [],
  pick,
  matches,
}: Entry) => ({
  title: renderMarked(title, matches?.title),
  path,
  text: renderMarked(text, matches?.text),
  hue: category ? categorySlug(category) : 'none',
  facts: { html: facts.map(renderEntryFact).join('') + renderPick(pick) },
  names: {
    html: examples.length > 0 ? `<ul class="names">${examples.map(renderName).join('')}</ul>` : '',
  },
})

const viewPager = ({ page, pages, previous, next }: Pager) => ({
  position: `Page ${page} of ${pages}`,
  previous: optional(previous).map((path) => ({ path })),
  next: optional(next).map((path) => ({ path })),
})

const joinHtml = (...parts: readonly Html[]): Html => ({
  html: parts.map(({ html }) => html).join(''),
})

const escapeProse: ProseRenderer = () => (markdown) => ({ html: escapeText(markdown) })

const createSectionView = (
  sections: readonly Section[],
  { openProse = escapeProse, drawFigure }: PrintedParts,
) => {
  // The page's own anchors come first: no heading inside a section may get one of them.
  const renderProse = openProse(sections.map(({ id }) => id))
  return ({ id, heading, markdown, html, blocks, figure, entries = [] }: Section) => ({
    id,
    title: optional(heading).map((text) => ({ id, heading: text })),
    language: detectLanguage(String(markdown)) ?? 'en',
    body: joinHtml(
      html ?? (blocks ? renderBlocks(blocks) : renderProse(String(markdown))),
      ...(figure && drawFigure ? [drawFigure(id, heading ?? '', figure)] : []),
    ),
    lists: entries.length > 0 ? [{ entries: entries.map(viewEntry) }] : [],
  })
}

// Astro leaves < and > in attributes as they are; a careless parser of HTML takes them for tags.
const withoutBrackets = (text: string): string => text.replace(/[<>]/g, '')

/** Characters of a title that readers see of it. */
const TITLE_LIMIT = 70

const writeTitle = ({ kind, heading, partOf }: Document, siteName: string): string => {
  if (kind === 'home') return siteName
  const names = [heading, ...optional(partOf?.label), siteName]
  // The path of a file takes most of the room, and the site is what a reader misses least.
  const fewest = partOf ? 1 : names.length
  while (names.length > fewest && names.join(' · ').length > TITLE_LIMIT) names.pop()
  return names.join(' · ')
}

const describePicture = ({ category }: Document, siteName: string): string =>
  withoutBrackets([category ?? [], siteName].flat().join(', '))

const viewFeeds = ({ category }: Document, siteName: string) => ({
  title: [category ?? [], siteName].flat().join(' · '),
  atom: feedPath('atom', category),
  json: feedPath('json', category),
})

/** The pages above one that the function prints, the highest first. */
export const listAnsweredBreadcrumbs = ({ partOf }: Pick<Document, 'partOf'>): readonly Crumb[] => {
  const home = { label: 'Home', path: PATHS.home }
  return partOf ? [home, { label: 'Skills', path: PATHS.skills }, partOf] : [home]
}

/**
 * Turns a document into the view its layout shows; `siteName` closes the title. `parts` are those that only
 * printed pages have.
 */
export const viewDocument = (
  document: Document,
  origin: string,
  siteName: string,
  parts: PrintedParts = {},
): PageView => {
  const { heading, path, sections, pager } = document
  const trail = (parts.listBreadcrumbs ?? listAnsweredBreadcrumbs)(document)
  const viewSection = createSectionView(sections, parts)
  const renderProse = (parts.openProse ?? escapeProse)([])
  const viewLine = (line: Document['lead']): Html =>
    line instanceof Markdown
      ? { html: renderProse(String(line)).html.replace(/^<p>|<\/p>\n$/g, '') }
      : renderLine(line)
  return {
    title: writeTitle(document, siteName),
    shareTitle: withoutBrackets(heading),
    description: withoutBrackets(document.description),
    address: origin + path,
    // A query makes a page of its own, and none that is indexed.
    canonical: document.query === undefined ? [{ address: origin + path }] : [],
    twin: document.query ? `${twinPath(path)}?${document.query}` : twinPath(path),
    updated: document.updated,
    data: optional(parts.renderData?.(document, { origin, siteName })).map((json) => ({ json })),
    shareType: document.kind === 'post' ? 'article' : 'website',
    image: origin + previewPath(document.category),
    imageWords: describePicture(document, siteName),
    trail: trail.length > 0 ? [{ crumbs: [...trail], here: heading }] : [],
    feeds: document.hasFeed ? [viewFeeds(document, siteName)] : [],
    robots: document.isIndexable ? [] : [{ content: 'noindex' }],
    heading,
    language: detectLanguage(heading) ?? 'en',
    lead: {
      html: withLanguage((document.leadHtml ?? viewLine(document.lead)).html, document.description),
    },
    hue: document.category ? categorySlug(document.category) : 'none',
    notice: optional(document.notice).map((text) => ({ text: viewLine(text) })),
    facts: document.facts.map(viewFact),
    install: sections.flatMap((section) => parts.viewInstall?.(section, document) ?? []),
    contents: sections.flatMap((section) =>
      optional(section.heading).map((words) => ({
        id: section.id,
        heading: words,
        below: parts.listSubheadings?.(section) ?? [],
      })),
    ),
    sections: sections.filter(({ lines, source }) => !lines && !source).map(viewSection),
    source: sections.flatMap(viewSource),
    search: optional(document.search).map(viewSearchForm),
    pager: pager && pager.pages > 1 ? [viewPager(pager)] : [],
  }
}

/** What a layout knows besides its page. */
export interface SiteView {
  name: string
  tagline: string
  /** Existing pages that the masthead of every page links to. */
  navigation: readonly { path: string; label: string }[]
  look?: Look | undefined
  isPrivate?: boolean | undefined
}

/** What the module `virtual:registry` gives to the pages of `src/pages`. */
export interface RegistryModule {
  site: () => SiteView
  /** The paths of a kind's route, such as `/skills/[slug]`, for Astro's getStaticPaths. */
  pathsOf: (kind: DocumentKind, route: string) => { params: Record<string, string> }[]
  viewAt: (path: string) => PageView
}
