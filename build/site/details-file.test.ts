import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendDetails, openDetails } from './details-file.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skill-registry-details-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('texts are read where they were written, few or all, and older places stay true', () => {
  const path = join(folder, 'some')
  const texts = Array.from({ length: 12_000 }, (_, at) => `${at} ${'é飞😀'.repeat(at % 3)}`)
  const first = appendDetails(path, texts)
  const more = appendDetails(path, ['one', '', 'three'])
  const file = openDetails(path)
  expect(file.read(first[11_999]!)).toBe(texts[11_999])
  expect(more.map(file.read)).toEqual(['one', '', 'three'])
  expect(first.map(file.read)).toEqual(texts)
})
