import { expect, test } from 'vitest'
import { inCode, inStrong, linked, bullets, paragraphs, phrase } from './phrases.ts'

const HOSTILE = '<b>*x*</b> `y` "z"'

test.each([
  ['text', phrase`No ${HOSTILE}.`, '<b>*x*</b> `y` "z"', 'No \\<b\\>\\*x\\*\\</b\\> \\`y\\` "z".'],
  ['code', inCode(HOSTILE), '<code>', '``<b>*x*</b> `y` "z"``'],
] as const)('untrusted %s is escaped and shown unchanged', (_, { html, markdown }, shown, twin) => {
  expect(html.html).not.toContain('<b>')
  expect(
    html.html
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"'),
  ).toContain(shown)
  expect(String(markdown)).toBe(twin)
})

test('sentences, links and lists are the same in HTML and Markdown', () => {
  const skill = phrase`See ${linked('csv', '/skills/csv')}, ${[inStrong('soon'), phrase`!`]}`
  expect(paragraphs(skill, phrase`Two.`)).toMatchObject({
    html: {
      html: '<p>See <a href="/skills/csv">csv</a>, <strong>soon</strong>!</p><p>Two.</p>',
    },
  })
  expect(String(paragraphs(skill, phrase`Two.`).markdown)).toBe(
    'See [csv](/skills/csv), **soon**!\n\nTwo.',
  )
  expect(bullets([skill]).html.html).toMatch(/^<ul>\s*<li>See .*!<\/li>\s*<\/ul>$/)
  expect(String(bullets([phrase`a`, phrase`b`]).markdown)).toBe('- a\n- b')
})
