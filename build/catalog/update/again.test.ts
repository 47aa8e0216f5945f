import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { showValue } from '../../../src/catalog/text.ts'
import {
  addFiles,
  makeContent,
  makeSampleFolder,
  sampleSkillMd,
  skillFiles,
} from '../../../testing/sample-folders.ts'
import { MIT_TEXT, makeRepository } from '../import/testing/sample-repository.ts'
import { makeCatalog, openCatalog, ownSkill } from '../testing/catalog.ts'
import { runCommand } from '../testing/run-command.ts'
import { follow } from './testing/followed.ts'

const followBoth = () => follow({ ...skillFiles('code-one'), ...skillFiles('pay-one') })

test('a retired skill -> unchanged until its row is gone, or without its source; one that was deleted -> again', async () => {
  const { content, call, slugs, read } = await followBoth()
  await call('retire', 'code-one')
  expect((await call('update')).stdout).toContain(': unchanged')
  const [{ source: _source, ...row }] = JSON.parse(read('retired.json'))
  addFiles(content, { 'retired.json': [row] })
  await call('update')
  expect(slugs()).toEqual(['pay-one', 'code-one-ada'])
  rmSync(join(content, 'retired.json'))
  for (const slug of slugs()) rmSync(join(content, 'skills', slug), { recursive: true })
  await call('update')
  expect(slugs()).toEqual(['code-one', 'pay-one'])
})

const OTHER = 'https://github.com/ann/kit'

test('two rows with one address, in any spelling -> update and check refuse them and name both, but not with another ref or folder', async () => {
  const rows = [
    { address: OTHER },
    { address: OTHER, author: 'ann' },
    { address: 'https://GitHub.com/Ann/kit.git/' },
    { address: OTHER, ref: 'v2' },
    { address: `${OTHER}/tree/v2` },
    { address: `${OTHER}/tree/x/a` },
  ]
  const { call } = makeCatalog({ ...ownSkill('a'), 'sources.json': rows })
  const { code, text } = await call('update')
  const told = [1, 2, 4].map((at) => {
    const words = `an earlier row follows the same, ${showValue(OTHER)}`
    return expect.stringContaining(`${at}.address: "${rows[at]?.address}" — ${words}`)
  })
  expect([code, text.match(/^sources\.json: .*/gm)]).toEqual([1, told])
  expect((await call('check')).stdout.match(/ an earlier row follows the same/g)).toHaveLength(3)
})

const PAY = sampleSkillMd('pay-one', 'Does pay-one.')

test.each([
  ['other text', { 'SKILL.md': PAY.replace('Does', 'Pays').replace('Sort.', 'Else.') }, false],
  ['the same text and another file', { 'SKILL.md': PAY, 'run.sh': 'echo' }, false],
  ['the same files', { 'SKILL.md': PAY }, true],
])('a folder takes the name of a skill that disappeared, with %s', async (_, files, isMoved) => {
  const { source, call, recordOf, slugs } = await followBoth()
  const { id } = recordOf('pay-one')
  addFiles(join(source.folder, 'late/pay'), files)
  source.commit({}, '2026-02-02', ['skills/pay-one'])
  const { stdout } = await call('update')
  const words =
    'looks like pay-one, renamed: `npm run catalog -- move pay-one pay-one-ada` keeps its id'
  expect(stdout.includes(words)).toBe(!isMoved)
  expect(slugs()).toEqual(['code-one', 'pay-one', ...(isMoved ? [] : ['pay-one-ada'])])
  const url = expect.stringContaining(isMoved ? '/late/pay' : '/skills/pay-one')
  expect(recordOf('pay-one')).toMatchObject({ id, source: { url } })
})

