import { expect, test } from 'vitest'
import { fenced, tabled, titled } from './blocks.ts'
import { bullets, inStrong, linked, paragraphs, phrase, stacked, withCode } from './phrases.ts'
import { renderHtml } from './render.ts'

const flat = (html: string): string => html.replace(/\n/g, '')

test('the HTML of words and blocks is what a parser makes of their Markdown', () => {
  const words = phrase`See ${linked('csv', '/skills/csv')}, ${[inStrong('so*n'), phrase`!`]} \`a\` **b**`
  const all = stacked([
    paragraphs(words, withCode('Two `<b>`.')),
    titled('three', 'Three'),
    bullets([words, false, phrase`${'a & <b>'}`]),
    tabled(['A', 'B'], [[words, phrase`|`]]),
    fenced('echo "<b>"', 'sh'),
    fenced('plain'),
  ])
  expect(String(all.markdown)).toContain(
    'See [csv](/skills/csv), **so\\*n**! `a` **b**\n\nTwo `<b>`.',
  )
  expect(flat(all.html.html)).toBe(flat(renderHtml(all.markdown).html))
})
