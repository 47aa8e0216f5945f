import { expect, test } from 'vitest'
import { POLICIES, describeFile } from './policies.ts'

test.for([
  ['sitemap.xml', 'application/xml; charset=utf-8'],
  ['FONT.WOFF2', 'font/woff2'],
  ['catalog.ndjson', 'application/x-ndjson'],
  ['feed.atom', 'application/atom+xml; charset=utf-8'],
  ['skills/a.b.json', 'application/json'],
  ['constructor', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
] as [string, string][])('%s -> %s', ([name, type]) => {
  expect(describeFile(name)['Content-Type']).toBe(type)
})

test('all header fields of a page', () => {
  const { 'Content-Security-Policy': content, ...others } = POLICIES.html.headers
  expect(content?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
  ])
  expect(others).toEqual({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=0, must-revalidate',
    Vary: 'Accept, Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  })
})
