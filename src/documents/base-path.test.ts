import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileText } from '../../testing/hostile-text.ts'
import { addBasePath } from './base-path.ts'
import { basePath } from './paths.ts'
import { html } from './prose/markup.ts'
import { codeFence, codeSpan, link, md } from './prose/md.ts'

test.each([
  ['https://acme.example', ''],
  ['https://acme.example/', ''],
  ['https://acme.github.io/skills', '/skills'],
  ['https://acme.gitlab.io/a/skills/', '/a/skills'],
])('the base path of %s is %j', (origin, path) => expect(basePath(origin)).toBe(path))

test.each([
  ['a.html', '<a href="/">', '<a href="/kit/">'],
  ['a.html', '<link\n  href="/feed.atom"/>', '<link\n  href="/kit/feed.atom"/>'],
  [
    'a.html',
    '<form action="/skills"><img src="/a.png">',
    '<form action="/kit/skills"><img src="/kit/a.png">',
  ],
  [
    'a.html',
    '<meta http-equiv="refresh" content="0; url=/a">',
    '<meta http-equiv="refresh" content="0; url=/kit/a">',
  ],
  ['a.md', '[a](/b) ![c](</d(1)>)', '[a](/kit/b) ![c](</kit/d(1)>)'],
  ['a.md', '[`/b`](/b)', '[`/b`](/kit/b)'],
  ['a.md', '[a]: /b\n[c]: </d>', '[a]: /kit/b\n[c]: </kit/d>'],
  ['a.md', '\\` [a](/b) `', '\\` [a](/kit/b) `'],
  ['index.json', '{"url": "/api/1"}', '{"url": "/kit/api/1"}'],
  ['a.css', 'src:url(/_astro/a.woff2)', 'src:url(/kit/_astro/a.woff2)'],
  ['a.js', 'const a=`/_astro/a.css`', 'const a=`/kit/_astro/a.css`'],
])('%s: %s', (name, text, below) => {
  expect(addBasePath('/kit', name, text)).toBe(below)
  expect(addBasePath('', name, text)).toBe(text)
})

test.each([
  ['a.html', '<a href="//cdn.example/a"><a href="https://b.example/"><a href="#c">'],
  ['a.md', '[a](//b) [c](https://d.example) [e](#f) `[g](/h)` \\[i\\](/j)'],
  ['a.md', '```md\n[a](/b)\n[c]: /d\n```'],
  ['index.json', String.raw`{"description":"\"url\": \"/a"}`],
  ['logo.svg', '<image href="/a"/>'],
])('%s is unchanged: %s', (name, text) => expect(addBasePath('/kit', name, text)).toBe(text))

const pieces = [' href="/x"', '"url":"/x"', '[a]: /x', '[a](/x)', '`', '0; url=/x']

test('untrusted text never changes in HTML, Markdown and JSON, and the link after it gets the base path', () => {
  fc.assert(
    fc.property(hostileText(12, pieces), (text) => {
      const page = html`<p title="${text}">${text}</p>`.html
      expect(addBasePath('/kit', 'a.html', page)).toBe(page)
      for (const words of [md`${text}`, codeSpan(text), codeFence(text, 'md')])
        expect(addBasePath('/kit', 'a.md', String(words))).toBe(String(words))
      const json = JSON.stringify({ description: text })
      expect(addBasePath('/kit', 'a.json', json)).toBe(json)
      const linked = md`${text} ${codeSpan(text)} ${link(text, '/ours')}\n\n${codeFence(text)}`
      expect(addBasePath('/kit', 'a.md', String(linked)).split('](/kit/ours)')).toHaveLength(2)
    }),
  )
})
