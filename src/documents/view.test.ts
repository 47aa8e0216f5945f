import { expect, test } from 'vitest'
import { FRAME } from '../../testing/sample-site.ts'
import type { Document } from './document.ts'
import { viewDocument } from './view.ts'
import { Markdown } from './prose/md.ts'
import { inStrong, phrase } from './prose/phrases.ts'
import { renderHtml } from './prose/render.ts'

const VIEWED: Document = {
  kind: 'skill',
  path: '/skills/one',
  heading: '清理 CSV',
  lead: phrase`CSVファイルをきれいにする。`,
  description: 'CSVファイルをきれいにする。',
  updated: '2026-11-02',
  isUnindexed: false,
  sections: [
    {
      id: 'about',
      heading: 'About',
      ...phrase`CSV 파일`,
      entries: [{ title: 'Plain', path: '/skills/two', text: '清理文件', facts: [] }],
    },
    { id: 'more', heading: 'More', ...phrase`Words.` },
  ],
}

const view = (change: Partial<Document> = {}) => viewDocument({ ...VIEWED, ...change }, FRAME)

test.each([
  ['article', '/docs', 'Docs'],
  ['article', '/docs/clients', 'Docs'],
  ['article', '/about', 'About'],
  ['listing', '/authors/octo', 'Authors'],
] as const)('for %s at %s, the current entry of the navigation is %s', (kind, path, place) => {
  const { navigation, trail } = view({ kind, path })
  const current = Array.from(
    navigation.html.matchAll(/current="true">(\w+)/g),
    ([, label]) => label,
  )
  expect(current).toEqual([place])
  expect(trail.html.includes('<a href="/docs">')).toBe(path.startsWith('/docs/'))
})

test.each([
  ['CSV 파일을 정리합니다.', 'ko'],
  ['大韓民國 헌법을 설명하는 기술', 'ko'],
  ['CSVファイルをきれいにする。', 'ja'],
  ['データ', 'ja'],
  ['清理 CSV 文件', 'zh'],
  ['飞书即时通讯：收发消息和管理群聊。Use with `lark-cli im +messages-send`.', 'zh'],
  ['Cleans CSV files.', 'en'],
  ['Translates English prose into Japanese, such as 日本 for Japan, and back again.', 'en'],
  ['Чистит файлы', 'en'],
  ['نظف الملفات', 'en'],
  ['🙂 — 123', 'en'],
  ['', 'en'],
])('the language of %j is %s', (text, language) => {
  expect(view({ heading: text }).header.html).toContain(` lang="${language}">${text}</h1>`)
})

test.each([
  ['清理', '<span lang="zh"><strong>清理</strong></span>'],
  ['Cleans', '<strong>Cleans</strong>'],
])('HTML of %s is marked with its language if its script shows it', (text, html) => {
  const { header } = view({ lead: inStrong(text), description: text })
  expect(header.html).toContain(`<p class="lead" dir="auto">${html}</p>`)
})

test('a page marks the language of texts and rows if their script shows it', () => {
  const { body } = view()
  const texts = Array.from(
    body.html.matchAll(/<div class="text" lang="(\w+)">/g),
    ([, lang]) => lang,
  )
  expect(texts).toEqual(['ko', 'en'])
  expect(body.html).toContain('dir="auto">Plain</a>')
  expect(body.html).toContain('<span lang="zh">清理文件</span>')
})

const contentsOf = (headings: number): string => {
  const text = Array.from({ length: headings }, (_, at) => `## Part *${at}* <\n\nText.`)
  const markdown = new Markdown(text.join('\n\n'))
  const sections = [{ id: 'text', markdown, html: renderHtml(markdown) }]
  return view({ kind: 'article', sections }).contents.html
}

test('a text with at least three headings has a table of contents', () => {
  expect(contentsOf(2)).toBe('')
  expect(contentsOf(3)).toMatch(/<a href="#part-2-"[^>]*>Part 2 &lt;<\/a>/)
})
