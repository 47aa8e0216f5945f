import { expect, test } from 'vitest'
import type { Section } from './document.ts'
import { phrase } from './prose/phrases.ts'
import { renderSections } from './sections.ts'

const SECTION: Section = { id: 'one', heading: 'One', ...phrase`H` }

test.each([
  [
    undefined,
    /^<section class="part" data-part="one">\s*<h2 id="one">One<\/h2><div class="text" lang="en">H</,
  ],
  ['label', /^H$/],
  ['brief', /^<section class="brief" data-part="one">\s*<h2[^>]*>One<\/h2><div class="text"/],
  ['bare', /^<section class="part" data-part="one">\s*<h2[^>]*>One<\/h2>H\s/],
] as const)('a section of the form %s', (form, printed) => {
  expect(renderSections([form ? { ...SECTION, form } : SECTION]).html).toMatch(printed)
})
