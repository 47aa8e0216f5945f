import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  makeSampleFolder,
  removeFolders,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import { CommandError } from '../../cli/command.ts'
import { parseGitAddress } from '../address.ts'
import { makeRepository, runGitFor } from '../testing/sample-repository.ts'
import type { SampleRepository } from '../testing/sample-repository.ts'
import { Repository } from './repository.ts'

afterEach(removeFolders)

const open = (address: string, limits = {}, signal = new AbortController().signal) =>
  Repository.create(join(makeSampleFolder(), 'git'), parseGitAddress(address), signal, { limits })

const fetchAt = async (address: string, limits = {}) => {
  const repository = await open(address, limits)
  return { repository, ...(await repository.fetchCommit(parseGitAddress(address))) }
}

/** Commits folders in folders: ten files for ten times as many each step. */
const commitBomb = ({ folder, git }: SampleRepository, steps: number): void => {
  const makeTree = (lines: readonly string[]): string =>
    runGitFor(folder, ['mktree'], '2026-01-01', `${lines.join('\n')}\n`)
  const blob = runGitFor(folder, ['hash-object', '-w', '--stdin'], '2026-01-01', 'x')
  let tree = makeTree([`100644 blob ${blob}\tSKILL.md`])
  for (let step = 0; step < steps; step += 1) {
    tree = makeTree(Array.from({ length: 10 }, (_, at) => `040000 tree ${tree}\t${at}`))
  }
  git('update-ref', 'refs/heads/main', git('commit-tree', tree, '-m', 'x'))
}

describe('bounds', () => {
  test('folders in folders, ten thousand million files of one -> refused before they are listed', async () => {
    const sample = makeRepository({})
    commitBomb(sample, 10)
    const { repository, commit } = await fetchAt(sample.address, {
      entries: 1_000,
    })
    await expect(repository.listEntries(commit)).rejects.toThrow(/more than 1000 files/)
  })

  test('more bytes than are allowed -> refused', async () => {
    const noise = Array.from({ length: 5_000 }, (_, at) => Math.sin(at)).join()
    const { address } = makeRepository({ 'a/SKILL.md': noise })
    await expect(fetchAt(address, { bytes: 20_000 })).rejects.toThrow(/more than 20000 bytes/)
  })

  test('aborted -> throws the abort reason', async () => {
    const { address } = makeRepository({ x: '' })
    const controller = new AbortController()
    controller.abort(new CommandError('Stopped.'))
    await expect(open(address, {}, controller.signal)).rejects.toThrow('Stopped.')
  })
})

test.each([
  ['/tree/nope', /no branch or tag "nope"/],
  ['/tree/0123456789012345678901234567890123456789', /no such branch, tag or commit|damaged/],
  ['/tree/--upload-pack=x', /no branch or tag "--upload-pack=x"/],
])('%s -> reported', async (tree, message) => {
  const { address } = makeRepository({ x: '' })
  await expect(fetchAt(address + tree)).rejects.toThrow(CommandError)
  await expect(fetchAt(address + tree)).rejects.toThrow(message)
})

test('an empty repository -> reported', async () => {
  const folder = makeSampleFolder()
  runGitFor(folder, ['init', '--quiet'])
  await expect(fetchAt(`file://${folder}`)).rejects.toThrow(CommandError)
})

test('contents of any size, empty and with line ends -> unchanged and in order', async () => {
  const texts = [
    '',
    '\n',
    'a\n\nb',
    'x'.repeat(300_000),
    sampleSkillMd('a'),
    'blob 12\n',
    '\0\u00FF',
  ]
  // More than one batch.
  texts.push('y'.repeat(9_000_000), 'z'.repeat(9_000_000))
  const files = Object.fromEntries(texts.map((text, at) => [`${at}.md`, text]))
  const { repository, commit } = await fetchAt(makeRepository(files).address)
  const entries = (await repository.listEntries(commit)).filter(({ path }) => path.endsWith('.md'))
  const read: string[] = []
  for await (const { bytes } of repository.readContents(entries)) {
    read.push(bytes.toString('utf8'))
  }
  expect(read).toEqual(texts)
})

test('the clone of a stranger’s repository -> no hooks, nothing checked out', async () => {
  const { repository } = await fetchAt(makeRepository({ x: '' }).address)
  expect(readdirSync(repository.folder)).not.toContain('hooks')
})
