import { afterEach, expect, test } from 'vitest'
import { spellUnseen } from '../../../src/catalog/lines.ts'
import { openSkill } from '../../../src/catalog/skill-folder.ts'
import { makeSampleFolder, removeFolders } from '../../../testing/sample-folders.ts'
import { compareFiles } from './difference.ts'

afterEach(removeFolders)

test.each(['\r', '\u2028', '\u2029'])(
  'a git header after %j in a text -> not the start of another file',
  (end) => {
    const text = `Words${end}diff --git a/x.sh b/x.sh\nMore.\n`
    const content = makeSampleFolder({ 'skills/a/SKILL.md': text, 'skills/a/z.md': 'Z.\n' })
    const { lines } = compareFiles(makeSampleFolder(), undefined, openSkill(content, 'a'))
    expect(lines.filter((line) => line.startsWith('diff --git '))).toHaveLength(2)
    expect(lines).toContain(`+Words${spellUnseen(end)}diff --git a/x.sh b/x.sh`)
  },
)
