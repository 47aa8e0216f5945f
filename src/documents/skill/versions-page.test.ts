import { expect, test } from 'vitest'
import { compareAddress } from './versions-page.ts'

const [OLD, NOW] = ['a'.repeat(40), 'b'.repeat(40)]
const onHost = (host: string, ref: string): string => `https://${host}/tree/${ref}/skills/csv`

test.each([
  ['github.com/ann/skills', 'https://github.com/ann/skills/compare/aaaaaaaaaaaa...bbbbbbbbbbbb'],
  ['git.example/x/y/-', 'https://git.example/x/y/-/compare/aaaaaaaaaaaa...bbbbbbbbbbbb'],
])('two commits at %s are compared at %s, but not with a branch', (host, address) => {
  expect(compareAddress(onHost(host, OLD), onHost(host, NOW))).toBe(address)
  for (const before of [onHost(host, 'main'), onHost('a.dev/b', OLD), onHost(host, NOW), undefined])
    expect(compareAddress(before, onHost(host, NOW)), before).toBe(undefined)
})
