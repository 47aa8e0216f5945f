import { expect, test } from 'vitest'
import { listProblems } from './problems.ts'
import { siteRecord, skillRecord } from './schema.ts'
import { UPSTREAM_RECORD } from './testing/content.ts'

const NEEDED = { name: 'Acme', tagline: 'Skills.', description: 'Ours.' }

const findIn = (fields: object): string[] => {
  const input = { ...NEEDED, ...fields }
  const { error } = siteRecord.safeParse(input)
  const problems = error ? listProblems('site.json', input, error, siteRecord) : []
  return problems.map(({ field, remedy }) => `${field}: ${remedy}`)
}

test.each([
  ['a link to a page of the site', { navigation: [{ label: 'Rules', to: '/rules#first' }] }],
  ['an address', { navigation: [{ label: 'Wiki', to: 'https://wiki.example/a?b=c' }] }],
  ['pictures', { logo: 'logo.svg', favicon: 'icon_32.png' }],
  ['an origin that ends in a slash', { origin: 'https://a.example/' }],
])('site.json with %s is accepted', (_, fields) => {
  expect(findIn(fields)).toEqual([])
})

test.each([
  ['an unknown field', { navigaton: [] }, 'navigaton: unknown field; did you mean "navigation"?'],
  [
    'a newer format',
    { format: 2 },
    'format: this version reads format 1; to upgrade it, see "Upgrade" in docs/own',
  ],
  [
    'a script as a link',
    { navigation: [{ label: 'x', to: 'javascript:alert(1)' }] },
    'navigation.0.to: must be the path of a page',
  ],
  [
    'a link to another host',
    { navigation: [{ label: 'x', to: '//evil.example' }] },
    'navigation.0.to: must be',
  ],
  [
    'seven links',
    { navigation: Array.from({ length: 7 }, () => ({ label: 'x', to: '/x' })) },
    'navigation: at most 6 links',
  ],
  [
    'a logo in another folder',
    { logo: '../../secret.svg' },
    'logo: must be the name of an SVG or PNG',
  ],
  ['a footer of two lines', { footer: 'a\n\nb' }, 'footer: must be one line'],
  [
    'a theme with an unknown field',
    { theme: { acent: {} } },
    'theme.acent: unknown field; did you mean "accent"?',
  ],
  [
    'a single colour instead of a pair',
    { theme: { accent: '#7a1f5c' } },
    'theme.accent: must be a pair such as {"light": ',
  ],
  [
    'a path in its origin',
    { origin: 'https://a.example/b' },
    'origin: must be an address without a path',
  ],
])('site.json with %s is refused', (_, fields, words) => {
  expect(findIn(fields).join('\n')).toContain(words)
})

const parseSource = (url: string) =>
  skillRecord.safeParse({ ...UPSTREAM_RECORD, source: { ...UPSTREAM_RECORD.source, url } })

test('a source with characters that a shell would run -> percent-encoded', () => {
  const { data } = parseSource(
    "https://git.example/ann/r&calc;id/tree/main/it's $(x)".replace(' ', '%20'),
  )
  expect(data?.source).toMatchObject({
    url: 'https://git.example/ann/r%26calc%3Bid/tree/main/it%27s%20%24%28x%29',
  })
})

test.each(['https://a&calc.example/r', "https://a'b.example/r", 'https://a$(id).example/r'])(
  'a source at the host of %s -> refused',
  (url) => {
    expect(parseSource(url).error?.issues[0]?.message).toMatch(/^must be an http or https address/)
  },
)
