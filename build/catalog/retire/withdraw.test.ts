import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OWN_RECORD, SITE, skillMd } from '../../../src/catalog/testing/content.ts'
import { openMainLine } from '../../versions/git.ts'
import { nameVersion } from '../../versions/name.ts'
import { readHistory } from '../../versions/read.ts'
import { addCommits, checkOut, makeGitFolder } from '../../versions/testing/repository.ts'
import type { GivenFile } from '../../versions/testing/repository.ts'
import { runCommand } from '../testing/run-command.ts'

const filesOf = (slug: string, body: string) =>
  new Map([
    [`skills/${slug}/skill.json`, JSON.stringify(OWN_RECORD)],
    [`skills/${slug}/SKILL.md`, skillMd(slug, body)],
  ])

/** Makes a catalog with one skill that moved once and has two versions at its current slug. */
const makeCatalog = () => {
  const content = makeGitFolder()
  const names = addCommits(content, [
    { files: filesOf('old', 'one'), at: 1_780_000_000, parents: [] },
    { files: filesOf('near', 'two'), at: 1_780_000_001, parents: [0] },
    { files: filesOf('near', 'three'), at: 1_780_000_002, parents: [1] },
  ])
  checkOut(content, names[2]!)
  const versions = { since: names[0]!, keep: 3 }
  const site = { ...SITE, origin: 'https://r.example', versions }
  writeFileSync(join(content, 'site.json'), JSON.stringify(site))
  const moved = [{ id: OWN_RECORD.id, slug: 'old', movedTo: 'near' }]
  writeFileSync(join(content, 'retired.json'), JSON.stringify(moved))
  const found = readHistory(openMainLine(content, names[0]!), undefined).versions
  const [first = '', second = '', third = ''] = found.flatMap(({ digest }) =>
    digest === undefined ? [] : nameVersion(digest),
  )
  return { content, first, second, third }
}

const withdraw = (content: string, named: string) =>
  runCommand('withdraw', named, '--why', 'It sent files away.', '--content', content)

const readAdvisories = (content: string): object[] =>
  JSON.parse(readFileSync(join(content, 'withdrawn.json'), 'utf8')) as object[]

test('a version -> a row; the second time, nothing to do', async () => {
  const { content, second, third } = makeCatalog()
  const { code, text } = await withdraw(content, `near@${second}`)
  expect(code).toBe(0)
  expect(readAdvisories(content)).toEqual([
    {
      id: expect.stringMatching(/^\d{4}-1$/) as string,
      published: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      summary: 'It sent files away.',
      affected: [{ slug: 'near', versions: [second] }],
    },
  ])
  expect(text).toContain('then purge the caches in front of the site')
  const again = await withdraw(content, `near@${second}`)
  expect(again.text).toMatch(/^nothing to do: \d{4}-1 already withdraws it/)
  const current = await withdraw(content, `near@${third}`)
  expect(current.code).toBe(0)
  expect(readAdvisories(content)).toHaveLength(2)
})

test('the same files under another slug -> named with the command, until they are withdrawn, too', async () => {
  const content = makeGitFolder()
  const files = filesOf('near', 'one')
  const twin = [...files].map(([path, text]) => [path.replace('near', 'twin'), text] as const)
  const record = JSON.stringify({ ...OWN_RECORD, id: 2 })
  const all = new Map([...files, ...twin, ['skills/twin/skill.json', record]])
  const [since = ''] = addCommits(content, [{ files: all, at: 1_780_000_000, parents: [] }])
  checkOut(content, since)
  writeFileSync(
    join(content, 'site.json'),
    JSON.stringify({ ...SITE, versions: { since, keep: 3 } }),
  )
  const found = readHistory(openMainLine(content, since), undefined).versions
  const [name = ''] = found.map(({ digest }) => nameVersion(digest!))
  const words = `the same files are served as twin@${name}, too: npm run catalog -- withdraw twin@${name} --why`
  expect((await withdraw(content, `near@${name}`)).text).toContain(words)
  expect((await withdraw(content, `near@${name}`)).text).toContain(words)
  expect((await withdraw(content, `twin@${name}`)).text).not.toContain('the same files')
})

test('a version of a moved skill is found by both slugs', async () => {
  const { content, first } = makeCatalog()
  expect((await withdraw(content, `old@${first}`)).code).toBe(0)
  expect((await withdraw(content, `near@${first}`)).text).toMatch(/^nothing to do/)
})

test.each([
  ['near', /names no version; write <slug>@<32 digits>/],
  ['near@1.0', /names no version/],
  [
    'near@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    /"near" has no version aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; \/skills\/near@versions\.json lists them/,
  ],
  ['far@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', /"far" has no version/],
])('%s -> refused, and nothing is written', async (named, message) => {
  const { content } = makeCatalog()
  const { code, stderr } = await withdraw(content, named)
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  expect(existsSync(join(content, 'withdrawn.json'))).toBe(false)
})

test.each([
  [
    'the current version',
    ['two', 'link'],
    /the current version of "near" has no name \("x" is a link\), so nobody can have pinned it: replace its text, or retire near/,
  ],
  [
    'an earlier version',
    ['link', 'two'],
    /an earlier version has no name \("x" is a link\) and therefore no address, so there is nothing to withdraw/,
  ],
])('%s has no name -> refused with a remedy', async (_, texts, message) => {
  const content = makeGitFolder()
  const commits = texts.map((text, at) => {
    const files = new Map<string, GivenFile>(filesOf('near', text))
    if (text === 'link') files.set('skills/near/x', { mode: '120000', text: 'SKILL.md' })
    return { files, at: 1_780_000_000 + at, parents: at === 0 ? [] : [at - 1] }
  })
  const names = addCommits(content, commits)
  checkOut(content, names.at(-1)!)
  const versions = { since: names[0]!, keep: 3 }
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...SITE, versions }))
  for (const named of ['near@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'near'])
    expect((await withdraw(content, named)).stderr).toMatch(message)
})

test('a catalog that promises no versions, or has uncommitted changes -> refused', async () => {
  const { content, first } = makeCatalog()
  writeFileSync(join(content, 'skills/near/SKILL.md'), 'x')
  expect((await withdraw(content, `near@${first}`)).stderr).toMatch(/not committed/)
  writeFileSync(join(content, 'site.json'), JSON.stringify(SITE))
  expect((await withdraw(content, `near@${first}`)).stderr).toMatch(/has no "versions"/)
})
