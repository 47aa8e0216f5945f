import { expect, test } from 'vitest'
import type { Section } from './document.ts'
import { html } from './prose/markup.ts'
import { md } from './prose/md.ts'
import { listAnchors, renderSections } from './sections.ts'

const render = (...sections: Section[]): string =>
  renderSections(
    sections,
    (markdown, taken) => html`<p>${String(markdown)} (${taken.join(' ')})</p>`,
  ).html

const SECTION: Section = { id: 'one', heading: 'One', markdown: md`M` }

const TAKEN = listAnchors([SECTION]).join(' ')

test('Markdown is rendered unless its HTML is there', () => {
  expect(render(SECTION)).toContain(`lang="en"><p>M (${TAKEN})</p></div>`)
  expect(render({ ...SECTION, html: html`<p>H</p>` })).toContain('lang="en"><p>H</p></div>')
})

test('what is folded stands below the text, under its label', () => {
  const more = { label: 'All <3>', markdown: md`R` }
  expect(render({ ...SECTION, more })).toMatch(
    /<p>M [^]*<\/p><details>\s*<summary>All &lt;3&gt;<\/summary>\s*<p>R [^]*<\/p>\s*<\/details>/,
  )
})
