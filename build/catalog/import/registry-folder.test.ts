import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { makeContent, makeSampleFolder, sampleSkillMd } from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { runCommand } from '../testing/run-command.ts'
import { followAddress } from '../update/testing/followed.ts'
import { MIT_TEXT, makeRepository } from './testing/sample-repository.ts'

const BOB = 'https://github.com/bob/skills'
const OWN = { kind: 'own' }
const COPIED = { kind: 'upstream', url: `${BOB}/tree/main/copied`, status: 'alive' }

/** The files of a skill in a registry; a later version of this software may write fields that we do not know. */
const skill = (slug: string, source: object, at = 'skills'): SampleFiles => ({
  [`${at}/${slug}/SKILL.md`]: sampleSkillMd(slug, `Does ${slug}.`),
  [`${at}/${slug}/skill.json`]: { id: 1, source, later: true },
})

const REGISTRY = {
  'site.json': '{}',
  'sources.json': [{ address: BOB, later: true }, { address: 'git@git.example:eve/skills.git' }],
  ...skill('own', OWN),
  ...skill('copied', COPIED),
  ...skill('waiting', OWN, 'pending/skills'),
  'skills/copied/skills/inner/SKILL.md': sampleSkillMd('inner', 'Does inner.'),
  'skills/broken/SKILL.md': sampleSkillMd('broken', 'Does broken.'),
  'skills/broken/skill.json': '{',
}

const inFolder = (folder: string, files: SampleFiles): SampleFiles =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))

const makeSource = (files: SampleFiles) => makeRepository({ LICENSE: MIT_TEXT, ...files })

const add = async (address: string, ...more: string[]) => {
  const world = await followAddress(makeContent(), address, ...more)
  return { ...world, ...world.added, stdout: world.added.stdout.replaceAll('`', '') }
}

test('add of a repository that is a registry -> takes its own skills, and lists the addresses that it follows, once', async () => {
  const { address, commit } = makeSource(inFolder('content', REGISTRY))
  const { code, stdout, slugs, call } = await add(address)
  expect(code).toBe(3)
  expect(slugs()).toEqual(['own'])
  const left = 'it belongs to another registry'
  const copied = `${left}: a copy, not a skill of its own — follow "${COPIED.url}" instead`
  expect(stdout).toContain(`content/skills/copied: ${copied}`)
  expect(stdout).toContain(`content/skills/copied/skills/inner: ${copied}`)
  expect(stdout).toContain(`content/skills/broken: ${left}: a copy`)
  expect(stdout).toContain(`content/pending/skills/waiting: ${left}: it waits for review there`)
  const followed = [`- ${BOB}`, '- git@git.example:eve/skills.git']
  expect(stdout).toContain(`; add them from there\n\n${followed.join('\n')}\n`)
  commit(inFolder('content', skill('second', OWN)), '2026-01-02')
  const updated = await call('update')
  expect(slugs()).toEqual(['own', 'second'])
  expect(updated.stdout).not.toContain('Followed by these registries')
})

test.each([
  ['without site.json', 'site.json'],
  ['without a record', 'skills/copied/skill.json'],
])('add of a registry %s -> is an ordinary repository', async (_, missing) => {
  const { address, commit } = makeSource({ 'site.json': '{}', ...skill('copied', COPIED) })
  commit({}, '2026-01-02', [missing])
  expect((await add(address)).slugs()).toEqual(['copied'])
})

test('import of a registry’s skills folder -> takes its own skills, and lists what it follows', async () => {
  const source = makeSampleFolder({ LICENSE: MIT_TEXT, ...REGISTRY })
  rmSync(join(source, 'skills/broken'), { recursive: true })
  const content = makeContent()
  const args = ['import', join(source, 'skills'), '--own', '--into', content]
  const { code, stdout } = await runCommand(...args)
  expect(code).toBe(0)
  expect(loadCatalog(content).skills.map(({ slug }) => slug)).toEqual(['own'])
  expect(stdout).toMatch(new RegExp(`## Followed by these registries.*\n\n- \`${BOB}\`\n`))
})
