import { HtmlValidate } from 'html-validate'
import type { ConfigData } from 'html-validate'
import { describe, expect, inject, test } from 'vitest'

const site = inject('site')

const CONFIG: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // No file comes from another origin.
    'require-sri': ['error', { target: 'crossorigin' }],
    // The authors' code can have trailing white space.
    'no-trailing-whitespace': 'off',
    // Our code formatter writes `<input />`.
    'void-style': 'off',
    // There can be several categories, each in a field named `cat`.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
  },
}

const validator = new HtmlValidate(CONFIG)

const findMessages = async (path: string): Promise<string[]> => {
  const response = await fetch(site.origin + path, { headers: { accept: 'text/html' } })
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  const { results } = await validator.validateString(await response.text(), path)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, selector }) =>
      [ruleId, message, `line ${line}`, selector].join(' | '),
    ),
  )
}

const listPages = async (): Promise<string[]> => {
  const text = await (await fetch(`${site.origin}/sitemap.xml`)).text()
  return Array.from(text.matchAll(/<loc>[^<]*?:\d+(.*?)<\/loc>/g), ([, path]) => path || '/')
}

test('no page of ours links to this machine, or to a path of an installed package', async () => {
  const own = (await listPages()).filter((path) => !path.startsWith('/skills/'))
  const found = own.map(async (path) => {
    const text = (await (await fetch(site.origin + path)).text()).replaceAll(site.origin, '')
    return Array.from(
      text.matchAll(/href="[^"]*(?:localhost|127\.0\.0\.1)[^"]*|node_modules\/[^<\s]*/g),
      ([link]) => `${path}: ${link}`,
    )
  })
  expect((await Promise.all(found)).flat()).toEqual([])
})

describe('html-validate reports nothing for', () => {
  test.each([
    '/nope',
    '/skills/cvs-clean',
    '/skills?q=csv',
    '/files/csv-clean/SKILL.md/view',
    '/files/ab-test-readout/references/readout-template.md/view',
    '/files/csv-clean/scripts/profile_csv.py/view',
    '/files/csv-clean/nothing.md/view',
    '/skills?q=zzzzqqqq',
    '/skills?sort=best',
    '/skills?cat=Coding&cat=Design&page=2',
  ])('%s', async (path) => {
    expect(await findMessages(path)).toEqual([])
  })

  test('the pages of the sitemap', async () => {
    const paths = await listPages()
    expect(paths.length).toBeGreaterThan(45)
    const messages = await Promise.all(
      paths.map(async (path) => (await findMessages(path)).map((message) => `${path} ${message}`)),
    )
    expect(messages.flat()).toEqual([])
  })
})
