import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileText } from '../../../testing/hostile-text.ts'
import { MARKDOWN_JUDGES } from '../../../testing/markdown-judges.ts'
import { codeFence, codeSpan, joinBlocks, link, list, md, table } from './md.ts'

test.each([
  ['plain words', md`a ${'b-c, d_e 2 < 3 ~5'} f`, 'a b-c, d_e 2 \\< 3 ~5 f'],
  [
    'marks',
    md`${'*a* _b_ `c` ~~d~~ [e](f) <g> h|i \\ &amp;'}`,
    '\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ \\[e\\]\\(f) \\<g\\> h\\|i \\\\ \\&amp;',
  ],
  [
    'characters that start a block',
    md`${'# a'}\n${'1. b'}\n${'- c'}\n${'=== d'}`,
    '\\# a\n1\\. b\n\\- c\n\\=== d',
  ],
  ['an exclamation mark before a link', md`${'a!'}${link('b', '/c')}`, 'a\\![b](/c)'],
  ['a closing number sign', md`## ${'C #'}`, '## C \\#'],
  ['code beside code', md`${codeSpan('a')}${codeSpan('b')}`, '`a` `b`'],
  ['an address at the end', md`see ${'https://a.b/c_d'}.`, 'see https://a.b/c_d.'],
  ['an address with code behind it', md`${'www.a.b'}${codeSpan('<b>')}`, 'www\\.a.b`<b>`'],
  [
    'addresses that not all parsers link',
    md`${'ftp://a.b xmpp:a@b.c'}`,
    'ftp:\\//a.b xmpp:a\\@b.c',
  ],
  ['Markdown in Markdown', md`**${md`a ${'*'}`}** ${[md`b`, md`, c`]} ${4}`, '**a \\*** b, c 4'],
])('strings are escaped and Markdown is not: %s', (_, markdown, expected) => {
  expect(String(markdown)).toBe(expected)
})

test.each([
  ['code with backticks', codeSpan('`a` ``b'), '``` `a` ``b ```'],
  ['a block of code with a fence', codeFence('```\na\n', 'sh x'), '````sh\n```\na\n````'],
  ['a link with parentheses', link('a [b]', 'https://c.d/(e)'), '[a \\[b\\]](<https://c.d/(e)>)'],
  ['a link around code', link(codeSpan('a'), '/b'), '[`a`](/b)'],
  [
    'a table',
    table(['a|b', 'c'], [[codeSpan('d|e'), 'f\ng']], [undefined, 'right']),
    '| a\\|b | c |\n| --- | --: |\n| `d\\|e` | f g |',
  ],
  ['a list', list(['- a', md`b\n\n${codeFence('c')}`]), '- \\- a\n- b\n\n  ```\n  c\n  ```'],
  ['blocks', joinBlocks([md`a`, md``, md`b`]), 'a\n\nb'],
])('helpers make Markdown: %s', (_, markdown, expected) => {
  expect(String(markdown)).toBe(expected)
})

const values = hostileText(12).map((text) => text.toWellFormed())

const addresses = fc.oneof(
  values,
  values.map((value) => `https://e.example/${value}`),
  values.map((value) => `/skills/${value}`),
)

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200)
const LONG = { timeout: 3_600_000 }

test('any values are plain text, as every judge reads them', LONG, () => {
  fc.assert(
    fc.property(values, values, addresses, (one, other, address) => {
      const cells = table([one, 'b'], [[md`${other}${codeSpan(one)}`, link(one, address)]])
      const text = md`## ${one}

${one}${other} ${link(other, address)} **${one}**
${other}

> ${one}

${list([one, other, md`${link(one, address)}${one}${codeSpan(other)}`])}

${codeFence(one + other, one)}

${cells}

## after`
      const isOwn = /^(?:https:|\/skills\/)/.test(address)
      for (const { read } of MARKDOWN_JUDGES) {
        const found = read(String(text))
        const strange = found.links.filter(
          ({ url }) => !/^(?:https?:|mailto:|\/skills\/)/.test(url) && (isOwn || url !== address),
        )
        expect([...found.others, ...strange]).toEqual([])
        expect(found.headings).toEqual([2, 2])
      }
    }),
    { numRuns: RUNS },
  )
})
