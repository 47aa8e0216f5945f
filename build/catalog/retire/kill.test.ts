import { afterEach, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, removeFolders, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { KILLS, SLOWEST, killCommand, runCommand, spreadKills } from '../testing/run-command.ts'

afterEach(removeFolders)

/** Enough files for their removal to take some milliseconds. */
const FILES = 200

const skill = (slug: string, id: number): [string, string][] => [
  [`skills/${slug}/skill.json`, JSON.stringify({ ...OWN_RECORD, id })],
  [`skills/${slug}/SKILL.md`, sampleSkillMd(slug)],
  ...Array.from({ length: FILES }, (_, at): [string, string] => [
    `skills/${slug}/references/${at}.md`,
    'text',
  ]),
]

test(
  `retire and move killed ${KILLS} times: the catalog loads, and a second run completes them`,
  async () => {
    const content = makeSampleFolder({
      'site.json': JSON.stringify({ ...SITE, starter: ['s0', 's1', 's2', 's3'] }),
      'counters.json': JSON.stringify({ 1: { views: 3, installs: 2 } }),
      ...Object.fromEntries([
        ...skill('untouched', 1_000),
        ...Array.from({ length: KILLS }, (_, at) => skill(`s${at}`, at + 1)).flat(),
      ]),
    })
    for (const [at, delay] of spreadKills(20).entries()) {
      const command = [
        ['retire', `s${at}`],
        ['move', `s${at}`, `t${at}`],
      ][at % 2] as string[]
      const args = [...command, '--content', content]
      await killCommand(content, delay, ...args)
      const meanwhile = loadCatalog(content)
      expect(meanwhile.skills.length).toBeGreaterThan(0)
      expect(await runCommand(...args)).toMatchObject({ code: 0 })
      const { skills, retired } = loadCatalog(content)
      expect(skills.some(({ slug }) => slug === `s${at}`)).toBe(false)
      expect(retired.some(({ slug }) => slug === `s${at}`)).toBe(true)
    }
  },
  KILLS * SLOWEST,
)
