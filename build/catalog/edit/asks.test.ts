import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SMALL_CONTENT } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder } from '../../../testing/sample-folders.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SCRIPT = join(ROOT, 'content/skills/describe-a-skill/scripts/asks.mjs')

test('the script of describe-a-skill lists skills without asks, and applies a file of asks', () => {
  const content = makeSampleFolder(SMALL_CONTENT)
  const lines = join(content, 'asks.ndjson')
  const runIn = (cwd: string, ...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [SCRIPT, ...args, '--content', content],
      { cwd, encoding: 'utf8' },
    )
    return { status, text: stdout + stderr }
  }
  const run = runIn.bind(undefined, ROOT)
  expect(run('list').text).toMatch(/^\S*skills\/near\/SKILL\.md\n1 skill:/)
  writeFileSync(lines, '{"slug": "near", "asks": ["do it"]}')
  expect(run('apply', lines)).toMatchObject({
    status: 0,
    text: expect.stringContaining('wrote 1 record'),
  })
  const record = readFileSync(join(content, 'skills/near/skill.json'), 'utf8')
  expect(record).toContain('"do it"')
  const elsewhere = runIn(content, 'list')
  expect(elsewhere).toEqual({ status: 2, text: expect.stringMatching(/^Run it in the folder/) })
})
