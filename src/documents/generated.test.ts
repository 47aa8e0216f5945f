import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PARTS } from '../catalog/parts.ts'
import { siteRecord } from '../catalog/schema.ts'
import { COLOURS } from '../catalog/theme.ts'

const readPage = (name: string): string =>
  readFileSync(new URL(`../../content/pages/${name}.md`, import.meta.url), 'utf8')

const PAGE = readPage('docs-own')

test('the page about site.json describes every field and every colour', () => {
  for (const [name, schema] of Object.entries(siteRecord.shape)) {
    const { description = 'none', fallback } = schema.meta() ?? {}
    const isNeeded = !schema.safeParse(undefined).success
    expect(PAGE).toContain(`- \`${name}\`${isNeeded ? ', required' : ''}: ${description}`)
    expect([name, fallback === undefined]).toEqual([name, isNeeded])
  }
  for (const name of Object.keys(COLOURS)) expect(PAGE).toContain(`| \`${name}\` |`)
})

test('the example on the page is a valid site.json with every field', () => {
  const [, json = ''] = /```json\n([^]*?)```/.exec(PAGE) ?? []
  const example = siteRecord.parse(JSON.parse(json))
  expect(Object.keys(example)).toEqual(Object.keys(siteRecord.shape))
})

test('the page for authors has every part of a skill page', () => {
  const page = readPage('docs-authors')
  for (const { name, kind, heading } of PARTS)
    expect(page).toContain(`\n- \`${name}\`, a ${kind}: ${heading}.\n`)
})
