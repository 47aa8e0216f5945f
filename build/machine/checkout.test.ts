import { chmodSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { addFiles, makeSampleFolder } from '../../testing/sample-folders.ts'
import { makeRepository } from '../catalog/import/testing/sample-repository.ts'
import { readSkillBits } from './checkout.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const FILES = {
  'README.md': '# x',
  'content/site.json': '{}',
  'content/skills/a/SKILL.md': 'a',
  'content/skills/a/scripts/ein Würfel.sh': 'ls',
  'content/skills/b/SKILL.md': 'b',
}

/** A checkout with one executable file in git's index, on a disk that gives every file the same mode. */
const makeCheckout = (fileMode: string) => {
  const repository = makeRepository(FILES)
  const { folder, git } = repository
  git('update-index', '--chmod=+x', 'content/skills/a/scripts/ein Würfel.sh')
  git('config', 'core.fileMode', fileMode)
  symlinkSync('SKILL.md', join(folder, 'content/skills/b/link.md'))
  git('add', 'content/skills/b/link.md')
  addFiles(folder, { 'content/skills/c/SKILL.md': 'untracked', 'content/skills/b/new.sh': 'ls' })
  return repository
}

const showBits = (content: string) => {
  const { ofSkill, fault } = readSkillBits(content)
  const bits = ['a', 'b', 'c'].map((slug) => {
    const ofFiles = ofSkill(slug)
    return ofFiles && Object.fromEntries(ofFiles)
  })
  return fault === undefined ? bits : { bits, fault }
}

const KNOWN = [{ 'SKILL.md': false, 'scripts/ein Würfel.sh': true }, { 'SKILL.md': false }, {}]
const NONE = [undefined, undefined, undefined]

test('core.fileMode is false -> the bits of tracked files in the index', () => {
  expect(showBits(join(makeCheckout('false').folder, 'content'))).toEqual(KNOWN)
})

test('core.fileMode is true, or there is no repository -> the bits on the disk', () => {
  expect(showBits(join(makeCheckout('true').folder, 'content'))).toEqual(NONE)
  expect(showBits(join(makeSampleFolder(FILES), 'content'))).toEqual(NONE)
  expect(showBits(join(makeSampleFolder(), 'content'))).toEqual(NONE)
})

test('the content folder is a link, a whole repository, or in a separate work tree', () => {
  const { folder, git } = makeCheckout('false')
  const link = join(makeSampleFolder(), 'content')
  symlinkSync(join(folder, 'content'), link)
  expect(showBits(link)).toEqual(KNOWN)
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--message', 'two')
  const beside = join(makeSampleFolder(), 'beside')
  git('worktree', 'add', '--quiet', '--detach', beside)
  expect(showBits(join(beside, 'content'))).toEqual(KNOWN)
  const whole = makeRepository({ 'skills/a/SKILL.md': 'a' })
  whole.git('config', 'core.fileMode', 'false')
  expect(showBits(whole.folder)).toEqual([{ 'SKILL.md': false }, {}, {}])
})

test('a program in the settings of the repository -> is not run', () => {
  const { folder, git } = makeCheckout('false')
  const mark = join(folder, 'ran')
  const program = join(makeSampleFolder({ x: `#!/bin/sh\ntouch '${mark}'\n` }), 'x')
  chmodSync(program, 0o755)
  git('config', 'core.fsmonitor', program)
  expect(showBits(join(folder, 'content'))).toEqual(KNOWN)
  expect(existsSync(mark)).toBe(false)
})

test('git fails -> the bits on the disk, and the reason', () => {
  const broken = makeSampleFolder({ ...FILES, '.git/HEAD': 'x' })
  expect(showBits(join(broken, 'content'))).toEqual({
    bits: NONE,
    fault: expect.stringContaining('inside a git repository'),
  })
  const { folder } = makeCheckout('false')
  vi.stubEnv('PATH', makeSampleFolder())
  const fault = 'git is not installed'
  expect(showBits(join(folder, 'content'))).toEqual({ bits: NONE, fault })
})
