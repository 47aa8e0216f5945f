import { describe, expect, test } from 'vitest'
import { compileTemplate, fillTemplate, markersOf } from './template.ts'

const SHAPE = { name: 'text', body: 'html', rows: { cell: 'text' } } as const
const view = markersOf(SHAPE)
const layout = (page: typeof view): string =>
  [
    `<h1 title="${page.name}">${page.name}</h1>`,
    page.body.html,
    '<ul>',
    ...page.rows.map(({ cell }) => `<li>${cell}</li>`),
    '</ul>',
  ].join('')

describe('a layout rendered with markers', () => {
  test('is filled with values escaped for the place they land in', () => {
    const page = fillTemplate(compileTemplate(layout(view)), {
      name: `<a & "b" 'c'>`,
      body: { html: '<p>x</p>' },
      rows: [{ cell: '1' }, { cell: '<2>' }],
    })
    expect(page).toBe(
      `<h1 title="<a &amp; &quot;b&quot; 'c'>">&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;</h1><p>x</p><ul><li>1</li><li>&lt;2&gt;</li></ul>`,
    )
  })

  test('prints nothing for an empty list', () => {
    const page = fillTemplate(compileTemplate(layout(view)), {
      name: '',
      body: { html: '' },
      rows: [],
    })
    expect(page).toBe('<h1 title=""></h1><ul></ul>')
  })

  test('never reads a marker that a value holds', () => {
    const page = fillTemplate(compileTemplate(layout(view)), {
      name: view.name,
      body: { html: '' },
      rows: [],
    })
    expect(page).toContain(view.name)
  })

  test('refuses a view that lacks a value, by name', () => {
    expect(() => fillTemplate(compileTemplate(layout(view)), { name: 'a', rows: [] })).toThrow(
      /^the view has no body$/,
    )
  })

  test('refuses a list that never closes', () => {
    const open = layout(view).replace(/\uE000\/rows\uE001/, '')
    expect(() => compileTemplate(open)).toThrow('list rows never closes')
  })
})
