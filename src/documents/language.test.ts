import { expect, test } from 'vitest'
import { tellLanguage, withLanguage } from './language.ts'

test.each([
  ['CSV 파일을 정리합니다.', 'ko'],
  ['大韓民國 헌법을 설명하는 기술', 'ko'],
  ['CSVファイルをきれいにする。', 'ja'],
  ['データ', 'ja'],
  ['清理 CSV 文件', 'zh'],
  ['飞书即时通讯：收发消息和管理群聊。Use with `lark-cli im +messages-send`.', 'zh'],
  ['Cleans CSV files.', undefined],
  ['Translates English prose into Japanese, such as 日本 for Japan, and back again.', undefined],
  ['Чистит файлы', undefined],
  ['نظف الملفات', undefined],
  ['🙂 — 123', undefined],
  ['', undefined],
])('%s is %s', (text, language) => {
  expect(tellLanguage(text)).toBe(language)
})

test('HTML is marked where its text tells', () => {
  expect(withLanguage('<b>清理</b>', '清理')).toBe('<span lang="zh"><b>清理</b></span>')
  expect(withLanguage('Cleans', 'Cleans')).toBe('Cleans')
})
