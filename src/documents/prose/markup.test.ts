import { expect, test } from 'vitest'
import { html, joinHtml } from './markup.ts'

const HOSTILE = `"'><script>&amp;`

test('a text is escaped, in words and in attributes', () => {
  expect(html`<a title="${HOSTILE}">${HOSTILE}</a>`.html).toBe(
    '<a title="&quot;&#39;&gt;&lt;script&gt;&amp;amp;">&quot;&#39;&gt;&lt;script&gt;&amp;amp;</a>',
  )
})

test('HTML stays as it is, alone and in lists; undefined is nothing', () => {
  const items = ['<', 2].map((value) => html`<i>${value}</i>`)
  expect(html`<b>${items}${undefined}</b>`.html).toBe('<b><i>&lt;</i><i>2</i></b>')
  expect(joinHtml(items).html).toBe('<i>&lt;</i><i>2</i>')
})
