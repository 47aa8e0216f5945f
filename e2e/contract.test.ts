import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { ROOT } from './site.ts'

const check = (origin: string) =>
  promisify(execFile)(process.execPath, ['testing/contract/main.ts', origin], { cwd: ROOT })

test('the site passes every clause of the contract that does not need the fixture', async () => {
  const { stdout } = await check(inject('site').origin)
  expect(stdout).not.toContain('FAILED')
  const [, passed, all] = /(\d+) of (\d+) clauses passed\n$/.exec(stdout) ?? []
  expect(passed).toBe(all)
  expect(Number(all)).toBeGreaterThan(250)
})

test('no server at the address -> one line with the reason; an invalid address -> exit code 2', async () => {
  await expect(check('http://127.0.0.1:9')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^connect ECONNREFUSED [^\n]*\n$/),
  })
  await expect(check('skills.example')).rejects.toMatchObject({ code: 2 })
})
