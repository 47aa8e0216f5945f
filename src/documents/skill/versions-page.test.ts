import { expect, test } from 'vitest'
import { compareAddress } from './versions-page.ts'

const [OLD, NOW] = ['a'.repeat(40), 'b'.repeat(40)]
const onHost = (host: string, ref: string): string => `https://${host}/tree/${ref}/skills/csv`

test.each([
  ['github.com/ann/skills', 'https://github.com/ann/skills/compare/aaaaaaaaaaaa...bbbbbbbbbbbb'],
  ['git.example/x/y/-', 'https://git.example/x/y/-/compare/aaaaaaaaaaaa...bbbbbbbbbbbb'],
])('two commits at %s are compared at %s', (host, address) => {
  expect(compareAddress(onHost(host, OLD), onHost(host, NOW))).toBe(address)
})

test.each([
  ['a branch', onHost('github.com/ann/skills', 'main')],
  ['another repository', onHost('github.com/bob/skills', OLD)],
  ['the same commit', onHost('github.com/ann/skills', NOW)],
  ['no address', undefined],
])('%s is not compared', (_, before) => {
  expect(compareAddress(before, onHost('github.com/ann/skills', NOW))).toBe(undefined)
})
