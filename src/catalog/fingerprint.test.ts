import { expect, test } from 'vitest'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { isUnchanged, printFingerprints } from './fingerprint.ts'
import { listSkillFiles } from './folder-files.ts'

test('an executable bit that only git stores is in the files and in the fingerprint', () => {
  const folder = makeSampleFolder({ 'a/run now.sh': 'x' })
  const [set, unset] = [true, false].map((bit) => new Map([['a/run now.sh', bit]]))
  const { files, fingerprints } = listSkillFiles(folder, '', { bits: set! })
  expect(files).toEqual([{ path: 'a/run now.sh', size: 1, isExecutable: true }])
  // As if the file had been written a minute ago.
  const printed = printFingerprints(fingerprints, Date.now() + 60_000)
  const isSame = [set, unset, undefined].map((bits) => isUnchanged(folder, printed, bits))
  expect(isSame).toEqual([true, false, false])
})
