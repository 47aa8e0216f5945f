import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestRow, updateDigests } from '../../../build/site/digests.ts'
import { createProgress } from '../../../build/site/progress.ts'
import { verifySite } from '../../../build/site/generations.ts'
import { DIGESTS_NAME } from '../../../src/catalog/tables.ts'
import { publishFixture, writeFixture } from '../../../testing/fixture.ts'
import { serve } from '../../respond.ts'
import { readBody } from '../../store.ts'
import { openGenerations } from './generations.ts'

const quiet = createProgress({ write: () => true })

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
  '/b/csv-clean+skill-13',
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

/** `--verify` reads all files, so that not each flip is shown to it. */
const VERIFIED_EVERY = 9
const FLIPS = Number(process.env['FLIPS'] ?? 1_000)

/** An address that needs the file, where there is one, and one of the others. */
const targetsFor = (name: string, flip: number): string[] => {
  const own = TARGETS.filter(
    (target) => name === `public${target}` || name === `public${target}.html`,
  )
  return [...own, TARGETS[flip % TARGETS.length]!]
}

test(`${FLIPS} bits that flip anywhere: the same answers as before, or 503, and the file is named`, async () => {
  const good = new Map<string, Awaited<ReturnType<typeof ask>>>()
  for (const target of TARGETS) good.set(target, await ask(target))
  const statuses = new Set<number>()
  const names = Object.keys(files).filter((name) => files[name]!.length > 0)
  for (let flip = 0; flip < FLIPS; flip += 1) {
    // The table of digests each eighth time, since what is told from it is told of all.
    const name = flip % 8 === 0 ? DIGESTS_NAME : names[(flip * 7) % names.length]!
    const path = join(root, 'current', name)
    const bytes = readFileSync(path)
    const damaged = Buffer.from(bytes)
    const at = (flip * 7_919) % bytes.length
    damaged[at] = damaged[at]! ^ (1 << (flip % 8))
    writeFileSync(path, damaged)
    if (flip % VERIFIED_EVERY === 0) {
      const { different, unknown, missing } = verifySite(root, quiet)
      // What is told from a damaged table is told of other files.
      const named = name === DIGESTS_NAME ? [...different, ...unknown].length > 0 : different
      expect(named, `${name} ${missing}`).toEqual(name === DIGESTS_NAME || [name])
    }
    for (const one of targetsFor(name, flip)) {
      const answer = await ask(one)
      statuses.add(answer.status)
      if (answer.status !== 503) expect(answer, `${path} ${at} ${one}`).toEqual(good.get(one))
    }
    writeFileSync(path, bytes)
  }
  expect([...statuses]).toContain(503)
})

test.each([['private/findings/csv-clean.json', '/files/csv-clean/scripts/run.py/view']])(
  'without %s that the build wrote, what needs it is UNAVAILABLE',
  async (name, target) => {
    expect(files[name]).toBeDefined()
    const path = join(root, 'current', name)
    const bytes = readFileSync(path)
    rmSync(path)
    try {
      expect((await ask(target)).status).toBe(503)
      expect((await ask('/skills/csv-clean')).status).toBe(200)
    } finally {
      writeFileSync(path, bytes)
    }
    expect((await ask(target)).status).toBe(200)
  },
)
