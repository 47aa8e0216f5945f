import { expect, test } from 'vitest'
import { chooseOrigin, readSettings } from './settings.ts'

test.each([
  ['r.example', /is not an http\(s\) address/],
  ['ftp://r.example', /is not an http\(s\) address/],
  [
    'https://r.example/?a',
    /must be an address without query, login or unusual characters, such as https:\/\/r\.example/,
  ],
  ['https://u:p@r.example', /must be an address without/],
  ['https://r.example/a"b', /must be an address without/],
  ['https://r.example//a', /must be an address without/],
])('SITE_URL=%s is refused', (value, message) => {
  expect(() => readSettings({ SITE_URL: value })).toThrow(message)
})

test('a path is only allowed with --static', () => {
  const settings = readSettings({ SITE_URL: 'https://acme.github.io/skills/' })
  expect(chooseOrigin({ ...settings, isStatic: true }, undefined)).toBe(
    'https://acme.github.io/skills',
  )
  expect(() => chooseOrigin(settings, undefined)).toThrow(
    /has a path, .* build with --static, or write SITE_URL=https:\/\/acme\.github\.io$/,
  )
})

test.each([
  [{}, 'https://s.example', 'https://s.example'],
  [{}, undefined, 'http://localhost:4321'],
  [{ PORT: '4500' }, undefined, 'http://localhost:4500'],
  [{ PORT: '4500' }, 'https://s.example', 'https://s.example'],
  [{ PORT: '4500', SITE_URL: 'https://r.example' }, undefined, 'https://r.example'],
  [{ SITE_URL: 'https://r.example/' }, 'https://s.example', 'https://r.example'],
  [{ SITE_URL: 'http://localhost:8080' }, undefined, 'http://localhost:8080'],
  [{ PORT: '0' }, undefined, 'http://localhost:4321'],
  [{ PORT: 'x' }, undefined, 'http://localhost:4321'],
])('%j and the origin %s of site.json -> %s', (environment, siteOrigin, origin) => {
  expect(chooseOrigin(readSettings(environment), siteOrigin)).toBe(origin)
})

test.each([
  ['0', '1970-01-01'],
  ['1795219199', '2026-11-20'],
  ['1795219200', '2026-11-21'],
])('SOURCE_DATE_EPOCH=%s -> %s', (value, today) => {
  expect(readSettings({ SOURCE_DATE_EPOCH: value }).today).toBe(today)
})

test.each(['today', '-1', '1.5', '253402300800'])('SOURCE_DATE_EPOCH=%s is refused', (value) => {
  expect(() => readSettings({ SOURCE_DATE_EPOCH: value })).toThrow(
    /must be whole seconds since 1970/,
  )
})
