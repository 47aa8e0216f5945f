import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  writeFileDocument,
  PAGED_BYTES,
  createFileAddress,
  readPagedText,
} from '../on-request/file.ts'
import type { FileFinding } from '../on-request/file.ts'
import { hostileText } from '../../../testing/hostile-text.ts'
import { renderTwin } from './markdown.ts'
import { splitLines } from '../../catalog/lines.ts'
import { findHidden, renderSource } from './source.ts'
import { viewDocument } from '../view.ts'
import { FRAME } from '../../../testing/sample-site.ts'

const UNESCAPED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
}

/** Reads the text of a code block as browsers do, which turn a bare carriage return into a line feed. */
const readCode = (html: string): string =>
  /^<pre tabindex="0"><code>([^]*)<\/code><\/pre>$/
    .exec(html)![1]!
    .replace(/<(?:span id="L\d+"|bdi data-sign="[^"<>]*"|\/span|\/bdi)>/g, '')
    .replace(/<a [^<>]*><\/a>/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/&[#\w]+;/g, (entity) => UNESCAPED[entity]!)

const readFence = (twin: string): string => {
  const [, , text = ''] = /\n\n(`{3,})\w*\n([^]*)\1\n$/.exec(twin)!
  return text
}

const documentOf = (
  text: string,
  findings: FileFinding[] = [],
  path = 'a/b.txt',
  paged: string[] = [path],
) => writeFileDocument({ slug: 'words', path, text, size: text.length, findings, paged })

const FOUND: FileFinding = {
  line: 2,
  rule: 'pipe-to-shell',
  label: 'High',
  isSevere: true,
  says: 'runs <b> what it downloads',
}

const TEXTS = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }).filter((text) => !text.includes('\0')),
  hostileText(30).filter((text) => !text.includes('\0')),
)

const endLines = (text: string): string =>
  /^(?:[^\r\n]|\r\n)*$/.test(text) ? text.replaceAll('\r\n', '\n') : text

test('HTML and Markdown contain any text unchanged, except that a text in CRLF becomes LF', () => {
  fc.assert(
    fc.property(TEXTS, fc.boolean(), (text, hasFindings) => {
      const document = documentOf(text, hasFindings ? [FOUND] : [])
      const wanted = endLines(text)
      expect(readCode(renderSource(document.sections.at(-1)!.source!).html)).toBe(wanted)
      const fenced = readFence(renderTwin(document))
      expect(fenced).toBe(wanted === '' || wanted.endsWith('\n') ? wanted : `${wanted}\n`)
    }),
    { numRuns: 2_000 },
  )
})

describe('hidden characters are named', () => {
  test.each([
    ['a\u200Bb', '[U+200B]'],
    ['\u202Egnp.exe', '[U+202E]'],
    ['\u202C\u2069', '[U+202C][U+2069]'],
    ['\u{E0068}\u{E0069}', '[invisible: hi]'],
    ['\u200B\u{E003C}\u{E0062}', '[U+200B][invisible: &lt;b]'],
    ['a\rb', '[U+000D]'],
    ['a\u2028b', '[U+2028]'],
    ['\u200B\u200E'.repeat(9), `${'[U+200B][U+200E]'.repeat(4)}[and 10 more]`],
  ])('%j', (text, name) => {
    const { html } = renderSource({ text, findings: [] })
    expect(html).toContain(`<bdi data-sign="${name}">`)
  })

  test.each(['tab\there', 'a\r\nb\n', '👩‍👩‍👧 👍🏽 ❤️', 'שלום', 'می‌خواهم', 'a b'])(
    '%j has no hidden characters',
    (text) => {
      expect(renderSource({ text, findings: [] }).html).not.toContain('<bdi')
      expect(findHidden(splitLines(text)).count).toBe(0)
    },
  )

  test('each line end starts a line, as the scan counts them', () => {
    const { html } = renderSource({ text: '# tidy\rimport os\u2028x()\n', findings: [] })
    expect(html.match(/<span id="L\d">/g)).toHaveLength(3)
    expect(html).toContain('<span id="L2">import os<bdi data-sign="[U+2028]">')
  })

  test('hidden characters are counted, and their lines listed', () => {
    expect(findHidden(splitLines('a\n\u200B\u200B\n\nb\u202E'))).toEqual({
      count: 3,
      lines: [2, 4],
    })
  })
})

test('a page links to the other files of its skill, unless it is the only one', () => {
  const document = documentOf('a\n', [], 'a/b.txt', ['SKILL.md', 'a/b.txt'])
  const { html } = viewDocument(document, FRAME).contents
  expect(html).toMatch(/href="\/files\/words\/SKILL\.md\/view"[^]*>SKILL\.md</)
  expect(html).toMatch(/href="\/files\/words\/a\/b\.txt\/view"[^>]*aria-current="page"/)
  expect(renderTwin(document)).toContain('Files: [SKILL.md](/files/words/SKILL.md/view), [a/b.txt]')
  expect(viewDocument(documentOf('a\n'), FRAME).contents.html).toBe('')
})

test('a page has facts, findings beside their lines, and a link to the skill', () => {
  const { below, lead, sections } = documentOf('one\r\ntwo\r\nthree', [
    FOUND,
    { ...FOUND, line: 0, label: 'Note', isSevere: false, rule: 'binary' },
    { ...FOUND, line: 99 },
  ])
  expect(String(below?.markdown)).toBe(
    '15 bytes · 3 lines, CRLF, no final line break · [3 findings, 2 to review](/files/words/a/b.txt/view#findings) · [Raw file](/skills/words/a/b.txt)',
  )
  expect(below?.html.html).toContain('<span class="warn">3 findings, 2 to review</span>')
  expect(String(lead.markdown)).toContain('/skills/words')
  expect(String(sections[0]!.markdown)).toContain('[line 2](/files/words/a/b.txt/view#L2)')
  expect(renderSource(sections[1]!.source!).html).toContain(
    '<span id="L2"><a class="warn" href="/docs/safety#pipe-to-shell" aria-label="High: pipe-to-shell"></a>two\n</span>',
  )
})

const bytes = (...parts: number[]) => new Uint8Array(parts)

test.each<[string, Uint8Array, string | undefined]>([
  ['empty', bytes(), ''],
  ['with a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x61), '\uFEFFa'],
  ['with a NUL', bytes(0x61, 0), undefined],
  ['not UTF-8', bytes(0xff, 0x61), undefined],
  ['UTF-16', bytes(0xff, 0xfe, 0x61, 0), undefined],
  ['of the maximal length', new Uint8Array(PAGED_BYTES).fill(97), 'a'.repeat(PAGED_BYTES)],
  ['too long', new Uint8Array(PAGED_BYTES + 1).fill(97), undefined],
])('the text of a file page: %s', (_, content, text) => {
  expect(readPagedText(content)).toBe(text)
})

test('files without a page link to the raw file', () => {
  const addressOf = createFileAddress('words', [
    { path: 'a b/C.md', bytes: bytes(0x61) },
    { path: 'x.png', bytes: bytes(0) },
  ])
  expect([addressOf('a b/C.md', 3), addressOf('a b/C.md'), addressOf('x.png', 3)]).toEqual([
    '/files/words/a%20b/C.md/view#L3',
    '/files/words/a%20b/C.md/view',
    '/skills/words/x.png',
  ])
})
