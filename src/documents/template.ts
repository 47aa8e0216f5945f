import type { Html } from './prose/markup.ts'

/** Kinds of page; each has one template in src/pages/templates. */
export const PAGE_KINDS = ['article', 'file', 'home', 'listing', 'search', 'skill'] as const

export type PageKind = (typeof PAGE_KINDS)[number]

/** Names of the values that fill the layout of a page. Optional values can be empty. */
const VALUES = [
  'head',
  'twin',
  'navigation',
  'trail',
  'header',
  'heading',
  'lead',
  'below',
  'label',
  'install',
  'contents',
  'search',
  'body',
  'pager',
] as const

/** Names of the values that are the same on all pages of a registry. */
const SITE_VALUES = ['siteName', 'siteLinks', 'siteMark', 'siteFooter'] as const

type ViewValue = (typeof VALUES)[number]
type SiteValue = (typeof SITE_VALUES)[number]

/** A page as finished HTML, ready for any template. */
export type PageView = Readonly<Record<ViewValue, Html>>

/** A registry as finished HTML, ready for any template. */
export type SiteValues = Readonly<Record<SiteValue, Html>>

// Private-use characters mark placeholders. Values that contain them do no harm, because values are not searched.
const [OPEN, CLOSE] = ['\uE000', '\uE001']

/** The placeholder for each value. Layouts are rendered once, with placeholders in place of values. */
export const PLACEHOLDERS = Object.fromEntries(
  [...VALUES, ...SITE_VALUES].map((name) => [name, `${OPEN}${name}${CLOSE}`]),
) as Readonly<Record<ViewValue | SiteValue, string>>

/** A rendered layout, split at its placeholders: text and names of values alternate. */
export type Template = readonly string[]

const isValue = (name: string): name is ViewValue => (VALUES as readonly string[]).includes(name)

/** Splits the HTML of a layout at its placeholders, and fills in the values of the site. */
export const compileTemplate = (source: string, site: SiteValues): Template => {
  const pieces = ['']
  for (const [at, piece] of source.split(new RegExp(`${OPEN}(.*?)${CLOSE}`)).entries()) {
    const text = at % 2 === 0 ? piece : site[piece as SiteValue]?.html
    if (text !== undefined) pieces.push(`${pieces.pop()}${text}`)
    else if (isValue(piece)) pieces.push(piece, '')
    else
      throw new Error(
        `a layout shows "${piece}", which is not one of: ${Object.keys(PLACEHOLDERS).join(', ')}`,
      )
  }
  return pieces
}

export const fillTemplate = (template: Template, view: PageView): string =>
  template.map((piece, at) => (at % 2 === 1 ? view[piece as ViewValue].html : piece)).join('')
