import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Skill } from '../catalog/skill.ts'
import { mayHaveViews, writeFileViews } from './file-views.ts'

const SKILL = {
  slug: 'far-skill',
  source: { kind: 'own' },
  files: ['SKILL.md', 'references/a b/c.md', 'references/d.md', 'scripts/run.py'].map((path) => ({
    path,
    size: 9,
  })),
} as unknown as Skill

const view = (text: string, path = 'references/a b/c.md') =>
  writeFileViews(SKILL, [{ path, bytes: new TextEncoder().encode(text) }])[path]

test('a SKILL.md alone has no view, since its page is that', () => {
  expect(mayHaveViews({ files: [{ path: 'SKILL.md', size: 9 }] })).toBe(false)
  expect(mayHaveViews(SKILL)).toBe(true)
  expect(view('# A', 'SKILL.md')).toBeUndefined()
})

test('Markdown is rendered, its links led from its own folder', () => {
  const { html } = view('---\na: 1\n---\n# One\n\n[d](../d.md) [out](../../../x.md) [one](#one)')!
  expect(html).toContain('<code>a: 1\n</code>')
  expect(html).toContain('<h2 id="one">One</h2>')
  expect(html).toContain('<a href="/skills/far-skill/references/d.md">d</a> out <a href="#one">')
})

test('code is kept as the lengths of its colours', () => {
  expect(view('import os  # why\n', 'scripts/run.py')).toEqual({ runs: 'k6.5c5.1' })
  expect(view('nothing at all', 'notes.txt')).toBeUndefined()
})

test('what is too long, or no text, has no view', () => {
  expect(view('a'.repeat(64 * 1024 + 1))).toBeUndefined()
  expect(view('a\0b')).toBeUndefined()
})

test('the views of a skill have a bound together', () => {
  const files = Array.from({ length: 30 }, (_, at) => ({
    path: `references/${at}.md`,
    bytes: new TextEncoder().encode('word '.repeat(8_000)),
  }))
  const views = writeFileViews(SKILL, files)
  expect(JSON.stringify(views).length).toBeLessThan(600 * 1024)
  expect(Object.keys(views).length).toBeGreaterThan(1)
})

/** Tags and attributes that the printer of HTML makes; everything else of a stranger is text. */
const OURS =
  /<\/?(?:p|h[2-6]|ul|ol|li|a|code|pre|em|strong|del|blockquote|hr|br|table|thead|tbody|tr|th|td|div)(?: (?:id|href|title|rel|class|start|scope|tabindex|role|aria-label|data-language)="[^"<>]*")*>/g

const PIECES = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</div></section>',
  '[a](javascript:alert(1))',
  '[a](data:text/html,x)',
  '![a](//far.dev/x.png)',
  '[a]: javascript:b',
  '"><b onclick="x',
  '<style>',
  '# A',
  '\n\n',
  '```html\n<b>\n```',
  '| a |\n|-|\n| <b> |',
  '`<i>`',
  '&lt;b&gt;',
  '- [ ] x',
  '> ',
  '<!--',
  'a" onload="b',
]

test('no text of a stranger becomes markup of its own, or an address that runs', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((parts) => parts.join('\n')),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 80 }),
  )
  fc.assert(
    fc.property(text, (markdown) => {
      const html = view(markdown)?.html ?? ''
      expect(html.replace(OURS, '')).not.toMatch(/[<>]/)
      expect(html).not.toMatch(/href="\s*(?:javascript|data|vbscript):/i)
    }),
    { numRuns: 500 },
  )
})
