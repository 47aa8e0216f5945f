import type { Document } from '../document.ts'
import { renderTwin } from '../markdown.ts'
import { fillTemplate } from '../template.ts'
import type { Template } from '../template.ts'
import { viewDocument } from '../view.ts'

/** Kinds of page that the function prints; each is rendered once at `/answered/{kind}`, with placeholders. */
export const ANSWERED_KINDS = ['results', 'file', 'missing', 'compare', 'bundle'] as const

export type AnsweredKind = (typeof ANSWERED_KINDS)[number]

/** A page that the function prints. */
export type AnsweredDocument = Document & { kind: AnsweredKind }

/** What the function prints pages with; the build writes it. */
export interface AnsweredSite {
  siteName: string
  isCounted: boolean
  templates: Readonly<Record<AnsweredKind, Template>>
}

/** Prints a page of the function: as HTML, in the template that its kind has in the build, or as its twin. */
export const printAnswered = (
  document: AnsweredDocument,
  form: 'html' | 'markdown',
  origin: string,
  { siteName, templates }: AnsweredSite,
): string =>
  form === 'markdown'
    ? renderTwin(document)
    : fillTemplate(templates[document.kind], viewDocument(document, origin, siteName))
