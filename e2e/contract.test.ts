import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { ROOT } from './site.ts'

const hold = (origin: string) =>
  promisify(execFile)(process.execPath, ['testing/contract/main.ts', origin], { cwd: ROOT })

test('the site keeps every clause of the contract that is not about the fixture alone', async () => {
  const { stdout } = await hold(inject('site').origin)
  expect(stdout).not.toContain('FAILED')
  const [, passed, all] = /(\d+) of (\d+) clauses passed\n$/.exec(stdout) ?? []
  expect(passed).toBe(all)
  expect(Number(all)).toBeGreaterThan(250)
})

test('an address where no site of ours is up is told in words', async () => {
  await expect(hold('http://127.0.0.1:9')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^connect ECONNREFUSED [^\n]*\n$/),
  })
  await expect(hold('skills.example')).rejects.toMatchObject({ code: 2 })
})
