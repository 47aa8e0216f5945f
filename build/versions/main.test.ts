import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteRecord } from '../../src/catalog/schema.ts'
import { SITE, skillMd } from '../../src/catalog/testing/content.ts'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { addField, promiseVersions } from './main.ts'
import { addCommits, checkOut, makeGitFolder } from './testing/repository.ts'

const makeContent = () => {
  const folder = makeGitFolder()
  const files = new Map([
    ['site.json', `${JSON.stringify(SITE, null, 2)}\n`],
    ['skills/near/SKILL.md', skillMd('near')],
  ])
  const [commit = ''] = addCommits(folder, [{ files, at: 1_780_000_000, parents: [] }])
  checkOut(folder, commit)
  return { folder, commit, site: join(folder, 'site.json') }
}

test('the promise starts at the newest commit; a second run writes nothing', () => {
  const { folder, commit, site } = makeContent()
  expect(promiseVersions(folder)).toMatch(/^Added "versions" to .*site\.json; commit the file\./)
  const text = readFileSync(site, 'utf8')
  expect(text).toBe(
    `${JSON.stringify(SITE, null, 2).slice(0, -2)},\n  "versions": { "since": "${commit}", "keep": 3 }\n}\n`,
  )
  expect(siteRecord.parse(JSON.parse(text)).versions).toEqual({ since: commit, keep: 3 })
  expect(promiseVersions(folder)).toContain(`From commit ${commit} on`)
  expect(readFileSync(site, 'utf8')).toBe(text)
})

test.each([
  ['{}', '{\n  "a": { "b": 1 }\n}\n'],
  ['{ "x": "}" }\n', '{ "x": "}",\n  "a": { "b": 1 }\n}\n'],
])('%j gets a field', (text, expected) => {
  expect(addField(text, 'a', { b: 1 })).toBe(expected)
})

test('content that cannot promise versions is refused, and nothing is written', () => {
  const { folder, site } = makeContent()
  writeFileSync(join(folder, 'skills/near/SKILL.md'), 'other')
  const before = readFileSync(site, 'utf8')
  expect(() => promiseVersions(folder)).toThrow(/changes that are not committed/)
  expect(readFileSync(site, 'utf8')).toBe(before)
  expect(() => promiseVersions(makeSampleFolder())).toThrow(
    /there is no .*site\.json; set CONTENT_DIR/,
  )
  expect(() => promiseVersions(makeSampleFolder({ 'site.json': '{' }))).toThrow(/is not JSON/)
  expect(() => promiseVersions(makeSampleFolder({ 'site.json': '{}' }))).toThrow(
    /not in a git repository/,
  )
})