test('a name that looks like that of a listed skill -> told', async () => {
  const { source, call } = await followBoth()
  // Full-width and Cyrillic letters, a digit for a letter, a hidden character; and two that only begin or end alike.
  const names = ['ｐａｙ-one', 'раy-оne', 'pay-0ne', 'pay\u200B-one', 'pay-two', 'repay-one']
  const files = names.map((name, at) => [
    `skills/other-${at}/SKILL.md`,
    sampleSkillMd(name, `Pays ${at}.`),
  ])
  source.commit(Object.fromEntries(files), '2026-02-02')
  const { stdout } = await call('update')
  expect(stdout.match(/its name looks like that of pay-one/g)).toHaveLength(4)
})

/** Replaces the history by one commit, and removes the old one. */
const rewrite = ({ git }: ReturnType<typeof makeRepository>): void => {
  git('checkout', '--quiet', '--orphan', 'fresh')
  git('commit', '--quiet', '--message', 'fresh')
  git('branch', '--delete', '--force', 'main')
  git('branch', '--move', 'main')
  git('reflog', 'expire', '--expire=now', '--all')
  git('gc', '--quiet', '--prune=now')
}

test('a source whose history was rewritten -> the new commit stands, the day stays; with a change, too -> each skill names a commit that is there', async () => {
  const { source, call, recordOf } = await followBoth()
  const before = recordOf('code-one')
  rewrite(source)
  expect((await call('update')).code).toBe(0)
  const { url } = recordOf('code-one').source
  expect(recordOf('code-one')).toEqual({ ...before, source: { ...before.source, url } })
  rewrite(source)
  source.commit({ 'skills/pay-one/SKILL.md': `${PAY}Now.` }, '2026-03-03')
  await call('update')
  for (const address of [
    url,
    ...['code-one', 'pay-one'].map((slug) => recordOf(slug).source.url),
  ]) {
    const [, commit = ''] = /tree\/([0-9a-f]+)/.exec(address) ?? []
    expect(source.git('cat-file', '-t', commit)).toBe('commit')
  }
})

afterEach(() => {
  vi.useRealTimers()
})

test('a skill comes in when it is imported or started, however old its source, and with each change of its own', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const content = makeContent()
  const { recordOf } = openCatalog(content)
  const at = async (time: string, ...args: readonly string[]): Promise<void> => {
    vi.setSystemTime(time)
    await runCommand(...args, args[0] === 'import' ? '--into' : '--content', content)
  }
  const gold = makeRepository({ LICENSE: MIT_TEXT, ...skillFiles('gold') }, { day: '2024-05-01' })
  const add = ['add', gold.address, '--source', 'https://github.com/ada/x']
  await at('2026-11-22T08:00:00.789Z', ...add)
  const first = { updated: '2024-05-01', added: '2026-11-22T08:00:00Z' }
  expect(recordOf('gold')).toMatchObject(first)
  for (const hour of [13, 15]) {
    gold.commit(skillFiles('gold', `Changed at ${hour}.`), '2026-11-23')
    await at(`2026-11-23T${hour}:00:00Z`, 'update')
    const added = `2026-11-23T${hour}:00:00Z`
    expect(recordOf('gold')).toMatchObject({ updated: '2026-11-23', added })
  }
  const args = ['import', makeSampleFolder(skillFiles('mine')), '--own', '--date=2020-01-01']
  await at('2026-11-24T08:00:00Z', ...args)
  const before = ['gold', 'mine'].map(recordOf)
  expect(before[1]).toMatchObject({ updated: '2020-01-01', added: '2026-11-24T08:00:00Z' })
  gold.commit({ 'README.md': 'More.' }, '2026-11-25')
  await at('2026-11-25T08:00:00Z', 'update')
  await at('2026-11-25T09:00:00Z', ...args)
  // The source of the first is still the older commit.
  expect(['gold', 'mine'].map(recordOf)).toEqual(before)
  await at('2026-11-25T10:00:00Z', 'new', 'fresh', '--category', 'Writing')
  expect(recordOf('fresh').added).toBe('2026-11-25T10:00:00Z')
})
