import { expect, test } from 'vitest'
import { bullets, inStrong, linked, paragraphs, phrase } from './phrases.ts'

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
