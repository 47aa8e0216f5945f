import { PLACEHOLDER_SIGNS } from '../catalog/text.ts'
import { escapeAttribute, escapeText } from './html.ts'
import type { Html } from './html.ts'

/**
 * A list in a view. Layouts only map over it, so that a list of placeholders can take its place; what may be
 * absent is a list of none or one.
 */
type ViewList<Item> = Pick<readonly Item[], 'map'>

/** What a view is made of: text, which is escaped for its place, HTML, which is not, and lists. */
interface Shape {
  [name: string]: 'text' | 'html' | Shape
}

/** The view that a shape describes. */
type ViewOf<S extends Shape> = {
  [Name in keyof S]: S[Name] extends 'text'
    ? string
    : S[Name] extends 'html'
      ? Html
      : S[Name] extends Shape
        ? ViewList<ViewOf<S[Name]>>
        : never
}

const ENTRY = {
  title: 'html',
  path: 'text',
  text: 'html',
  hue: 'text',
  facts: 'html',
  names: 'html',
} as const

const SECTION = {
  id: 'text',
  title: { id: 'text', heading: 'text' },
  language: 'text',
  body: 'html',
  lists: { entries: ENTRY },
} as const

const FACT = { label: 'text', value: 'html' } as const

/** Everything a layout may show; a list of none or one is a part that may be absent. */
export const PAGE_SHAPE = {
  title: 'text',
  shareTitle: 'text',
  description: 'text',
  address: 'text',
  canonical: { address: 'text' },
  twin: 'text',
  updated: 'text',
  data: { json: 'html' },
  shareType: 'text',
  image: 'text',
  imageWords: 'text',
  trail: { crumbs: { label: 'text', path: 'text' }, here: 'text' },
  robots: { content: 'text' },
  feeds: { title: 'text', atom: 'text', json: 'text' },
  heading: 'text',
  language: 'text',
  lead: 'html',
  hue: 'text',
  notice: { text: 'html' },
  facts: FACT,
  install: {
    id: 'text',
    heading: 'text',
    lines: { choice: 'text', line: 'html', length: 'text' },
    npx: { line: 'html' },
    picks: { slug: 'text' },
    body: 'html',
    facts: FACT,
  },
  contents: {
    id: 'text',
    heading: 'text',
    below: { entries: 'html' },
  },
  sections: SECTION,
  source: {
    lines: 'html',
  },
  search: { input: 'html', sorts: 'html', categories: 'html', facets: 'html' },
  pager: {
    position: 'text',
    previous: { path: 'text' },
    next: { path: 'text' },
  },
} as const satisfies Shape

/** A page as its layout shows it. */
export type PageView = ViewOf<typeof PAGE_SHAPE>

// No layout writes these, site.json must not contain them, and what is filled in is not parsed again.
const [OPEN, CLOSE] = PLACEHOLDER_SIGNS
const mark = (sign: string, name: string): string => `${OPEN}${sign}${name}${CLOSE}`

/** Makes the view that a layout renders once: every value is a marker that names itself. */
export const markersOf = <S extends Shape>(shape: S): ViewOf<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, kind]) => [name, markerOf(name, kind)]),
  ) as ViewOf<S>

const markerOf = (name: string, kind: Shape[string]): unknown => {
  if (kind === 'text') return mark('', name)
  if (kind === 'html') return { html: mark('!', name) }
  const item = markersOf(kind)
  return {
    map: (render: (item: unknown, index: number) => unknown) => [
      mark('#', name),
      render(item, 0),
      mark('/', name),
    ],
  }
}

/** A part of a compiled template. */
type Node =
  | { kind: 'literal'; text: string }
  | { kind: 'text' | 'attribute' | 'html'; name: string }
  | { kind: 'list'; name: string; nodes: Node[] }

/** A page as its layout rendered it, ready to be filled. */
export interface Template {
  nodes: Node[]
}

/** Reads HTML to know whether a place is inside a tag; quoted values may hold a `>`. */
class TagTracker {
  private isInTag = false
  private quote = ''

  read(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at)
      if (!this.isInTag) this.isInTag = character === '<' && /[a-zA-Z/]/.test(text.charAt(at + 1))
      else if (this.quote !== '') this.quote = character === this.quote ? '' : this.quote
      else if (character === '"' || character === "'") this.quote = character
      else if (character === '>') this.isInTag = false
    }
  }

  get context(): 'attribute' | 'text' {
    return this.isInTag ? 'attribute' : 'text'
  }
}

/** The output of a layout cannot be a template, or a view lacks a value that it names. */
class TemplateError extends Error {
  override name = 'TemplateError'
}

const MARKER = new RegExp(`${OPEN}([!#/]?)([A-Za-z]+)${CLOSE}`, 'g')

/** Compiles the HTML of a layout that was rendered with markers. */
export const compileTemplate = (source: string): Template => {
  const tracker = new TagTracker()
  const open: { name: string; nodes: Node[] }[] = [{ name: '', nodes: [] }]
  const add = (node: Node): void => void open.at(-1)?.nodes.push(node)
  const addLiteral = (text: string): void => {
    if (text === '') return
    tracker.read(text)
    add({ kind: 'literal', text })
  }
  let at = 0
  for (const match of source.matchAll(MARKER)) {
    const [whole, sign = '', name = ''] = match
    addLiteral(source.slice(at, match.index))
    at = match.index + whole.length
    if (sign === '') add({ kind: tracker.context, name })
    else if (sign === '!') add({ kind: 'html', name })
    else if (sign === '#') open.push({ name, nodes: [] })
    else {
      const closed = open.pop()
      if (closed?.name !== name) throw new TemplateError(`list ${name} closes where it is not open`)
      add({ kind: 'list', name, nodes: closed.nodes })
    }
  }
  addLiteral(source.slice(at))
  if (open.length !== 1) throw new TemplateError(`list ${open.at(-1)?.name ?? ''} never closes`)
  return { nodes: open[0]?.nodes ?? [] }
}

type Values = Record<string, unknown>

const read = <Value>(
  values: Values,
  name: string,
  isRight: (value: unknown) => value is Value,
): Value => {
  const value = values[name]
  if (isRight(value)) return value
  throw new TemplateError(`the view has no ${name}`)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isHtml = (value: unknown): value is Html =>
  typeof value === 'object' && value !== null && 'html' in value && isText(value.html)
const isList = (value: unknown): value is Values[] => Array.isArray(value)

const fillNodes = (nodes: readonly Node[], values: Values): string => {
  let text = ''
  for (const node of nodes) {
    switch (node.kind) {
      case 'literal':
        text += node.text
        break
      case 'text':
        text += escapeText(read(values, node.name, isText))
        break
      case 'attribute':
        text += escapeAttribute(read(values, node.name, isText))
        break
      case 'html':
        text += read(values, node.name, isHtml).html
        break
      case 'list':
        for (const item of read(values, node.name, isList)) text += fillNodes(node.nodes, item)
    }
  }
  return text
}

/** Prints a page: a template filled with a view of the shape it was made from. */
export const fillTemplate = ({ nodes }: Template, view: object): string =>
  fillNodes(nodes, view as Values)
