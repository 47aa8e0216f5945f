import full from 'spdx-license-list/full.js'
import { afterEach, describe, expect, test } from 'vitest'
import {
  addFiles,
  makeContent,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  runImport,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { runCommand } from '../../testing/run-command.ts'
import { makeRepository } from '../testing/sample-repository.ts'

afterEach(removeFolders)

const TREE = 'https://github.com/ada/tools/tree/main'

const textOf = (id: string): string => full[id]!.licenseText
const [MIT, APACHE, GPL, CC_BY, BSD] = [
  'MIT',
  'Apache-2.0',
  'GPL-3.0-only',
  'CC-BY-4.0',
  'BSD-3-Clause',
].map(textOf) as [string, string, string, string, string]
const NC = textOf('CC-BY-NC-ND-4.0')
const TERMS = 'Acme Licence\n\nAll rights reserved. You may not copy or redistribute these files.\n'

/** A SKILL.md with more lines of front matter. */
const withLines = (...lines: readonly string[]): string =>
  sampleSkillMd('bar', `Draws bars.${lines.map((line) => `\n${line}`).join('')}`)

/** The MIT licence, and a SKILL.md with more lines of front matter. */
const besideMit = (...lines: readonly string[]): SampleFiles => ({
  LICENSE: MIT,
  'skills/bar/SKILL.md': withLines(...lines),
})

/** Imports one skill, `skills/bar`, with these files around it. */
const importFiles = async (files: SampleFiles) => {
  const folder = makeSampleFolder({ 'skills/bar/SKILL.md': withLines(), ...files })
  const content = makeContent()
  const call = async () => {
    const settings = { isOwn: false, source: TREE } as const
    const { warnings } = await runImport(folder, content, settings)
    const tree = readSampleTree(content)
    const { licence } = JSON.parse(tree['skills/bar/skill.json'] ?? '{}')
    return {
      licence,
      isCopied: tree['skills/bar/SKILL.md'] !== undefined,
      words: warnings.map(({ message }) => message).join('\n'),
    }
  }
  return { folder, content, call, ...(await call()) }
}

describe('copied', () => {
  test.each<[string, string, SampleFiles]>([
    ['one text', 'MIT', { LICENSE: MIT }],
    ['a text twice', 'MIT', { LICENSE: MIT, 'LICENSE.md': `# The MIT License (MIT)\n\n${MIT}` }],
    ['two texts', 'BSD-3-Clause AND MIT', { LICENSE: MIT, 'LICENSE-BSD': BSD }],
    [
      'code and text',
      'Apache-2.0 AND CC-BY-4.0',
      { 'LICENSE-APACHE': APACHE, 'LICENSE-CC-BY-4.0': CC_BY },
    ],
    ['MIT and GPL', 'GPL-3.0-only AND MIT', { LICENSE: MIT, COPYING: GPL }],
    ['the customary choice', 'Apache-2.0 OR MIT', { 'LICENSE-MIT': MIT, 'LICENSE-APACHE': APACHE }],
    [
      '… with endings',
      'Apache-2.0 OR MIT',
      { 'LICENSE-MIT.txt': MIT, 'LICENSE-APACHE-2.0.txt': APACHE },
    ],
    [
      'a text that offers a choice',
      'Apache-2.0 OR MIT',
      {
        LICENSE:
          'Licensed under either of\n\n * Apache License, Version 2.0 (LICENSE-APACHE)\n * MIT license (LICENSE-MIT)\n\nat your option.\n',
        'LICENSE-APACHE': APACHE,
        'LICENSE-MIT': MIT,
      },
    ],
    [
      'a README that offers a choice',
      'BSD-3-Clause OR MIT',
      {
        'README.md':
          '# x\n\n## License\n\nDual-licensed under MIT or BSD-3-Clause, at your option.\n',
        'LICENSE-MIT': MIT,
        'LICENSE-BSD': BSD,
      },
    ],
    ['a NOTICE', 'Apache-2.0', { LICENSE: APACHE, NOTICE: TERMS, 'NOTICE.md': TERMS }],
    [
      'licences of others',
      'MIT',
      {
        LICENSE: MIT,
        'THIRD-PARTY-LICENSES': TERMS,
        'LICENSE-THIRD-PARTY.txt': TERMS,
        'LICENSE-3RD-PARTY': TERMS,
        'third_party_licenses.md': TERMS,
      },
    ],
    [
      'licences of fonts',
      'MIT',
      { LICENSE: MIT, 'OFL.txt': TERMS, 'LICENSE-fonts.txt': TERMS, 'LICENSE-OFL.txt': TERMS },
    ],
    [
      'licences in folders',
      'MIT',
      {
        LICENSE: MIT,
        'vendor/x/LICENSE': TERMS,
        'skills/bar/vendor/LICENSE': TERMS,
        'skills/bar/fonts/OFL.txt': TERMS,
        'licenses/x.txt': TERMS,
      },
    ],
    [
      'programs about licences',
      'MIT',
      { LICENSE: MIT, 'license.mjs': 'x', 'license-check.py': 'x' },
    ],
    ['REUSE, one text', 'Apache-2.0', { 'LICENSES/Apache-2.0.txt': APACHE }],
    [
      'REUSE, two texts',
      'CC-BY-4.0 AND MIT',
      { 'LICENSES/MIT.txt': MIT, 'LICENSES/CC-BY-4.0.txt': CC_BY },
    ],
    ['REUSE, or later', 'GPL-3.0-or-later', { 'LICENSES/GPL-3.0-or-later.txt': GPL }],
    [
      'REUSE.toml',
      'CC-BY-4.0',
      {
        'LICENSES/MIT.txt': MIT,
        'LICENSES/CC-BY-4.0.txt': CC_BY,
        'LICENSES/LicenseRef-Acme.txt': TERMS,
        'REUSE.toml':
          'version = 1\n[[annotations]]\npath = "**"\nSPDX-License-Identifier = "MIT"\n[[annotations]]\npath = ["docs/*", "skills/**"]\nSPDX-License-Identifier = "CC-BY-4.0"\n',
      },
    ],
    [
      'front matter as a list of one',
      'MIT',
      { 'skills/bar/SKILL.md': withLines('license: [MIT]') },
    ],
    [
      'front matter and its own file',
      'MIT',
      { 'skills/bar/SKILL.md': withLines('license: MIT'), 'skills/bar/LICENSE.txt': MIT },
    ],
    [
      'front matter before the repository',
      'Apache-2.0',
      { LICENSE: TERMS, 'skills/bar/SKILL.md': withLines('license: Apache-2.0') },
    ],
    ['another field that agrees', 'MIT', besideMit('metadata:', '  license: MIT')],
    [
      'a manifest that says something else',
      'MIT',
      { LICENSE: MIT, 'package.json': '{"license":"ISC"}' },
    ],
    [
      'a tag',
      'MIT',
      { LICENSE: 'SPDX-FileCopyrightText: 2026 Ada\nSPDX-License-Identifier: MIT\n' },
    ],
    [
      'a file beside the text',
      'MIT',
      { 'skills/bar/SKILL.md.license': 'SPDX-License-Identifier: MIT\n' },
    ],
    [
      'an address of the text',
      'MIT',
      { LICENSE: 'MIT License\n\nhttps://opensource.org/licenses/MIT\n' },
    ],
  ])('%s -> %s', async (_, licence, files) => {
    const { words, ...found } = await importFiles(files)
    expect(found).toMatchObject({ licence, isCopied: true })
    expect(words).not.toContain('licence')
  })
})

describe('not copied, and why', () => {
  test.each<[string, string, SampleFiles]>([
    [
      'an unknown text beside a known one',
      'two licences: LICENSE-CONTENT (unknown) and LICENSE-MIT (MIT)',
      { 'LICENSE-MIT': MIT, 'LICENSE-CONTENT': TERMS },
    ],
    [
      'a proprietary LICENSE beside LICENSE.md',
      'LICENSE (unknown) and LICENSE.md (MIT)',
      { LICENSE: TERMS, 'LICENSE.md': MIT },
    ],
    ['a text for the content', 'CC-BY-NC-ND-4.0', { 'LICENSE-MIT': MIT, 'LICENSE-CONTENT': NC }],
    [
      'an abridged text',
      'LICENSE-CC-BY-4.0 (unknown)',
      { 'LICENSE-APACHE': APACHE, 'LICENSE-CC-BY-4.0': CC_BY.slice(0, 500) },
    ],
    ['terms of use', 'EULA.txt (unknown)', { LICENSE: MIT, 'EULA.txt': TERMS }],
    [
      'the front matter and its own file',
      'two licences: the front matter (MIT) and skills/bar/LICENSE.txt (unknown)',
      { 'skills/bar/SKILL.md': withLines('license: MIT'), 'skills/bar/LICENSE.txt': TERMS },
    ],
    [
      'REUSE, an unknown text',
      'LICENSES/LicenseRef-Acme.txt (unknown)',
      { 'LICENSES/MIT.txt': MIT, 'LICENSES/LicenseRef-Acme.txt': TERMS },
    ],
    ['REUSE, a name for another text', 'LICENSES/MIT.txt', { 'LICENSES/MIT.txt': GPL }],
    [
      'REUSE.toml, a licence of its own',
      'LicenseRef-Acme',
      {
        LICENSE: MIT,
        'REUSE.toml':
          'version = 1\n[[annotations]]\npath = "**"\nSPDX-License-Identifier = "LicenseRef-Acme"\n',
      },
    ],
    [
      'REUSE.toml that cannot be read',
      'REUSE.toml',
      { LICENSE: MIT, 'REUSE.toml': 'version = \n' },
    ],
    ['license as a map', 'license', besideMit('license:', '  name: Proprietary')],
    ['license as a list of two', 'MIT, Apache-2.0', besideMit('license: [MIT, Apache-2.0]')],
    ['license twice', 'Proprietary', besideMit('license: Proprietary', 'license: MIT')],
    [
      'licence',
      'two licences: LICENSE (MIT) and its field licence ("Proprietary")',
      besideMit('licence: Proprietary'),
    ],
    ['License', 'License', besideMit('License: Proprietary')],
    ['metadata.license', 'metadata.license', besideMit('metadata:', '  license: CC-BY-NC-4.0')],
    ['a comment', 'SPDX', besideMit('# SPDX-License-Identifier: CC-BY-NC-4.0')],
    ['broken front matter', 'License', besideMit('note: "a', 'License: Proprietary')],
    [
      'a hint in package.json',
      'package.json says "MIT"',
      { 'package.json': '{"license":"MIT"}', 'README.md': '# x' },
    ],
    [
      'a hint in plugin.json',
      'plugins/a/.claude-plugin/plugin.json says "Apache-2.0"',
      {
        'skills/bar/SKILL.md': 'x',
        'plugins/a/skills/bar/SKILL.md': withLines(),
        'plugins/a/.claude-plugin/plugin.json': '{"license":"Apache-2.0"}',
      },
    ],
    [
      'a hint in marketplace.json',
      '.claude-plugin/marketplace.json says "MIT"',
      { '.claude-plugin/marketplace.json': '{"plugins":[{"name":"x","license":"MIT"}]}' },
    ],
    [
      'a hint in pyproject.toml',
      'pyproject.toml says "MIT"',
      { 'pyproject.toml': '[project]\nlicense = {text = "MIT"}\n' },
    ],
    [
      'a hint in metadata',
      'metadata.license says "MIT"',
      { 'skills/bar/SKILL.md': withLines('metadata:', '  license: MIT') },
    ],
    [
      'a hint in a comment',
      'says "MIT"',
      {
        'skills/bar/SKILL.md': withLines().replace(
          '\n\nSort',
          '\n\n<!-- SPDX-License-Identifier: MIT -->\nSort',
        ),
      },
    ],
    [
      'a tag with a condition',
      'LICENSE is not a licence known',
      { LICENSE: 'SPDX-License-Identifier: MIT\nRedistribution prohibited.\n' },
    ],
    [
      'a field for less than a choice',
      'metadata.license (CC-BY-NC-4.0)',
      {
        LICENSE: 'MIT OR CC-BY-NC-4.0',
        'skills/bar/SKILL.md': withLines('metadata:', '  license: CC-BY-NC-4.0'),
      },
    ],
    ['nothing', 'neither it nor its repository states a licence', {}],
  ])('%s -> %s', async (_, says, files) => {
    const { isCopied, words } = await importFiles(files)
    expect(isCopied).toBe(false)
    expect(words).toContain(says)
    expect(words).toMatch(/its text is not copied/)
  })
})

const choose = (content: string, licence: string) =>
  runCommand('set', 'bar', `licence=${licence}`, '--content', content)

describe('a curator chooses', () => {
  const FILES = { 'LICENSE-MIT': MIT, 'LICENSE-CONTENT': TERMS }

  test('-> the text is copied, and the choice holds while the licence files are the same', async () => {
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

  test('a licence without redistribution -> shown, and no text', async () => {
    const { content, call } = await importFiles(FILES)
    await choose(content, 'CC-BY-NC-4.0')
    const { words, ...found } = await call()
    expect(found).toEqual({ licence: 'CC-BY-NC-4.0', isCopied: false })
    expect(words).toContain('CC-BY-NC-4.0, does not allow redistribution')
  })

  test('after a hint of a manifest -> copied', async () => {
    const { content, call } = await importFiles({ 'package.json': '{"license":"MIT"}' })
    await choose(content, 'MIT')
    expect(await call()).toMatchObject({ licence: 'MIT', isCopied: true })
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
})

test('a repository -> the files above its skills are read, REUSE and manifests too', async () => {
  const source = 'https://github.com/ada/tools'
  const importAt = async (files: SampleFiles) => {
    const content = makeContent()
    const { address } = makeRepository({ 'deep/skills/bar/SKILL.md': withLines(), ...files })
    const { warnings } = await runImport(address, content, { isOwn: false, source })
    const { licence } = JSON.parse(readSampleTree(content)['skills/bar/skill.json'] ?? '{}')
    return [licence, ...warnings.map(({ message }) => message)].join(' ')
  }
  expect(await importAt({ 'LICENSES/MIT.txt': MIT })).toBe('MIT')
  expect(await importAt({ 'deep/LICENSE': MIT, 'deep/EULA.md': TERMS })).toContain('deep/EULA.md')
  expect(await importAt({ 'deep/.claude-plugin/plugin.json': '{"license":"ISC"}' })).toContain(
    'deep/.claude-plugin/plugin.json says "ISC"',
  )
})
