import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  OWN_RECORD,
  SMALL_CONTENT,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { recordWrites } from '../../testing/power-cut.ts'
import type { Recording } from '../../testing/power-cut.ts'
import { buildSite } from './build.ts'
import { createProgress } from './progress.ts'
import { rollBack, verifySite } from './generations.ts'

/** Moments at which the power fails; `CUTS=2000` for a long run. */
const CUTS = Number(process.env['CUTS'] ?? 30)
const LAST_CALLS = 24
/** After every n-th cut the next build is compared with a clean one. */
const BUILT_EVERY = CUTS > 30 ? 1 : 9

/** What is written by others than this process: by SQLite and by workers. */
const WATCHED = ['state', 'generations']

const quiet = createProgress({ write: () => true })

let root = ''
let recording: Recording
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-power-'))
})
afterEach(() => recording.stop())
afterAll(() => rmSync(root, { recursive: true, force: true }))

const contentFolder = (): string => join(root, 'content')

/** Editions differ in a text, a description, a name and the set of skills. */
const writeEdition = (edition: number): void => {
  rmSync(contentFolder(), { recursive: true, force: true })
  const skills = Array.from({ length: 5 }, (_, at) => at + edition).map((id) => [
    [`skills/one-${id}/skill.json`, { ...OWN_RECORD, id: 100 + id }],
    [`skills/one-${id}/SKILL.md`, skillMd(`one-${id}`, `Edition ${id < 4 ? 0 : edition}.\n`)],
    [`skills/one-${id}/scripts/run.py`, `print(${id % 2 ? edition : 0})\n`],
  ])
  writeFiles(contentFolder(), { ...SMALL_CONTENT, ...Object.fromEntries(skills.flat()) })
}

const build = (outputFolder: string, isClean = false) =>
  buildSite(
    { contentFolder: contentFolder(), outputFolder, siteUrl: 'https://a.example', isClean },
    quiet,
  )

/** Digests of the served files; undefined if nothing is served. */
const digestSite = (out: string): Record<string, string> | undefined => {
  const folder = join(out, 'current')
  if (!statSync(folder, { throwIfNoEntry: false })) return undefined
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [name, hash('sha1', readFileSync(join(folder, name)))]),
  )
}

type Site = ReturnType<typeof digestSite>

const isSame = (one: Site, other: Site): boolean => JSON.stringify(one) === JSON.stringify(other)

const isWhole = (out: string): boolean => {
  const { different, unknown, missing } = verifySite(out, quiet)
  return different.length + unknown.length + missing === 0
}

/** A recorded build: its first and last call. */
interface Recorded {
  edition: number
  from: number
  to: number
}

test(`the power cut at ${CUTS} moments of builds: the old site or the new one is served, and the next build is complete`, async () => {
  const out = join(root, 'dist')
  mkdirSync(out)
  recording = recordWrites(
    out,
    WATCHED.map((name) => join(out, name)),
  )
  const clean = new Map<number, Site>()
  const builds: Recorded[] = []
  for (const [edition, isClean] of [
    [1, false],
    [2, false],
    [3, false],
    [4, true],
    [5, false],
  ] as const) {
    writeEdition(edition)
    const from = recording.length
    await build(out, isClean)
    builds.push({ edition, from, to: recording.length })
    clean.set(edition, digestSite(out))
  }
  expect(recording.isComplete()).toBe(true)
  expect(new Set([...clean.values()].map((site) => JSON.stringify(site))).size).toBe(5)
  const seen = { old: 0, now: 0 }
  const faults: string[] = []
  for (let cut = 0; cut < CUTS; cut += 1) {
    const { edition, from, to } = builds[cut % builds.length]!
    const calls = to - from
    // The order of calls matters most at the end of a build.
    const back = (cut * 7_919) % (cut % 3 === 0 ? Math.min(calls, LAST_CALLS) : calls + 1)
    const after = to - back
    const title = `seed ${cut}, ${calls - back} of ${calls} calls of build ${edition}`
    const left = join(root, 'left')
    recording.cut(after, cut, left)
    const site = digestSite(left)
    const isNew = isSame(site, clean.get(edition))
    seen[isNew ? 'now' : 'old'] += 1
    if (!isNew && (after === to || !isSame(site, clean.get(edition - 1)))) faults.push(title)
    else if (site && !isWhole(left)) faults.push(`${title}: its digests differ`)
    if (cut % BUILT_EVERY === 0) {
      // The same content, the next edition, or the previous one.
      const next = 1 + ((edition - 1 + [0, 1, builds.length - 1][(cut % 7) % 3]!) % builds.length)
      writeEdition(next)
      await build(left)
      if (!isSame(digestSite(left), clean.get(next)) || !isWhole(left))
        faults.push(`${title}: the build of ${next} after it`)
    }
    rmSync(left, { recursive: true, force: true })
  }
  expect(faults).toEqual([])
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
}, 600_000)

test('a rollback stopped or the power cut at each of its calls: the site before or after it, and both a rollback and a build go on', async () => {
  const out = join(root, 'rolled')
  mkdirSync(out)
  recording = recordWrites(
    out,
    WATCHED.map((name) => join(out, name)),
  )
  const sites: Site[] = []
  for (const edition of [1, 2]) {
    writeEdition(edition)
    await build(out)
    sites.push(digestSite(out))
  }
  const [before, last] = sites
  const from = recording.length
  rollBack(out)
  const to = recording.length
  expect(recording.isComplete()).toBe(true)
  expect(to - from).toBeGreaterThan(1)
  const seen: boolean[] = []
  for (let after = from; after <= to; after += 1) {
    const left = join(root, 'left')
    recording.cut(after, after, left)
    const title = `${after - from} of ${to - from} calls`
    const isBack = isSame(digestSite(left), before)
    if (!isBack) {
      expect(isSame(digestSite(left), last), title).toBe(true)
      rollBack(left)
      expect(isSame(digestSite(left), before), title).toBe(true)
    }
    expect(isWhole(left), title).toBe(true)
    expect(() => rollBack(left), title).toThrow(/the oldest one kept/)
    seen.push(isBack)
    if (after === from || after === to) {
      await build(left)
      expect(isSame(digestSite(left), last) && isWhole(left), title).toBe(true)
    }
    rmSync(left, { recursive: true, force: true })
  }
  expect(new Set(seen).size).toBe(2)
}, 120_000)
