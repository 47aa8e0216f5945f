import { PLACEHOLDER_SIGNS } from '../catalog/text.ts'
import type { Html } from './markup.ts'

/** Everything of a page that its layout does not know. What is optional may be empty. */
const VALUES = [
  'title',
  'shareTitle',
  'description',
  'address',
  'twin',
  'head',
  'shareType',
  'image',
  'imageWords',
  'isInSkills',
  'isInBlog',
  'isInDocs',
  'isInAbout',
  'trail',
  'hue',
  'heading',
  'language',
  'lead',
  'notice',
  'facts',
  'install',
  'contents',
  'search',
  'body',
  'pager',
] as const

type ViewValue = (typeof VALUES)[number]

/** A page as finished HTML, ready for any template. */
export type PageView = Readonly<Record<ViewValue, Html>>

// site.json must not contain these, and what is filled in is not read again.
const [OPEN, CLOSE] = PLACEHOLDER_SIGNS

/** What a layout shows in the place of each value when it is rendered as a template. */
export const PLACEHOLDERS = Object.fromEntries(
  VALUES.map((name) => [name, `${OPEN}${name}${CLOSE}`]),
) as Readonly<Record<ViewValue, string>>

/** A page as its layout rendered it, cut at the placeholders: text and names of values in turn. */
export type Template = readonly string[]

const isValue = (name: string): name is ViewValue => (VALUES as readonly string[]).includes(name)

/** Cuts the HTML of a layout at its placeholders. */
export const compileTemplate = (source: string): Template => {
  const pieces = source.split(new RegExp(`${OPEN}(.*?)${CLOSE}`))
  const unknown = pieces.find((name, at) => at % 2 === 1 && !isValue(name))
  if (unknown !== undefined)
    throw new Error(`a layout shows "${unknown}", which is none of: ${VALUES.join(', ')}`)
  return pieces
}

/** Prints a page. */
export const fillTemplate = (template: Template, view: PageView): string =>
  template.map((piece, at) => (at % 2 === 1 ? view[piece as ViewValue].html : piece)).join('')
