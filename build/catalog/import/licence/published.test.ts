import { existsSync } from 'node:fs'
import { join } from 'node:path'
import full from 'spdx-license-list/full.js'
import { expect, test } from 'vitest'
import {
  addFiles,
  importNew,
  makeContent,
  makeSampleFolder,
  recordIn,
  runImport,
  sampleSkillMd,
  skillFiles,
} from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { runCommand } from '../../testing/run-command.ts'
import { followAddress } from '../../update/testing/followed.ts'
import { makeRepository } from '../testing/sample-repository.ts'

const TREE = 'https://github.com/ada/tools/tree/main'

const MIT = full['MIT']!.licenseText
const TERMS = 'Acme Licence\n\nAll rights reserved. You may not copy or redistribute these files.\n'

/** A SKILL.md with more lines of front matter. */
const withLines = (...lines: readonly string[]): string =>
  sampleSkillMd('bar', `Draws bars.${lines.map((line) => `\n${line}`).join('')}`)

/** Imports one skill, `skills/bar`, with these files around it. */
const importFiles = async (files: SampleFiles) => {
  const folder = makeSampleFolder({ 'skills/bar/SKILL.md': withLines(), ...files })
  const content = makeContent()
  const call = async () => {
    const { refusals } = await runImport(folder, content, { isOwn: false, source: TREE })
    const { licence } = recordIn(content, 'bar')
    const isCopied = existsSync(join(content, 'skills/bar/SKILL.md'))
    return { licence, isCopied, words: refusals.join('\n') }
  }
  return { folder, content, call, ...(await call()) }
}

const choose = (content: string, licence: string) =>
  runCommand('set', 'bar', `licence=${licence}`, '--content', content)

const FILES = { 'LICENSE-MIT': MIT, 'LICENSE-CONTENT': TERMS }

test('a curator chooses a licence -> the text is copied, and the choice holds while the licence files are the same', async () => {
  const { folder, content, call, words } = await importFiles(FILES)
  expect(words).toContain('choose with "npm run catalog -- set bar licence=…"')
  await choose(content, 'MIT')
  expect(await call()).toEqual({ licence: 'MIT', isCopied: true, words: '' })
  addFiles(folder, { 'README.md': '# x', 'skills/bar/x.md': 'x' })
  expect(await call()).toEqual({ licence: 'MIT', isCopied: true, words: '' })
  addFiles(folder, { 'LICENSE-CONTENT': `${TERMS}No exceptions.` })
  expect(await call()).toMatchObject({ licence: undefined, isCopied: false })
  await choose(content, 'MIT')
  expect(await call()).toMatchObject({ licence: 'MIT', isCopied: true })
  await choose(content, '')
  expect(await call()).toMatchObject({ licence: undefined, isCopied: false })
})

test.each<[string, string, boolean, SampleFiles]>([
  ['a licence without redistribution -> shown, and no text', 'CC-BY-NC-4.0', false, FILES],
  ['after a hint of a manifest -> copied', 'MIT', true, { 'package.json': { license: 'MIT' } }],
])('a curator chooses %s', async (_, licence, isCopied, files) => {
  const { content, call } = await importFiles(files)
  await choose(content, licence)
  expect(await call()).toMatchObject({ licence, isCopied })
})

test('a licence that an import found earlier -> is no choice', async () => {
  const { folder, call, isCopied } = await importFiles({ 'LICENSE-MIT': MIT })
  expect(isCopied).toBe(true)
  addFiles(folder, { 'LICENSE-CONTENT': TERMS })
  expect(await call()).toMatchObject({ licence: undefined, isCopied: false })
  expect(await call()).toMatchObject({ licence: undefined, isCopied: false })
})

test('words of the author, cut to a valid name -> are no choice', async () => {
  const long = `${Array(14).fill('MIT OR ISC').join(' OR ')} but not for copies`
  const { call } = await importFiles({ 'skills/bar/SKILL.md': withLines(`license: ${long}`) })
  expect(await call()).toMatchObject({ isCopied: false })
})

test('a repository -> the files above its skills are read, REUSE and manifests too', async () => {
  const source = 'https://github.com/ada/tools'
  const importAt = async (files: SampleFiles) => {
    const { address } = makeRepository({ 'deep/skills/bar/SKILL.md': withLines(), ...files })
    const { content, refusals } = await importNew(address, { isOwn: false, source })
    return [recordIn(content, 'bar').licence, ...refusals].join(' ')
  }
  expect(await importAt({ 'LICENSES/MIT.txt': MIT })).toBe('MIT')
  expect(await importAt({ 'deep/LICENSE': MIT, 'deep/EULA.md': TERMS })).toContain('deep/EULA.md')
  expect(await importAt({ 'deep/.claude-plugin/plugin.json': '{"license":"ISC"}' })).toContain(
    'deep/.claude-plugin/plugin.json says "ISC"',
  )
})

test('two licences beside a followed link -> the report asks, and the next update takes the text that a curator allowed', async () => {
  const files = { 'LICENSE-MIT': MIT, 'LICENSE-CONTENT': TERMS, ...skillFiles('calm') }
  const repository = makeRepository(files, { links: { 'listed/calm': '../skills/calm' } })
  const address = `${repository.address}/tree/main/listed`
  const { content, call, added } = await followAddress(makeContent(), address)
  const hasText = (): boolean => existsSync(join(content, 'skills/calm/SKILL.md'))
  expect(added.stdout).toContain(
    'two licences: LICENSE-CONTENT (unknown) and LICENSE-MIT (MIT); choose with "npm run catalog -- set calm licence=…"',
  )
  expect(hasText()).toBe(false)
  expect((await call('update')).stdout).toContain('unchanged')
  await call('set', 'calm', 'licence=MIT')
  await call('update')
  expect(hasText()).toBe(true)
  expect((await call('update')).stdout).toContain('unchanged')
})
