import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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
import { KILLS, SLOWEST, killCommand, spreadKills } from '../testing/run-command.ts'

afterAll(removeFolders)

const SKILLS = 80

const makeSource = (version: string): string => {
  const files = Array.from({ length: SKILLS }, (_, at): [string, string][] => [
    [`s${at}/SKILL.md`, sampleSkillMd(`skill ${at}`, `Version ${version}.`)],
    [`s${at}/references/${version}.md`, version],
    [`s${at}/references/both.md`, version.repeat(5_000)],
  ])
  return makeSampleFolder(Object.fromEntries(files.flat()) as SampleFiles)
}

/** The files of a catalog, without the times at which its skills came in. */
const readUndated = (content: string): SampleFiles =>
  Object.fromEntries(
    Object.entries(readSampleTree(content)).map(([path, text]) => [
      path,
      text.replace(/"added": "[^"]*"/, '"added": ""'),
    ]),
  )

const idsOf = (content: string): Map<string, number> =>
  new Map(loadCatalog(content).skills.map(({ slug, id }) => [slug, id]))

test(
  `import killed ${KILLS} times, first during a first import: the catalog loads with all its ids, and another run completes it`,
  async () => {
    const [one = '', two = ''] = [makeSource('1'), makeSource('2')]
    const content = makeContent()
    for (const [at, delay] of spreadKills(60).entries()) {
      const before = at === 0 ? new Map<string, number>() : idsOf(content)
      const from = at % 2 === 0 ? one : two
      const args = ['import', from, '--own', '--date', '2026-05-05', '--into', content]
      await killCommand(content, delay, ...args)
      const after = idsOf(content)
      expect(after.size).toBeGreaterThanOrEqual(before.size)
      for (const [slug, id] of before) expect(after.get(slug)).toBe(id)
    }
    await runImport(two, content, { date: '2026-05-05' })
    const clean = makeContent()
    await runImport(two, clean, { date: '2026-05-05' })
    expect(readUndated(content)).toEqual(readUndated(clean))
    expect(readdirSync(join(content, 'skills')).filter((name) => name.startsWith('.'))).toEqual([])
  },
  KILLS * SLOWEST,
)
