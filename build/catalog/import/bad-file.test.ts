import { expect, test } from 'vitest'
import { sampleSkillMd } from '../../../testing/sample-folders.ts'
import { findBadFile } from './bad-file.ts'

const CONFLICT = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n'

const CASES: readonly [string, string, RegExp | undefined][] = [
  ['an empty file', '', /blank/],
  ['white space alone', ' \n\t\r\n', /blank/],
  ['an LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n', /LFS/],
  ['an HTML page', '\n<!DOCTYPE html>\n<html></html>', /HTML/],
  ['HTML without a doctype', '<html lang="en">', /HTML/],
  ['a symlink stored as text', '../../shared/SKILL.md', /symlink/],
  ['a conflict in the front matter', `---\n${CONFLICT}---\n`, /conflict/],
  [
    'a conflict in the body, CRLF',
    sampleSkillMd('a', 'b', CONFLICT.replaceAll('\n', '\r\n')),
    /conflict/,
  ],
  ['a plain skill', sampleSkillMd('a'), undefined],
  ['a conflict shown in a fence', sampleSkillMd('a', 'b', `\`\`\`\n${CONFLICT}\`\`\``), undefined],
  ['a heading underlined with =', sampleSkillMd('a', 'b', 'Title\n=======\n'), undefined],
  ['HTML in the body', sampleSkillMd('a', 'b', '<html>'), undefined],
  ['a text that names SKILL.md', 'Read the SKILL.md', undefined],
]

test.each(CASES)('%s', (_, text, reason) => {
  const fault = findBadFile(text)
  if (reason === undefined) expect(fault).toBeUndefined()
  else {
    expect(fault?.reason).toMatch(reason)
    expect(fault?.remedy).toBeTruthy()
  }
})

test('300 KB crafted to slow down a pattern -> answered at once', () => {
  const started = performance.now()
  for (const unit of ['<<<<<<<', '../', '\n\n', '`'.repeat(3), '~\n']) {
    findBadFile(unit.repeat(300_000 / unit.length))
  }
  expect(performance.now() - started).toBeLessThan(2_000)
})
