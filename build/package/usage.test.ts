import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('npm run pack -- --help -> prints its usage, and creates no folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'))
  const program = fileURLToPath(new URL('pack.ts', import.meta.url))
  const { stdout } = spawnSync(process.execPath, [program, '--help'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout).toBe('Usage: npm run pack [-- <new folder>]\n')
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})
