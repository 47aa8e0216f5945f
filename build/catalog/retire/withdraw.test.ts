import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OWN_RECORD, SITE, skillMd } from '../../../src/catalog/testing/content.ts'
import { addFiles } from '../../../testing/sample-folders.ts'
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

/** Makes a catalog with these commits, that serves all their versions; returns it with the names of these. */
const makeCommits = (...commits: ReadonlyMap<string, GivenFile>[]) => {
  const content = makeGitFolder()
  const names = addCommits(
    content,
    commits.map((files, at) => ({
      files,
      at: 1_780_000_000 + at,
      parents: at === 0 ? [] : [at - 1],
    })),
  )
  checkOut(content, names.at(-1)!)
  const since = names[0]!
  const site = { ...SITE, origin: 'https://r.example', versions: { since, keep: 3 } }
  addFiles(content, { 'site.json': site })
  const found = readHistory(openMainLine(content, since), undefined).versions
  const named = found.flatMap(({ digest }) => (digest === undefined ? [] : nameVersion(digest)))
  return { content, named }
}

/** Makes a catalog with one skill that moved once and has two versions at its current slug. */
const makeMoved = () => {
  const files = [filesOf('old', 'one'), filesOf('near', 'two'), filesOf('near', 'three')]
  const { content, named } = makeCommits(...files)
  addFiles(content, { 'retired.json': [{ id: OWN_RECORD.id, slug: 'old', movedTo: 'near' }] })
  const [first = '', second = '', third = ''] = named
  return { content, first, second, third }
}

const withdraw = (content: string, named: string) =>
  runCommand('withdraw', named, '--why', 'It sent files away.', '--content', content)

const readAdvisories = (content: string): object[] =>
  JSON.parse(readFileSync(join(content, 'withdrawn.json'), 'utf8')) as object[]

test('a version -> a row; the second time, nothing to do; found by both slugs', async () => {
  const { content, first, second, third } = makeMoved()
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
  for (const [slug, version] of Object.entries({ near: third, old: first }))
    expect(await withdraw(content, `${slug}@${version}`)).toMatchObject({ code: 0 })
  expect(readAdvisories(content)).toHaveLength(3)
  expect((await withdraw(content, `near@${first}`)).text).toMatch(/^nothing to do/)
})

test('the same files under another slug -> named with the command, until they are withdrawn, too', async () => {
  const files = filesOf('near', 'one')
  const twin = [...files].map(([path, text]) => [path.replace('near', 'twin'), text] as const)
  const record = JSON.stringify({ ...OWN_RECORD, id: 2 })
  const all = new Map([...files, ...twin, ['skills/twin/skill.json', record]])
  const { content, named } = makeCommits(all)
  const [name = ''] = named
  const words = `the same files are served as twin@${name}, too: npm run catalog -- withdraw twin@${name} --why`
  expect((await withdraw(content, `near@${name}`)).text).toContain(words)
  expect((await withdraw(content, `near@${name}`)).text).toContain(words)
  expect((await withdraw(content, `twin@${name}`)).text).not.toContain('the same files')
})

const NONE = 'a'.repeat(32)

test('no version of a skill -> refused, and nothing is written', async () => {
  const { content } = makeMoved()
  for (const [named, message] of [
    ['near', 'names no version; write <slug>@<32 digits>'],
    ['near@1.0', 'names no version'],
    [`near@${NONE}`, `"near" has no version ${NONE}; /skills/near@versions.json lists them`],
    [`far@${NONE}`, '"far" has no version'],
  ] as const) {
    const stderr = expect.stringContaining(message)
    expect(await withdraw(content, named)).toMatchObject({ code: 1, stderr })
  }
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
  const commits = texts.map((text) => {
    const files = new Map<string, GivenFile>(filesOf('near', text))
    if (text === 'link') files.set('skills/near/x', { mode: '120000', text: 'SKILL.md' })
    return files
  })
  const { content } = makeCommits(...commits)
  for (const named of [`near@${NONE}`, 'near'])
    expect((await withdraw(content, named)).stderr).toMatch(message)
})

test('a catalog that promises no versions, or has uncommitted changes -> refused', async () => {
  const { content, first } = makeMoved()
  addFiles(content, { 'skills/near/SKILL.md': 'x' })
  expect((await withdraw(content, `near@${first}`)).stderr).toMatch(/not committed/)
  addFiles(content, { 'site.json': SITE })
  expect((await withdraw(content, `near@${first}`)).stderr).toMatch(/has no "versions"/)
})
