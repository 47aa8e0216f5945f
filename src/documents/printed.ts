import type { Heading, PhrasingContent } from 'mdast'
import type { Crumb, Document, Figure, LinePiece, Section, Work } from './document.ts'
import { categorySlug } from '../catalog/categories.ts'
import { showNumber } from '../catalog/text.ts'
import { escapeAttribute, escapeContent, escapeText, toId, renderBlocks } from './html.ts'
import type { Html } from './html.ts'
import { openProse } from './prose.ts'
import { dataOf } from './tree.ts'
import { listAnsweredBreadcrumbs, viewFact } from './view.ts'
import { PATHS, categoryPath } from './paths.ts'

/** Pages that others are below. */
const ROOMS: readonly Crumb[] = [
  { label: 'Skills', path: PATHS.skills },
  { label: 'Categories', path: PATHS.categories },
  { label: 'Authors', path: PATHS.authors },
  { label: 'Blog', path: PATHS.blog },
]

/** The first page of the list that a page continues. */
const firstPageOf = ({ path, heading }: Pick<Document, 'path' | 'heading'>): Crumb[] => {
  const [, home] = /^(.+)\/page\/\d+$/.exec(path) ?? []
  return home === undefined ? [] : [{ label: heading.replace(/, page \d+$/, ''), path: home }]
}

/** The pages above a page, the highest first; the start page has none. */
const listBreadcrumbs = (
  document: Pick<Document, 'kind' | 'path' | 'category' | 'heading' | 'partOf'>,
): readonly Crumb[] => {
  const { kind, path, category, partOf } = document
  if (kind === 'home') return []
  if (kind === 'skill' && category)
    return listAnsweredBreadcrumbs({ partOf: { label: category, path: categoryPath(category) } })
  if (partOf) return listAnsweredBreadcrumbs({ partOf })
  const above = listAnsweredBreadcrumbs({}).concat(
    ROOMS.filter((room) => path.startsWith(`${room.path}/`)),
  )
  return above.concat(
    firstPageOf(document).filter((first) => above.every((crumb) => crumb.path !== first.path)),
  )
}

/** A thing in the words of schema.org. */
type Thing = Record<string, unknown>

/** What structured data needs besides the document. */
interface Surroundings {
  origin: string
  siteName: string
}

const siteId = (origin: string): string => `${origin}${PATHS.home}#site`

