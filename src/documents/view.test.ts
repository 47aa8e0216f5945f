import { expect, test } from 'vitest'
import type { Document } from './document.ts'
import type { Html } from './html.ts'
import { viewDocument } from './view.ts'
import { renderTwin } from './markdown.ts'
import { paragraph, strong } from './tree.ts'

const VIEWED: Document = {
  kind: 'skill',
  path: '/skills/one',
  heading: '清理 CSV',
  lead: ['CSVファイルをきれいにする。'],
  description: 'CSVファイルをきれいにする。',
  updated: '2026-11-02',
  isIndexable: true,
  facts: [{ label: 'Updated', value: '2026-11-02' }],
  sections: [
    {
      id: 'about',
      heading: 'About',
      markdown: 'CSV 파일',
      blocks: [paragraph('CSV 파일, ', '2026-01-31')],
      entries: [{ title: 'Plain', path: '/skills/two', text: '清理文件', facts: [] }],
    },
    { id: 'more', heading: 'More', markdown: 'Words.', blocks: [paragraph('Words.')] },
  ],
}

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
])('%s is %s', (text, language) => {
  expect(viewDocument({ ...VIEWED, heading: text }, 'https://r.example', 'R').language).toBe(
    language,
  )
})

test.each([
  ['清理', '<span lang="zh"><strong>清理</strong></span>'],
  ['Cleans', '<strong>Cleans</strong>'],
])('HTML of %s is marked where its text tells', (text, html) => {
  const document = { ...VIEWED, lead: [strong(text)], description: text }
  expect(viewDocument(document, 'https://r.example', 'R').lead.html).toBe(html)
})

test('a page marks the names, summaries and texts whose letters tell a language', () => {
  const view = viewDocument(VIEWED, 'https://r.example', 'R')
  expect(view.language).toBe('zh')
  expect(view.lead.html).toBe('<span lang="ja">CSVファイルをきれいにする。</span>')
  expect(view.sections.map(({ language }) => language)).toEqual(['ko', 'en'])
  const [about] = view.sections as unknown as { lists: { entries: Record<string, Html>[] }[] }[]
  expect(about?.lists[0]?.entries[0]).toMatchObject({
    title: { html: 'Plain' },
    text: { html: '<span lang="zh">清理文件</span>' },
  })
})

test('a day is YYYY-MM-DD in HTML as in Markdown', () => {
  const view = viewDocument(VIEWED, 'https://r.example', 'R')
  expect(view.facts).toEqual([{ label: 'Updated', value: { html: '2026-11-02' } }])
  const [about] = view.sections as unknown as { body: Html }[]
  expect(about?.body.html).toContain('CSV 파일, 2026-01-31')
  expect(renderTwin(VIEWED)).toContain('- Updated: 2026-11-02\n')
})
