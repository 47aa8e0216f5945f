import { expect, test } from 'vitest'
import { clause } from './clause.ts'
import { CONTRACT } from './contract.ts'
import { findBreaches } from './judge.ts'

test.each([
  ['hello', []],
  [/^hell/, []],
  [Buffer.from('hello'), []],
  ['hi', ['the body is "hello", but should be "hi"']],
  [/^hi/, ['the body is "hello", but should match /^hi/']],
  [Buffer.from([0, 1]), ['the body has 5 bytes, which differ from the required 2 bytes']],
])('the body "hello" is checked against %j', (body, breaches) => {
  const headers = new Headers({ 'x-content-type-options': 'nosniff' })
  const answer = { status: 200, headers, body: Buffer.from('hello') }
  expect(findBreaches(clause('GET /', '200', {}, body), answer)).toEqual(breaches)
})

test('each breach is one line', () => {
  const answer = { status: 404, headers: new Headers({ etag: 'a' }), body: Buffer.from('') }
  expect(findBreaches(clause('GET /', '200', { etag: null }), answer)).toEqual([
    'the status is 404, but should be 200',
    'etag is "a", but should be absent',
    'x-content-type-options is absent, but should be "nosniff"',
  ])
})

test('no clause repeats the header field that every answer must have', () => {
  expect(CONTRACT.filter(({ has }) => 'x-content-type-options' in has)).toEqual([])
})
