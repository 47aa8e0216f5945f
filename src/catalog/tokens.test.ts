import { expect, test } from 'vitest'
import { estimateTokens } from './tokens.ts'

// Exact counts from the o200k encoder of gpt-tokenizer.
test.each<[string, number]>([
  ['', 0],
  ['Read the file and list what is missing.', 9],
  ['getElementById(document, "title-of-page")', 11],
  ['npm install --save-dev typescript@5.9.2\n\n\n', 14],
  ['打开表格文件，查找空单元格和重复的行，并列出需要修改的地方。', 23],
  ['このスキルは、問い合わせのメールに返事を書くときに使います。', 19],
  ['스프레드시트를 열어 빈 칸과 같은 줄을 찾고, 고쳐야 할 곳을 목록으로 만듭니다.', 30],
  ['Откройте таблицу и найдите пустые ячейки.', 15],
])('%j -> about %i tokens', (text, counted) => {
  expect(Math.abs(estimateTokens(text) - counted)).toBeLessThanOrEqual(1 + counted * 0.3)
})
