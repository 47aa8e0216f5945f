import { expect, test } from 'vitest'
import type { Section } from './document.ts'
import { html } from './prose/markup.ts'
import { Markdown, md } from './prose/md.ts'
import { renderHtml } from './prose/render.ts'
import { listAnchors, renderLine, renderSections } from './sections.ts'

const render = (...sections: Section[]): string =>
  renderSections(
    sections,
    (markdown, taken) => html`<p>${String(markdown)} (${taken.join(' ')})</p>`,
  ).html

const SECTION: Section = { id: 'one', heading: 'One', markdown: md`M` }

test.each([
  ['seen 2026-11-23.', 'seen <span class="day">2026-11-23</span>.'],
  ['[a 2026-01-02](https://a.example/2026-01-02)', '>a <span class="day">2026-01-02</span></a>'],
  ['[a](/2026-01-02 "2026-01-02")', 'title="2026-01-02"'],
  ['release-2026-01-02', 'release-2026-01-02'],
])('days in the line %j cannot wrap', (line, shown) => {
  const { html: rendered } = renderLine(new Markdown(line), renderHtml)
  expect(rendered).toContain(shown)
  expect(rendered.replace(/<span class="day">|<\/span>/g, '')).not.toContain('span')
})

const TAKEN = listAnchors([SECTION]).join(' ')

test('Markdown is rendered only if the section has no HTML', () => {
  expect(render(SECTION)).toContain(`lang="en"><p>M (${TAKEN})</p></div>`)
  expect(render({ ...SECTION, html: html`<p>H</p>` })).toContain('lang="en"><p>H</p></div>')
})

test('the folded part comes after the text, under its label', () => {
  const folded = { label: 'All <3>', markdown: md`R` }
  expect(render({ ...SECTION, folded })).toMatch(
    /<p>M [^]*<\/p><details>\s*<summary>All &lt;3&gt;<\/summary>\s*<p>R [^]*<\/p>\s*<\/details>/,
  )
})
