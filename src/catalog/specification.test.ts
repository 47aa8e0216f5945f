import { expect, test } from 'vitest'
import { loadCatalog } from './load.ts'
import { checkSpecification } from './specification.ts'
import { OWN_RECORD, SMALL_CONTENT, UPSTREAM_RECORD } from './testing/content.ts'
import { makeSampleFolder } from '../../testing/sample-folders.ts'

const GOOD = { name: 'sort', description: 'Sorts words.' }

test.each<[object, string[]]>([
  [{}, []],
  [{ name: '' }, ['name-missing ']],
  [{ name: 'Sort Words_now' }, ['name-format "Sort Words_now", better "sort-words-now"']],
  [{ name: '数据' }, ['name-format "数据"']],
  [{ name: 'a'.repeat(65) }, ['name-length it has 65', 'name-folder']],
  [{ name: 'other' }, ['name-folder "other" in "sort"']],
  [{ name: 'Sort' }, ['name-format "Sort", better "sort"']],
  [{ description: ' ' }, ['description-missing ']],
  [{ description: '🚀'.repeat(1_024) }, []],
  [{ description: 'x'.repeat(1_559) }, ['description-length it has 1559']],
  [{ compatibility: 'x'.repeat(501) }, ['compatibility-length it has 501']],
])('%j -> %j', (fields, expected) => {
  const found = checkSpecification({ ...GOOD, ...fields }, 'sort')
  expect(found.map(({ rule, detail }) => `${rule} ${detail}`)).toEqual(
    expected.map((detail) => expect.stringContaining(detail)),
  )
})

test.each([
  ['own', 'far', true, OWN_RECORD],
  ['upstream', 'near', undefined, UPSTREAM_RECORD],
  ['upstream', 'Near', true, UPSTREAM_RECORD],
])('%s skills/near with the name %s breaks the specification: %s', (_, name, expected, record) => {
  const text = `---\nname: ${name}\ndescription: d\n---\n`
  const files = { 'skills/near/skill.json': record, 'skills/near/SKILL.md': text }
  const [skill] = loadCatalog(makeSampleFolder({ ...SMALL_CONTENT, ...files })).skills
  expect(skill?.breaksSpecification).toBe(expected)
})
