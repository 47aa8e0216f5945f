import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeFixture } from '../fixture.ts'
import { askPlainCdn } from './cdn.ts'
import { renderKept } from './table.ts'

const DOCS = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url))

// Where the contract grew: `npm run contract -- --docs`.
test('docs/hosts.md says which clauses a plain CDN keeps', async () => {
  const [, block] = /```plain-cdn\n([^]*?)\n```/.exec(readFileSync(DOCS, 'utf8')) ?? []
  expect(block).toBe(await renderKept(askPlainCdn(writeFixture())))
})
