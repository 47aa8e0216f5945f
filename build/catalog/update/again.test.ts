import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { SITE } from '../../../src/catalog/testing/content.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { makeSampleFolder, removeFolders, sampleSkillMd } from '../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'

afterEach(removeFolders)

const inCategory = (name: string, category: string): string =>
  sampleSkillMd(name, `Does ${name}.`).replace(
    '\n---\n',
    `\nmetadata:\n  category: ${category}\n---\n`,
  )

const CODING = { name: 'Coding', description: 'Code' }
const PAYMENTS = { name: 'Payments', description: 'Money' }

/** Makes a catalog with one category, which follows a repository with skills of two. */
const follow = async (...options: readonly string[]) => {
  const repository = makeRepository({
    LICENSE: MIT_TEXT,
    'skills/code-one/SKILL.md': inCategory('code-one', 'Coding'),
    'skills/pay-one/SKILL.md': inCategory('pay-one', 'Payments'),
  })
  const content = makeSampleFolder()
  const setCategories = (...categories: readonly object[]): void =>
    writeFileSync(join(content, 'site.json'), JSON.stringify({ ...SITE, categories }))
  setCategories(CODING)
  const call = (...args: readonly string[]) => runCommand(...args, '--content', content)
  const added = await call('add', repository.address, '--source', WEB, ...options)
  const slugs = (): string[] => loadCatalog(content).skills.map(({ slug }) => slug)
  const readJson = (path: string) => JSON.parse(readFileSync(join(content, path), 'utf8'))
  return { repository, content, call, added, slugs, setCategories, readJson }
}

/** Makes a catalog with both categories and both skills. */
const followBoth = async () => {
  const started = await follow()
  started.setCategories(CODING, PAYMENTS)
  await started.call('update')
  return started
}

