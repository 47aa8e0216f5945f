import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listSkillFiles } from '../../../src/catalog/folder-files.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { Finding } from '../../../src/catalog/skill.ts'
import { OWN_RECORD, SMALL_CONTENT } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { compileGlob, createLeaveOut } from './sources.ts'
import { compareVersions, digestVersion, listNewFindings, loadVersion } from './version.ts'

const FINDING: Finding = {
  rule: 'pipe-to-shell',
  severity: 'medium',
  held: 'medium',
  contexts: [],
  file: 'SKILL.md',
  line: 6,
  column: 1,
  length: 4,
  quote: 'curl',
  digest: '0123456789abcdef',
  count: 1,
}

describe('a finding of the previous version', () => {
  test.each<[string, Partial<Finding>, number]>([
    ['on another line', { line: 9 }, 0],
    ['more severe', { held: 'high' }, 1],
    ['less severe', { held: 'low' }, 0],
    ['on a line that changed', { digest: 'fedcba9876543210' }, 1],
    ['in another file', { file: 'scripts/x.sh' }, 1],
    ['more often', { count: 2 }, 1],
    ['accepted', { held: 'high', accepted: { by: 'a', when: '2026-01-01', why: 'w' } }, 0],
  ])('%s', (_, change, count) => {
    expect(listNewFindings([FINDING], [{ ...FINDING, ...change }])).toHaveLength(count)
  })
})

const openFolder = (folder: string) => ({
  folder,
  files: listSkillFiles(folder, '').files,
  bytes: new Map<string, Buffer>(),
})

test('an executable bit changes the digest', () => {
  const folder = makeSampleFolder({ 'SKILL.md': sampleSkillMd('a'), 'run.sh': 'ls' })
  const digest = (): string => digestVersion(openFolder(folder), skillRecord.parse(OWN_RECORD))
  const before = digest()
  chmodSync(join(folder, 'run.sh'), 0o755)
  expect(digest()).not.toBe(before)
  chmodSync(join(folder, 'run.sh'), 0o644)
  expect(digest()).toBe(before)
})

test('a SKILL.md that becomes executable -> reported as a change', () => {
  const content = makeSampleFolder(SMALL_CONTENT)
  const before = loadVersion(content, 'near', readSkillBits(content))
  chmodSync(join(content, 'skills/near/SKILL.md'), 0o755)
  const after = loadVersion(content, 'near', readSkillBits(content))
  const files = [{ path: 'SKILL.md', how: 'executable', more: '' }]
  expect(compareVersions(before, after)).toEqual({ findings: [], files, fields: [], needs: [] })
  expect(compareVersions(before, before).files).toEqual([])
})

test.each([
  ['skills/*', 'skills/a', true],
  ['skills/*', 'skills/a/b', false],
  ['skills/**', 'skills/.x/b', true],
  ['**/a', 'a', true],
  ['**/a', 'x/y/a', true],
  ['a?c/', 'abc', true],
  ['a.c', 'abc', false],
])('the glob %s matches %s: %s', (glob, path, isMatch) => {
  expect(compileGlob(glob).test(path)).toBe(isMatch)
})

test.each([
  ['skills/test', {}, undefined],
  ['skills/personal/a', {}, { rule: 'unfinished', detail: 'personal' }],
  ['skills/Personal/a', {}, undefined],
  ['skills/personal', {}, undefined],
  ['skills/template', {}, undefined],
  ['skills/deprecated/a', { include: ['skills/**'] }, { rule: 'unfinished', detail: 'deprecated' }],
  ['', { exclude: ['*'] }, { rule: 'excluded' }],
  ['a/b', { exclude: ['?'] }, { rule: 'excluded' }],
  ['a', { include: ['b'] }, { rule: 'not-included' }],
])('a skill in "%s", in a row with %j -> %j', (path, globs, left) => {
  const row = { address: 'https://github.com/ada/tools', ...globs }
  expect(createLeaveOut(row)({ names: [path], through: [] })).toEqual(left)
})
