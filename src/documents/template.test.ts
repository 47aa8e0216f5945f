import { expect, test } from 'vitest'
import { FRAME, SITE_VALUES } from '../../testing/sample-site.ts'
import type { Document } from './document.ts'
import { phrase } from './prose/phrases.ts'
import { PLACEHOLDERS, compileTemplate, fillTemplate } from './template.ts'
import { viewDocument } from './view.ts'

const PAGE: Document = {
  kind: 'article',
  path: '/about',
  heading: 'A & "B"',
  lead: phrase`Words.`,
  description: '',
  updated: '',
  isUnindexed: false,
  sections: [],
}

const fill = (layout: string, change: Partial<Document> = {}): string =>
  fillTemplate(compileTemplate(layout, SITE_VALUES), viewDocument({ ...PAGE, ...change }, FRAME))

test('placeholders are replaced by values in text and in attributes', () => {
  const { heading, lead } = PLACEHOLDERS
  expect(fill(`<h1 title="${heading}">${heading}</h1><p>${lead}</p>`)).toBe(
    '<h1 title="A &amp; &quot;B&quot;">A &amp; &quot;B&quot;</h1><p>Words.</p>',
  )
})

test('a placeholder inside a value is not replaced', () => {
  expect(fill(PLACEHOLDERS.heading, { heading: PLACEHOLDERS.lead })).toBe(PLACEHOLDERS.lead)
})

test('an unknown placeholder is an error that names it', () => {
  expect(() => compileTemplate('<p>\uE000trial\uE001', SITE_VALUES)).toThrow(
    /^a layout shows "trial", which/,
  )
})
