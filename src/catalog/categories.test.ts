import { expect, test } from 'vitest'
import { categorySlug } from './categories.ts'

test.each([
  ['Data & Analytics', 'data-and-analytics'],
  ['Zażółć plany', 'zazolc-plany'],
  ['Seyahat planı', 'seyahat-plani'],
  ['Một số', 'mot-so'],
  ['Größe Œuvre', 'grosse-oeuvre'],
  ['🧭 Trips', 'trips'],
  ['決済', '6c7a6e08'],
])('the address of %s is %s', (name, slug) => {
  expect(categorySlug(name)).toBe(slug)
})
