import { expect, test } from 'vitest'
import { findTwins, foldPath } from './file-names.ts'

test.each([
  'S\u212AILL.md',
  'SKILL.md.',
  'SKILL.md. .',
  'skill.MD:x:$data',
  '\u017Fkill.md',
  'SK\u200DILL.md',
  'SKILL.md\uFEFF.',
  'Skill.md/run.sh',
])('%j becomes SKILL.md elsewhere, whatever its place in the list', (path) => {
  expect([...findTwins(['SKILL.md', path])]).toEqual([path])
  expect([...findTwins([path])]).toEqual([path])
})

test.each([
  [['a.md', 'A.md'], ['A.md']],
  [['caf\u00E9.md', 'cafe\u0301.md'], ['cafe\u0301.md']],
  [['refs/x.md', 'Refs/X.md', 'Refs/y.md'], ['Refs/X.md']],
  [['a', 'A/x.md'], ['A/x.md']],
  [['a/x.md', 'A'], ['A']],
  [['dir/x', 'dir::$INDEX_ALLOCATION/x'], ['dir::$INDEX_ALLOCATION/x']],
  [['straße.md', 'straẞe.md'], ['straẞe.md']],
  [['REFERE~1.MD', 'reference.md'], ['REFERE~1.MD']],
  [['REFERE~1/x.md', 'references/x.md'], ['REFERE~1/x.md']],
  [['a/RE12AB~2.MAR', 'a/reference.markdown'], ['a/RE12AB~2.MAR']],
  [['a/REFERE~1.MD', 'reference.md', 'draft~1.md', 'x~1.py', 'x.md'], []],
  [['SKILLS.md', 'SKILL.markdown', 'sub/SKILL.md', '12:30.md', '12:45.md', 'e.md', 'é.md'], []],
])('%j: %j', (paths, twins) => {
  expect([...findTwins(paths)]).toEqual(twins)
})

// To compare each second name with all other names would take minutes.
test('a folder with 20,000 second names', () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => [`ab~${at}.md`, `b${at}.md`]).flat()
  const twins = findTwins(['abc.md', ...paths])
  expect(twins.size).toBe(10_000)
})

test('the file that an import renames to SKILL.md is no twin, but others are', () => {
  expect([...findTwins(['S\u212AILL.md', 'skill.md'], 'skill.md')]).toEqual(['S\u212AILL.md'])
})

test('a letter and its upper and lower case fold alike', () => {
  const wrong: string[] = []
  for (let code = 0; code < 0x1_f0_00; code += 1) {
    const letter = String.fromCodePoint(code)
    const forms = [letter, letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD')]
    if (new Set(forms).size === 1) continue
    if (new Set(forms.map((form) => foldPath(`a${form}b`))).size > 1) wrong.push(letter)
  }
  expect(wrong).toEqual([])
})
