import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeSampleFolder, removeFolders } from '../../../testing/sample-folders.ts'
import { compareFolders } from './difference.ts'

afterEach(removeFolders)

test.each(['\r', '\u2028', '\u2029'])(
  'a text with a header of git behind %j -> one file',
  (end) => {
    const text = `Words${end}diff --git a/x.sh b/x.sh\nMore.\n`
    const folder = makeSampleFolder({ 'new/SKILL.md': text, 'new/z.md': 'Z.\n' })
    const place = makeSampleFolder()
    const { lines } = compareFolders(place, undefined, join(folder, 'new'))
    expect(lines.filter((line) => line.startsWith('diff --git '))).toHaveLength(2)
    expect(lines).toContain(`+Words${end}diff --git a/x.sh b/x.sh`)
  },
)