describe('a skill left out for a reason of the catalog', () => {
  test('a missing category -> told by every update, and imported once the category is there', async () => {
    const { call, added, slugs, setCategories } = await follow()
    const reason = /pay-one\/SKILL\.md: (?:there is no category "?Payments|no category is chosen)/
    expect(added.stdout).toMatch(reason)
    expect((await call('update')).stdout).toMatch(reason)
    expect(slugs()).toEqual(['code-one'])
    setCategories(CODING, PAYMENTS)
    await call('update')
    expect(slugs()).toEqual(['code-one', 'pay-one'])
    expect((await call('update')).stdout).toContain(': unchanged')
  })

  test('a retired skill -> unchanged until its row is gone, then imported', async () => {
    const { content, call, slugs, readJson } = await followBoth()
    await call('retire', 'code-one')
    expect((await call('update')).stdout).toContain(': unchanged')
    const [{ source: _source, ...row }] = readJson('retired.json')
    writeFileSync(join(content, 'retired.json'), JSON.stringify([row]))
    await call('update')
    expect(slugs()).toEqual(['pay-one', 'code-one-ada'])
  })

  test('a row that goes before the next update -> imported, too', async () => {
    const { content, call, slugs } = await followBoth()
    await call('retire', 'code-one')
    rmSync(join(content, 'retired.json'))
    await call('update')
    expect(slugs()).toContain('code-one')
  })

  test('a skill folder that a curator deleted -> imported again', async () => {
    const { content, call, slugs } = await followBoth()
    rmSync(join(content, 'skills/pay-one'), { recursive: true })
    await call('update')
    expect(slugs()).toEqual(['code-one', 'pay-one'])
  })
})

describe('two rows with one address', () => {
  const OTHER = 'https://github.com/ann/kit'
  const TWICE = [
    ['the same', { address: OTHER }, { address: OTHER, author: 'ann' }],
    ['another spelling', { address: OTHER }, { address: 'https://GitHub.com/Ann/kit.git/' }],
    ['a ref in the address', { address: OTHER, ref: 'v2' }, { address: `${OTHER}/tree/v2` }],
  ] as const

  test.each(TWICE)('%s -> update and check refuse them and name both', async (_, first, second) => {
    const { content, call } = await follow()
    writeFileSync(join(content, 'sources.json'), JSON.stringify([first, second]))
    const words = `sources.json: 1.address: "${second.address}" — an earlier row follows the same, ${showValue(first.address)}`
    expect(await call('update')).toMatchObject({ code: 1, text: expect.stringContaining(words) })
    const checked = await runCommand('check', content)
    expect(checked.stdout).toContain('an earlier row follows the same')
    expect(checked.code).toBe(1)
  })

  test('two folders, or two branches, of one repository -> two sources', async () => {
    const { content } = await follow()
    const rows = [
      { address: OTHER },
      { address: OTHER, ref: 'v2' },
      { address: `${OTHER}/tree/main/a` },
    ]
    writeFileSync(join(content, 'sources.json'), JSON.stringify(rows))
    expect((await runCommand('check', content)).stdout).not.toContain('an earlier row')
  })
})

describe('a folder that takes the name of a skill that disappeared', () => {
  const OTHER = inCategory('pay-one', 'Payments')
    .replace('Does', 'Takes over')
    .replace('Sort.', 'Else.')

  test('other text -> new, with a remark, and the id stays with the old skill', async () => {
    const { repository, call, readJson } = await followBoth()
    const { id } = readJson('skills/pay-one/skill.json')
    repository.commit({ 'late/pay/SKILL.md': OTHER }, '2026-02-02', ['skills/pay-one'])
    const { stdout } = await call('update')
    expect(stdout).toContain('pay-one-ada')
    expect(stdout).toContain(
      'looks like pay-one, renamed: `npm run catalog -- move pay-one pay-one-ada` keeps its id',
    )
    expect(readJson('skills/pay-one/skill.json')).toMatchObject({
      id,
      source: { url: expect.stringContaining('/skills/pay-one') },
    })
  })

  test('the same text with another file -> new, with a remark', async () => {
    const { repository, call, readJson } = await followBoth()
    const files = {
      'late/pay/SKILL.md': inCategory('pay-one', 'Payments'),
      'late/pay/run.sh': 'echo',
    }
    repository.commit(files, '2026-02-02', ['skills/pay-one'])
    expect((await call('update')).stdout).toContain('looks like pay-one, renamed')
    expect(readJson('skills/pay-one/skill.json').source.url).toContain('/skills/pay-one')
  })

  test('the same files -> the skill moved, and keeps its id', async () => {
    const { repository, call, readJson, slugs } = await followBoth()
    const { id } = readJson('skills/pay-one/skill.json')
    repository.commit({ 'late/pay/SKILL.md': inCategory('pay-one', 'Payments') }, '2026-02-02', [
      'skills/pay-one',
    ])
    await call('update')
    expect(slugs()).toEqual(['code-one', 'pay-one'])
    expect(readJson('skills/pay-one/skill.json')).toMatchObject({
      id,
      source: { url: expect.stringContaining('/late/pay') },
    })
  })
})

describe('a name that looks like that of a listed skill', () => {
  test.each([
    ['full-width letters', 'ｐａｙ-one'],
    ['Cyrillic letters', 'раy-оne'],
    ['a digit for a letter', 'pay-0ne'],
    ['a hidden character', 'pay\u200B-one'],
  ])('%s -> told', async (_, name) => {
    const { repository, call } = await followBoth()
    const text = inCategory(name, 'Payments').replace(/description: .*/, 'description: Also pays.')
    repository.commit({ 'skills/other/SKILL.md': text }, '2026-02-02')
    expect((await call('update')).stdout).toContain('its name looks like that of pay-one')
  })

  test.each(['pay-two', 'repay-one'])('%s -> not told', async (name) => {
    const { repository, call } = await followBoth()
    repository.commit({ 'skills/other/SKILL.md': inCategory(name, 'Payments') }, '2026-02-02')
    expect((await call('update')).stdout).not.toContain('looks like')
  })
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

describe('a source whose history was rewritten', () => {
  test.each(['findings', 'files', 'all'])(
    'review of %s -> the new commit stands, the day stays, and nothing needs a look',
    async (review) => {
      const { repository, call, readJson } = await follow('--review', review)
      const before = readJson('skills/code-one/skill.json')
      rewrite(repository)
      expect((await call('update')).code).toBe(0)
      const after = readJson('skills/code-one/skill.json')
      const [, commit = ''] = /tree\/([0-9a-f]+)/.exec(after.source.url) ?? []
      expect(repository.git('cat-file', '-t', commit)).toBe('commit')
      expect(after).toEqual({
        ...before,
        source: { ...before.source, url: after.source.url },
      })
    },
  )

  test('a commit more -> the older one, which is still there, stands', async () => {
    const { repository, call, readJson } = await follow()
    const before = readJson('skills/code-one/skill.json')
    repository.commit({ 'README.md': 'More.' }, '2026-02-02')
    await call('update')
    expect(readJson('skills/code-one/skill.json')).toEqual(before)
  })

  test('a rewrite that changes a skill, too -> each of its skills names a commit that is there', async () => {
    const { repository, call, readJson } = await followBoth()
    rewrite(repository)
    repository.commit(
      { 'skills/pay-one/SKILL.md': inCategory('pay-one', 'Payments') + 'Now.' },
      '2026-03-03',
    )
    await call('update')
    for (const slug of ['code-one', 'pay-one']) {
      const [, commit = ''] = /tree\/([0-9a-f]+)/.exec(
        readJson(`skills/${slug}/skill.json`).source.url,
      )!
      expect(repository.git('cat-file', '-t', commit)).toBe('commit')
    }
  })
})
