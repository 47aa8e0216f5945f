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

const linkTo = (to: string) => ({ navigation: [{ label: 'x', to }] })

test.each([
  linkTo('/rules#first'),
  linkTo('https://wiki.example/a?b=c'),
  { logo: 'logo.svg', favicon: 'icon_32.png' },
  { origin: 'https://a.example/' },
])('site.json with %j is accepted', (fields) => {
  expect(findIn(fields)).toEqual([])
})

test.each<[object, string]>([
  [{ navigaton: [] }, 'navigaton: unknown field; did you mean "navigation"?'],
  [{ format: 2 }, 'format: this version reads format 1; to upgrade it, see "Upgrade" in docs/own'],
  [linkTo('javascript:alert(1)'), 'navigation.0.to: must be the path of a page'],
  [linkTo('//evil.example'), 'navigation.0.to: must be'],
  [
    { navigation: Array.from({ length: 7 }, () => ({ label: 'x', to: '/x' })) },
    'navigation: at most 6 links',
  ],
  [{ logo: '../../secret.svg' }, 'logo: must be the name of an SVG or PNG'],
  [{ footer: 'a\n\nb' }, 'footer: must be one line'],
  [{ theme: { acent: {} } }, 'theme.acent: unknown field; did you mean "accent"?'],
  [{ theme: { accent: '#7a1f5c' } }, 'theme.accent: must be a pair such as {"light": '],
  [{ origin: 'https://a.example/b' }, 'origin: must be an address without a path'],
])('site.json with %j is refused: %s', (fields, words) => {
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
