import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { isUnchanged, printFingerprints } from './fingerprint.ts'
import { listSkillFiles } from './folder-files.ts'

test('an executable bit that only git stores is in the files and in the fingerprint', () => {
  const folder = makeSampleFolder({ 'SKILL.md': 'x', 'scripts/run now.sh': 'x' })
  chmodSync(`${folder}/SKILL.md`, 0o755)
  const bits = new Map([
    ['SKILL.md', false],
    ['scripts/run now.sh', true],
  ])
  const { files, fingerprints } = listSkillFiles(folder, '', { bits })
  expect(files).toEqual([
    { path: 'SKILL.md', size: 1 },
    { path: 'scripts/run now.sh', size: 1, isExecutable: true },
  ])
  // As if the files had been written a minute ago.
  const printed = printFingerprints(fingerprints, Date.now() + 60_000)
  expect(isUnchanged(folder, printed, bits)).toBe(true)
  expect(isUnchanged(folder, printed, new Map([...bits, ['scripts/run now.sh', false]]))).toBe(
    false,
  )
  expect(isUnchanged(folder, printed)).toBe(false)
})
