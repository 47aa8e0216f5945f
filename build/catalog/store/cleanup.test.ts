import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemporaryFolder } from './cleanup.ts'

test('a folder -> there while it is needed, gone when the work fails too', async () => {
  let seen = ''
  const work = withTemporaryFolder(async (folder) => {
    seen = folder
    writeFileSync(join(folder, 'x'), 'x')
    throw new Error('x')
  })
  await expect(work).rejects.toThrow('x')
  expect([seen.startsWith(tmpdir()), existsSync(seen)]).toEqual([true, false])
})

test('what a killed run left -> removed by the next one; a living one’s stays', async () => {
  const dead = mkdtempSync(join(tmpdir(), 'skill-catalog-'))
  writeFileSync(join(dead, '.lock'), '')
  await withTemporaryFolder(async (living) => {
    await withTemporaryFolder(async () => undefined)
    expect([existsSync(dead), existsSync(living)]).toEqual([false, true])
  })
})
