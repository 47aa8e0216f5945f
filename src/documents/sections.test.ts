import { expect, test } from 'vitest'
import type { Section } from './document.ts'
import { html } from './markup.ts'
import { renderSections } from './sections.ts'

const render = (...sections: Section[]): string =>
  renderSections(sections, (markdown, taken) => html`<p>${markdown} (${taken.join(' ')})</p>`).html

const SECTION: Section = { id: 'one', markdown: 'M' }

test('Markdown is rendered unless its HTML is there', () => {
  expect(render(SECTION)).toContain('lang="en"><p>M (one)</p></div>')
  expect(render({ ...SECTION, html: html`<p>H</p>` })).toContain('lang="en"><p>H</p></div>')
})

test('what is folded stands below the text, under its label', () => {
  const more = { label: 'All <3>', markdown: 'R' }
  expect(render({ ...SECTION, more })).toMatch(
    /<p>M \(one\)<\/p><details>\s*<summary>All &lt;3&gt;<\/summary>\s*<p>R \(one\)<\/p>\s*<\/details>/,
  )
})

test('further anchors lead to the section, and no heading of any text may have them', () => {
  const page = render({ ...SECTION, anchors: ['limitations', '3d'] }, { id: 'two', markdown: 'N' })
  expect(page).toContain('<span id="limitations"></span><span id="At-3d"></span><p>M')
  expect(page).toContain('<p>N (one limitations 3d two)</p>')
})