const describeHome = ({ description }: Document, { origin, siteName }: Surroundings): Thing => ({
  '@type': 'WebSite',
  '@id': siteId(origin),
  url: origin + PATHS.home,
  name: siteName,
  description,
  potentialAction: {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${origin}${PATHS.skills}?q={search_term_string}`,
    },
    'query-input': 'required name=search_term_string',
  },
})

/** What every page but the first is. */
const describePage = (
  type: string,
  { heading, path, description }: Document,
  { origin }: Surroundings,
): Thing => ({
  '@type': type,
  url: origin + path,
  name: heading,
  description,
  isPartOf: { '@id': siteId(origin) },
})

const describeListing = (document: Document, around: Surroundings): Thing => {
  const entries = document.sections.find((section) => section.entries?.length)?.entries
  if (!entries) return describePage('WebPage', document, around)
  return {
    ...describePage('CollectionPage', document, around),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: entries.length,
      itemListElement: entries.map(({ title, path }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name: title,
        url: around.origin + path,
      })),
    },
  }
}

/** What a work says of itself; nothing that is not known. */
const describeWork = (
  { author, published, modified, licence, repository, download, keywords }: Work,
  origin: string,
): Thing => ({
  author,
  datePublished: published,
  dateModified: modified,
  license: licence,
  codeRepository: repository,
  keywords,
  ...(download !== undefined && {
    encoding: {
      '@type': 'MediaObject',
      encodingFormat: 'application/zip',
      contentUrl: origin + download,
    },
  }),
})

const describeAs =
  (type: string) =>
  (document: Document, around: Surroundings): Thing => ({
    ...describePage(type, document, around),
    ...describeWork(document.work ?? {}, around.origin),
  })

const describeArticle =
  (type: string) =>
  (document: Document, around: Surroundings): Thing => ({
    ...describeAs(type)(document, around),
    headline: document.heading,
  })

const describeProse = (document: Document, around: Surroundings): Thing =>
  document.path.startsWith('/docs/')
    ? describeArticle('TechArticle')(document, around)
    : describeAs('WebPage')(document, around)

const KINDS: Partial<
  Record<Document['kind'], (document: Document, around: Surroundings) => Thing>
> = {
  home: describeHome,
  skills: describeListing,
  listing: describeListing,
  blog: describeListing,
  skill: describeAs('SoftwareSourceCode'),
  post: describeArticle('BlogPosting'),
  reference: describeArticle('TechArticle'),
  prose: describeProse,
}

const describeTrail = (document: Document, origin: string): Thing[] => {
  const trail = listBreadcrumbs(document)
  if (trail.length === 0) return []
  const crumbs = [...trail, { label: document.heading, path: document.path }]
  return [
    {
      '@type': 'BreadcrumbList',
      itemListElement: crumbs.map(({ label, path }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name: label,
        item: origin + path,
      })),
    },
  ]
}

/**
 * Tells machines what a page is, as JSON-LD for a script element: from the document that its twin is printed from, and
 * nothing that it does not say. No text can end the element, since none holds a `<`.
 */
const renderData = (document: Document, around: Surroundings): Html => {
  const describe = document.isIndexable ? KINDS[document.kind] : undefined
  const graph = [
    ...(describe ? [describe(document, around)] : []),
    ...describeTrail(document, around.origin),
  ]
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  return { html: json.replaceAll('<', '\\u003c') }
}

/** Least depth of the headings inside a section's text. */
const SHALLOWEST = 3

/** Most HTML for the headings of one text, in characters: hostile texts have thousands of headings, or very long ones. */
const OUTLINE_BUDGET = 1_800
const WORDS_LIMIT = 120

const wordsOf = (nodes: readonly PhrasingContent[]): string =>
  nodes
    .map((node) => {
      if ('children' in node) return wordsOf(node.children)
      return 'value' in node ? node.value : ' '
    })
    .join('')

interface Named {
  id: string
  depth: Heading['depth']
  node: Heading
}

/** Lists the headings with an anchor, as those of a SKILL.md have. */
const listAnchored = ({ blocks = [] }: Section): Named[] =>
  blocks.flatMap((node) => {
    if (node.type !== 'heading') return []
    const { id } = dataOf(node)
    return id === undefined ? [] : [{ id, depth: node.depth, node }]
  })

// The most frequent level needs no class: a text may have forty such entries.
const renderEntry = ({ id, depth, node }: Named): string => {
  const words = wordsOf(node.children).slice(0, WORDS_LIMIT).toWellFormed()
  const mark = depth === SHALLOWEST ? '' : ` class="d${depth}"`
  return `<li${mark}><a href="#${escapeAttribute(toId(id))}">${escapeContent(words)}</a></li>`
}

const sizeOf = (entries: readonly string[]): number =>
  entries.reduce((sum, { length }) => sum + length, 0)

/** Renders as many levels as fit; if the first level alone is too long, as many entries as fit. */
const renderBelow = (section: Section): Html => {
  const all = listAnchored(section)
  const depths = [...new Set(all.map(({ depth }) => depth))].sort()
  let shown: string[] = []
  for (const most of depths) {
    const entries = all.filter(({ depth }) => depth <= most).map(renderEntry)
    if (shown.length > 0 && sizeOf(entries) > OUTLINE_BUDGET) break
    shown = entries
  }
  let left = OUTLINE_BUDGET
  return { html: shown.filter(({ length }) => (left -= length) >= 0).join('') }
}

/** Lists the headings below one of a page; of a stranger's text as many levels as a reader can take in. */
const listSubheadings = (section: Section): { entries: Html }[] => {
  const entries = renderBelow(section)
  return entries.html === '' ? [] : [{ entries }]
}

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
const viewInstall = (
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

/** Heights in em: of the label, of the bar, and of both with the space below. */
const [WORDS, BAR, ROW] = [1.1, 0.5, 2.5]

const em = (value: number): string => `${Number(value.toFixed(2))}em`

/** Widths are percentages and heights are in em, so labels keep their size on every screen. */
const drawBar = (
  { label, count, category }: Figure['bars'][number],
  at: number,
  most: number,
): string => {
  const top = at * ROW
  const share = most === 0 ? 0 : Number(((100 * count) / most).toFixed(2))
  const hue = category ? ` data-hue="${categorySlug(category)}"` : ''
  return [
    `<text x="0" y="${em(top + WORDS)}">${escapeText(label)}</text>`,
    `<text x="100%" y="${em(top + WORDS)}" text-anchor="end">${showNumber(count)}</text>`,
    `<rect x="0" y="${em(top + WORDS + 0.4)}" width="${share}%" height="${em(BAR)}"${hue}></rect>`,
  ].join('')
}

/** Draws a figure; `id` is the id of its section. */
const drawFigure = (id: string, title: string, { columns, bars }: Figure): Html => {
  const most = Math.max(...bars.map(({ count }) => count))
  const words = bars.map(({ label, count }) => `${label}: ${showNumber(count)}`).join('; ')
  return {
    html: [
      `<svg class="figure" role="img" width="100%" height="${em(bars.length * ROW)}" aria-labelledby="${id}-title ${id}-words">`,
      `<title id="${id}-title">${escapeText(`${title}, ${columns[1].toLowerCase()}`)}</title>`,
      `<desc id="${id}-words">${escapeText(words)}</desc>`,
      ...bars.map((bar, at) => drawBar(bar, at, most)),
      '</svg>\n',
    ].join(''),
  }
}

/** What only pages printed by the build need. `functions/fetch.ts` does without it and is 2 KB smaller (gzip). */
export const PRINTED = {
  openProse,
  renderData,
  drawFigure,
  viewInstall,
  listSubheadings,
  listBreadcrumbs,
}
