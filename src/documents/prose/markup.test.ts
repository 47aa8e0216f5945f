import { expect, test } from 'vitest'
import { html, joinHtml } from './markup.ts'

const HOSTILE = `"'><script>&amp;`

test('text is escaped in content and in attributes', () => {
  expect(html`<a title="${HOSTILE}">${HOSTILE}</a>`.html).toBe(
    '<a title="&quot;&#39;&gt;&lt;script&gt;&amp;amp;">&quot;&#39;&gt;&lt;script&gt;&amp;amp;</a>',
  )
})

test('HTML is unchanged, alone and in lists, and undefined is empty', () => {
  const items = ['<', 2].map((value) => html`<i>${value}</i>`)
  expect(html`<b>${items}${undefined}</b>`.html).toBe('<b><i>&lt;</i><i>2</i></b>')
  expect(joinHtml(items).html).toBe('<i>&lt;</i><i>2</i>')
})
