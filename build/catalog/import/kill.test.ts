import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import {
  makeContent,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  runImport,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { KILLS, waitForLock } from '../testing/run-command.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

const SKILLS = 80

const makeSource = (version: string): string => {
  const files = Array.from({ length: SKILLS }, (_, at): [string, string][] => [
    [`s${at}/SKILL.md`, sampleSkillMd(`skill ${at}`, `Version ${version}.`)],
    [`s${at}/references/${version}.md`, version],
    [`s${at}/references/both.md`, version.repeat(5_000)],
  ])
  return makeSampleFolder(Object.fromEntries(files.flat()) as SampleFiles)
}

interface Run {
  child: ReturnType<typeof spawn>
  ended: Promise<{ code: number | null; stderr: string }>
}

const start = (from: string, content: string): Run => {
  const child = spawn(process.execPath, [
    MAIN,
    'import',
    from,
    '--own',
    '--date',
    '2026-05-05',
    '--into',
    content,
  ])
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }))
  })
  return { child, ended }
}

const idsOf = (content: string): Map<string, number> =>
  new Map(loadCatalog(content).skills.map(({ slug, id }) => [slug, id]))

const leftovers = (pid: number | undefined): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`skill-catalog-${pid}-`))

let sources: string[]
let content: string
/** Milliseconds that an uninterrupted run writes for. */
let writing: number

beforeAll(async () => {
  sources = [makeSource('1'), makeSource('2')]
  content = makeContent()
  await runImport(sources[1] ?? '', content, { date: '2026-05-05' })
  const run = start(sources[0] ?? '', content)
  await waitForLock(content, run.child)
  const begun = performance.now()
  await run.ended
  writing = performance.now() - begun
})

afterAll(removeFolders)

describe('killed while it writes', () => {
  const points = Array.from({ length: KILLS }, (_, at) => at)
  test.each(points)('at point %i -> the catalog loads, with every id it had', async (at) => {
    const before = idsOf(content)
    const run = start(sources[(at + 1) % 2] ?? '', content)
    await waitForLock(content, run.child)
    await wait(((at + Math.random()) / KILLS) * writing)
    run.child.kill('SIGKILL')
    await run.ended
    const after = idsOf(content)
    for (const [slug, id] of after) expect(before.get(slug) ?? id).toBe(id)
    // The unfinished skill stays under a temporary name until the next run.
    expect(after.size).toBeGreaterThanOrEqual(SKILLS - 1)
  })

  test('and then run to the end -> the same as without a kill', async () => {
    await runImport(sources[1] ?? '', content, { date: '2026-05-05' })
    const clean = makeContent()
    await runImport(sources[1] ?? '', clean, { date: '2026-05-05' })
    expect(readSampleTree(content)).toEqual(readSampleTree(clean))
    expect(readdirSync(join(content, 'skills')).filter((name) => name.startsWith('.'))).toEqual([])
  })
})

test('killed in a first import -> nothing, or a catalog that loads, and a second run completes it', async () => {
  for (const part of [0, 0.3, 0.7]) {
    const fresh = makeContent()
    const run = start(sources[0] ?? '', fresh)
    await waitForLock(fresh, run.child)
    await wait(part * writing)
    run.child.kill('SIGKILL')
    await run.ended
    expect(loadCatalog(fresh).skills.length).toBeLessThanOrEqual(SKILLS)
    await runImport(sources[0] ?? '', fresh, { date: '2026-05-05' })
    expect(loadCatalog(fresh).skills).toHaveLength(SKILLS)
  }
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s -> stops after a skill, clears up, and can be run again',
  async (signal) => {
    const fresh = makeContent()
    const run = start(sources[0] ?? '', fresh)
    await waitForLock(fresh, run.child)
    run.child.kill(signal)
    const { code, stderr } = await run.ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped. What was done is whole')])
    expect(existsSync(join(fresh, '.catalog.lock'))).toBe(false)
    expect(leftovers(run.child.pid)).toEqual([])
    expect(loadCatalog(fresh).skills.length).toBeLessThan(SKILLS)
    await runImport(sources[0] ?? '', fresh, { date: '2026-05-05' })
    expect(loadCatalog(fresh).skills).toHaveLength(SKILLS)
  },
)
