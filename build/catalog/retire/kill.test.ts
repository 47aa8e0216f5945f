import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import { removeFolders, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { makeRepository } from '../import/testing/sample-repository.ts'
import { KILLS, SLOWEST, killCommand, runCommand, spreadKills } from '../testing/run-command.ts'

afterEach(removeFolders)

/** Enough files for their removal to take some milliseconds. */
const FILES = 200

const skill = (slug: string, id: number, words: string): [string, string][] => [
  [`content/skills/${slug}/skill.json`, JSON.stringify({ ...OWN_RECORD, id })],
  [`content/skills/${slug}/SKILL.md`, sampleSkillMd(slug)],
  ...Array.from({ length: FILES }, (_, at): [string, string] => [
    `content/skills/${slug}/references/${at}.md`,
    words,
  ]),
]

const skills = (words: string) =>
  Object.fromEntries(
    Array.from({ length: KILLS }, (_, at) => skill(`s${at}`, at + 1, words)).flat(),
  )

test(
  `retire, move and reject killed ${KILLS} times: the catalog loads, and a second run completes them`,
  async () => {
    const { folder, commit, git } = makeRepository({
      'content/site.json': JSON.stringify({ ...SITE, starter: ['s0', 's1', 's2', 's3'] }),
      ...Object.fromEntries(skill('untouched', 1_000, 'one')),
      ...skills('one'),
    })
    commit(skills('two'), '2026-01-02')
    const content = join(folder, 'content')
    for (const [at, delay] of spreadKills(200).entries()) {
      const slug = `s${at}`
      const command = [
        ['retire', slug],
        ['move', slug, `t${at}`],
        ['reject', slug],
      ][at % 3]!
      const args = [...command, '--content', content]
      await killCommand(content, delay, ...args)
      expect(loadCatalog(content).skills.length).toBeGreaterThan(0)
      // The files that a killed reject has written are changes that it would not overwrite.
      if (at % 3 === 2) git('restore', '--staged', '--worktree', '--', `content/skills/${slug}`)
      expect(await runCommand(...args)).toMatchObject({ code: 0 })
      const { skills: left, retired } = loadCatalog(content)
      expect(left.some((one) => one.slug === slug)).toBe(at % 3 === 2)
      expect(retired.some((one) => one.slug === slug)).toBe(at % 3 !== 2)
      expect(git('status', '--porcelain', 'content/skills').match(/^(?:.[^ ]|\?\?).*/gm)).toBe(null)
    }
  },
  KILLS * SLOWEST,
)
