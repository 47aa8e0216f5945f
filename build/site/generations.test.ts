import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Generations } from './generations.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-generations-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

test('what was written is on the disk before readers are led to it', () => {
  const [output, told] = [join(root, 'dist'), join(root, 'told')]
  // Stands for the command of the system: tells what it was asked, and what is served then.
  const program = `#!/bin/sh\necho "$@ $(readlink '${output}/current')" >> '${told}'\n`
  writeFileSync(join(root, 'sync'), program, { mode: 0o755 })
  vi.stubEnv('PATH', `${root}:${process.env['PATH']}`)
  const generations = new Generations(output)
  for (const name of ['one', 'two']) {
    generations.openEmpty(name)
    generations.publish(name)
  }
  generations.close()
  expect(readFileSync(told, 'utf8')).toBe(`-f ${output} \n-f ${output} generations/one\n`)
})
