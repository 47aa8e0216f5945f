import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/catalog/skill.ts'
import { SMALL_CONTENT } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder } from '../../../testing/sample-folders.ts'
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

test.each<[string, Partial<Finding>, number]>([
  ['on another line', { line: 9 }, 0],
  ['more severe', { held: 'high' }, 1],
  ['less severe', { held: 'low' }, 0],
  ['on a line that changed', { digest: 'fedcba9876543210' }, 1],
  ['in another file', { file: 'scripts/x.sh' }, 1],
  ['more often', { count: 2 }, 1],
  ['accepted', { held: 'high', accepted: { by: 'a', when: '2026-01-01', why: 'w' } }, 0],
])('a finding of the previous version, %s', (_, change, count) => {
  expect(listNewFindings([FINDING], [{ ...FINDING, ...change }])).toHaveLength(count)
})

test('a SKILL.md that becomes executable -> reported as a change, with another digest', () => {
  const content = makeSampleFolder(SMALL_CONTENT)
  const load = (mode: number) => {
    chmodSync(join(content, 'skills/near/SKILL.md'), mode)
    return loadVersion(content, 'near', readSkillBits(content))
  }
  const [before, after, back] = [load(0o644), load(0o755), load(0o644)]
  const files = [{ path: 'SKILL.md', how: 'executable', more: '' }]
  expect(compareVersions(before, after)).toEqual({ findings: [], files, fields: [], needs: [] })
  expect(compareVersions(before, back).files).toEqual([])
  const [first, second, third] = [before, after, back].map(({ opened }) =>
    digestVersion(opened, opened.record!),
  )
  expect([second === first, third === first]).toEqual([false, true])
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
