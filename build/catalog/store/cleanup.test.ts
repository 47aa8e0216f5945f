import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemporaryFolder } from './cleanup.ts'

test('a folder -> exists during the work, removed even if it fails', async () => {
  let seen = ''
  const work = withTemporaryFolder(async (folder) => {
    seen = folder
    writeFileSync(join(folder, 'x'), 'x')
    throw new Error('x')
  })
  await expect(work).rejects.toThrow('x')
  expect([seen.startsWith(tmpdir()), existsSync(seen)]).toEqual([true, false])
})

test('folders of a killed run -> removed by the next one; those of a live process stay', async () => {
  const dead = mkdtempSync(join(tmpdir(), 'skill-catalog-'))
  writeFileSync(join(dead, '.lock'), '')
  await withTemporaryFolder(async (living) => {
    await withTemporaryFolder(async () => undefined)
    expect([existsSync(dead), existsSync(living)]).toEqual([false, true])
  })
})
