import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { publishFixture } from '../../../testing/fixture.ts'
import type { Answer } from '../../answers.ts'
import type { SiteRequest } from '../../route.ts'
import { readBody } from '../../store.ts'
import { Compressor } from './coding.ts'
import { openGenerations } from './generations.ts'
import { KnownAnswers } from './known-answers.ts'

let outDir: string
let kept: number
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), 'known-'))
  kept = 1024 * 1024
})
afterEach(() => rmSync(outDir, { recursive: true }))

const open = (build = 'one') => {
  publishFixture(outDir, build)
  const source = openGenerations(outDir)
  const known = new KnownAnswers(new Compressor(kept))
  const ask = (target: string, asked: Partial<SiteRequest> = {}, accepted?: string) =>
    known.answer({ method: 'GET', target, ...asked }, accepted, source, () => undefined)
  const read = async (...given: Parameters<typeof ask>) => {
    const { status, headers, body } = await ask(...given)
    return { status, headers, bytes: Buffer.from(await readBody(body)).toString('latin1') }
  }
  return { ask, read }
}

const ASKED: readonly Parameters<ReturnType<typeof open>['ask']>[] = [
  ['/skills'],
  ['/skills', { accept: 'text/markdown' }],
  ['/skills.md'],
  ['/skills', {}, 'br'],
  ['/skills', {}, 'gzip, br;q=.5'],
  ['/skills', {}, 'identity'],
  ['/skills', { method: 'HEAD' }],
  ['/skills', { method: 'POST' }],
  ['/skills', { method: 'OPTIONS' }],
  ['/skills?q=csv', {}],
  ['/api/v1/skills', {}],
  ['/api/v1/skills', {}, 'br'],
  ['/api/skills/download/12'],
  ['/api/skills/download/12', { range: 'bytes=2-5' }],
  ['/api/skills/download/12', { range: 'bytes=999999-' }],
  ['/skills/csv-clean/SKILL.md'],
  ['/skills/', {}],
  ['/nothing', {}],
]

test('the second answer, and one after all others, is the first, byte for byte', async () => {
  const { read } = open()
  for (const asked of ASKED) {
    const fresh = await open().read(...asked)
    for (let time = 0; time < 3; time += 1) expect(await read(...asked)).toEqual(fresh)
  }
  for (const asked of ASKED) expect(await read(...asked)).toEqual(await open().read(...asked))
})

test('a condition that an answer meets is 304, also where the answer is known', async () => {
  const { ask } = open()
  const { headers } = await ask('/skills')
  const again = await ask('/skills', { ifNoneMatch: headers['ETag'] })
  expect([again.status, again.body]).toEqual([304, null])
})

test('a newer build answers at once', async () => {
  const { read } = open('one')
  await read('/skills')
  publishFixture(outDir, 'two')
  expect((await read('/skills')).bytes).toContain('<title>skills two<')
})

test('a file that changed is compared again: 503, and the old bytes where it is as it was', async () => {
  const { read } = open('one')
  const path = join(outDir, 'current', 'public', 'api/skills/download/12')
  const before = await read('/api/skills/download/12')
  const { atime, mtime } = statSync(path)
  utimesSync(path, atime, mtime)
  expect(await read('/api/skills/download/12')).toEqual(before)
  rmSync(path)
  expect((await read('/api/skills/download/12')).status).toBe(503)
  writeFileSync(path, Buffer.from(before.bytes, 'latin1'))
  expect(await read('/api/skills/download/12')).toEqual(before)
})

test('what was compressed and is kept no more is compressed again', async () => {
  kept = 0
  const { read } = open()
  const first = await read('/skills', {}, 'br')
  expect(await read('/skills', {}, 'br')).toEqual(first)
})

test('of an answer nothing but the head is remembered, and of 4,096 at most', async () => {
  const site = { origin: 'http://x', isPrivate: false } as never
  let asked = 0
  const file = { size: 2, isSame: () => true, body: async () => new Uint8Array(2) }
  const digest = async (): Promise<string> => {
    asked += 1
    return 'ab'
  }
  const store = { read: async () => ({ ...file, digest }) }
  const source = { origin: 'http://x', current: async () => served }
  const served = { ...(site as object), store } as never
  const known = new KnownAnswers(new Compressor(0))
  const ask = (at: number): Promise<Answer> =>
    known.answer({ method: 'GET', target: `/blog/p${at}` }, undefined, source, () => undefined)
  for (let at = 0; at <= 4_096; at += 1) await ask(at)
  expect(asked).toBe(4_097)
  await ask(4_096)
  await ask(1)
  expect(asked).toBe(4_097)
  await ask(0)
  expect(asked).toBe(4_098)
})
