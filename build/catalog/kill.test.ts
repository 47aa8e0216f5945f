import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadCatalog } from '../../src/catalog/load.ts'
import { SITE } from '../../src/catalog/testing/content.ts'
import {
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from './import/testing/sample-repository.ts'
import { killCommand, runCommand } from './testing/run-command.ts'

/** How often each command is killed, each time at another moment: `KILLS=50` for a long run. */
const KILLS = Number(process.env['KILLS'] ?? 1)

afterAll(removeFolders)

/** Six skills with enough files for writing and removing them to take some milliseconds. */
const makeFiles = (words: string, prefix = 's'): Record<string, string> => {
  const files: Record<string, string> = {}
  for (let at = 0; at < 6 * 8; at += 1) {
    const slug = `${prefix}${at % 6}`
    files[`${slug}/SKILL.md`] = sampleSkillMd(slug, 'Sorts words.', words)
    files[`${slug}/references/${at}.md`] = words
  }
  return files
}

const source = makeRepository({ LICENSE: MIT_TEXT, ...makeFiles('one') })
const other = makeRepository({ LICENSE: MIT_TEXT, ...makeFiles('x', 'o') }, { path: 'eve/other' })
const registry = makeRepository({ 'content/site.json': SITE }, { path: 'bob/registry' })
const content = join(registry.folder, 'content')

const COMMANDS: [name: string, ...string[]][] = [
  ['import', makeSampleFolder(makeFiles('y', 'i')), '--own', '--date', '2026-01-02', '--into'],
  ['add', other.address, '--source', 'https://github.com/eve/other', '--content'],
  ['update', '--content'],
  ['set', '*', 'difficulty=Advanced', '--content'],
  ['retire', 's0', '--content'],
  ['move', 's0', 't0', '--content'],
  ['reject', 's0', '--content'],
]

/** Two versions of each skill are committed, and the source has a third. */
beforeAll(async () => {
  await runCommand('add', source.address, '--source', WEB, '--content', content)
  registry.commit({}, '2026-01-02')
  source.commit(makeFiles('two'), '2026-01-03')
  await runCommand('update', '--content', content)
  registry.commit({}, '2026-01-04')
  source.commit(makeFiles('three'), '2026-01-05')
})

/**
 * All files but for the times at which skills came in, and what git says about them. A killed command leaves the file of
 * its lock, which a second run that has nothing to write does not take.
 */
const observe = () => {
  rmSync(join(content, '.catalog.lock'), { force: true })
  return [
    Object.entries(readSampleTree(content)).map(
      ([path, text]) => `${path}\n${text.replace(/"added": "[^"]*"/, '')}`,
    ),
    registry.git('status', '--porcelain', '--untracked-files=all'),
  ]
}

const undo = (): void => {
  registry.git('reset', '--quiet', '--hard')
  registry.git('clean', '--quiet', '-ffdx')
}

afterEach(undo)

test.each(COMMANDS)(
  `%s killed ${KILLS} times -> the catalog loads, a second run completes it, and git undoes it`,
  async (...args) => {
    const before = observe()
    const start = performance.now()
    await runCommand(...args, content)
    const longest = performance.now() - start
    const whole = observe()
    expect(whole).not.toEqual(before)
    undo()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const share = (kill + Math.random()) / KILLS
      await killCommand(content, share * longest, ...args, content)
      loadCatalog(content)
      // Files that a killed reject has written are changes that it would not overwrite.
      if (args[0] === 'reject')
        registry.git('restore', '--staged', '--worktree', '--', 'content/skills')
      expect([0, 3]).toContain((await runCommand(...args, content)).code)
      expect(observe(), `killed at ${share} of its time`).toEqual(whole)
      undo()
      expect(observe()).toEqual(before)
    }
  },
)
