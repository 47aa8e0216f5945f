import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeContent, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'

test('two licences beside a followed link -> the report asks, and the next update takes the text that a curator allowed', async () => {
  const repository = makeRepository({
    'LICENSE-MIT': MIT_TEXT,
    'LICENSE-CONTENT': 'All rights reserved.',
    'skills/calm/SKILL.md': sampleSkillMd('calm'),
  })
  mkdirSync(join(repository.folder, 'listed'))
  symlinkSync('../skills/calm', join(repository.folder, 'listed/calm'))
  repository.commit({}, '2026-01-02')
  const content = makeContent()
  const call = async (...args: readonly string[]) =>
    (await runCommand(...args, '--content', content)).stdout
  const hasText = (): boolean => existsSync(join(content, 'skills/calm/SKILL.md'))
  const address = `${repository.address}/tree/main/listed`
  const added = await call('add', address, '--source', WEB)
  expect(added).toContain(
    'two licences: LICENSE-CONTENT (unknown) and LICENSE-MIT (MIT); choose with "npm run catalog -- set calm licence=…"',
  )
  expect(hasText()).toBe(false)
  expect(await call('update')).toContain('unchanged')
  await call('set', 'calm', 'licence=MIT')
  await call('update')
  expect(hasText()).toBe(true)
  expect(await call('update')).toContain('unchanged')
})
