import type { Document, KnownOrders } from '../document.ts'
import { renderTwin } from '../markdown.ts'
import { fillTemplate } from '../template.ts'
import type { Template } from '../template.ts'
import { viewDocument } from '../view.ts'

/** Kinds of page that the function renders; the build renders each once at `/answered/{kind}`, with placeholders. */
export const ANSWERED_KINDS = ['results', 'file', 'missing', 'compare', 'bundle'] as const

export type AnsweredKind = (typeof ANSWERED_KINDS)[number]

/** A page that the function renders. */
export type AnsweredDocument = Document & { kind: AnsweredKind }

/** Data and templates from which the function renders pages; written by the build. */
export interface AnsweredSite {
  siteName: string
  orders: KnownOrders
  templates: Readonly<Record<AnsweredKind, Template>>
}

/** Renders a page as HTML, from the template of its kind, or as Markdown. */
export const printAnswered = (
  document: AnsweredDocument,
  form: 'html' | 'markdown',
  origin: string,
  { siteName, templates }: AnsweredSite,
): string =>
  form === 'markdown'
    ? renderTwin(document)
    : fillTemplate(templates[document.kind], viewDocument(document, origin, siteName))
