import { expect, test } from 'vitest'
import { createStore, rawTypeOf } from './store.ts'

test.for([
  ['nothing', [], true],
  ['ASCII', [0x61, 0x0a], true],
  ['UTF-8 that ends in the middle of a character', [0x61, 0xc3], true],
  ['NUL among letters', [0x61, 0x00, 0x62], false],
  ['a byte that is not UTF-8', [0x61, 0xff, 0x62], false],
] as [string, number[], boolean][])('%s: %j is text: %s', async ([, bytes, isSo]) => {
  const file = await createStore(() => new Uint8Array(bytes)).read('file')
  const type = isSo ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  expect(file && (await rawTypeOf('file', file))).toBe(type)
})
