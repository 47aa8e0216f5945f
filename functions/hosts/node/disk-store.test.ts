import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestRow, updateDigests } from '../../../build/site/digests.ts'
import { DIGESTS_NAME } from '../../../src/catalog/digest-table.ts'
import { publishFixture, writeFixture } from '../../../testing/fixture.ts'
import { serve } from '../../respond.ts'
import { readBody } from '../../store.ts'
import { openGenerations } from './generations.ts'

let root = ''
const files = writeFixture()
const rows = Object.entries(files).map(([name, content]) => digestRow(name, content))
files[DIGESTS_NAME] = updateDigests(new Uint8Array(), [], rows)

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-rot-'))
  publishFixture(root, 'one', files)
})
afterAll(() => rmSync(root, { recursive: true }))

/** Addresses that need all kinds of files. */
const TARGETS = [
  '/',
  '/skills/csv-clean',
  '/skills/csv-clean.md',
  '/skills/csv-clean/SKILL.md',
  '/skills/csv-clean/scripts/run.py',
  '/files/csv-clean/scripts/run.py/view',
  '/api/skills/download/12',
  '/api/skills/download/13',
  '/api/skills/download/899',
  '/api/v1/skills?q=csv',
  '/skills?q=csv',
  '/compare?skills=csv-clean,skill-13',
  '/skills/csv-tidy',
  '/skills/csv-clean.md/.well-known/agent-skills/index.json',
  '/openapi.json',
]

const ask = async (target: string) => {
  const causes: unknown[] = []
  const source = openGenerations(root)
  const answer = await serve({ method: 'GET', target }, source, (cause) => causes.push(cause))
  const { Location: location } = answer.headers
  const text = Buffer.from(await readBody(answer.body)).toString('latin1')
  return { status: answer.status, location, text }
}

test('a bit that flips in any file: the same answers as before, or 503', async () => {
  const good = new Map<string, Awaited<ReturnType<typeof ask>>>()
  for (const target of TARGETS) good.set(target, await ask(target))
  const statuses = new Set<number>()
  const names = Object.keys(files)
  for (let flip = 0; flip < 300; flip += 1) {
    const path = join(root, 'current', names[(flip * 7) % names.length]!)
    const bytes = readFileSync(path)
    if (bytes.length === 0) continue
    const damaged = Buffer.from(bytes)
    const at = (flip * 7_919) % bytes.length
    damaged[at] = damaged[at]! ^ (1 << (flip % 8))
    writeFileSync(path, damaged)
    const target = TARGETS[flip % TARGETS.length]!
    for (const one of [target, '/skills/csv-clean', '/api/v1/skills?q=csv']) {
      const answer = await ask(one)
      statuses.add(answer.status)
      if (answer.status !== 503) expect(answer, `${path} ${at} ${one}`).toEqual(good.get(one))
    }
    writeFileSync(path, bytes)
  }
  expect([...statuses]).toContain(503)
})
