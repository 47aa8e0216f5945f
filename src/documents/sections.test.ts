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

test('Markdown is rendered only if the section has no HTML', () => {
  expect(render(SECTION)).toContain(`lang="en"><p>M (${TAKEN})</p></div>`)
  expect(render({ ...SECTION, html: html`<p>H</p>` })).toContain('lang="en"><p>H</p></div>')
})

test('a heading in a text takes no anchor of an element that a script adds', () => {
  expect(TAKEN.split(' ')).toContain('offers')
})

test('sections are shown in the form of their kind', () => {
  const words = { markdown: md`H`, html: html`<p>H</p>` }
  const print = (form: NonNullable<Section['form']>): string =>
    render({ ...SECTION, ...words, form })
  expect(print('label')).toBe('<p>H</p>')
  expect(print('brief')).toMatch(/^<section class="brief" data-part="one">\s*<h2/)
  expect(print('bare')).not.toContain('class="text"')
})
