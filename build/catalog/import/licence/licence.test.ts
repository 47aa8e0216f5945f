import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { parseLicenceName } from '../../../../src/catalog/licence.ts'
import { skillRecord } from '../../../../src/catalog/schema.ts'
import { makeSampleFolder, removeFolders } from '../../../../testing/sample-folders.ts'
import { MIT_TEXT } from '../testing/sample-repository.ts'
import { createLicenceReader, decideLicence, identifyLicence } from './licence.ts'

afterEach(removeFolders)

const createFinder = (bounds: string) => {
  const read = createLicenceReader(bounds)
  return (folder: string) => identifyLicence(read(folder))
}

/** Finds the licence of a folder with one file. */
const licenceIn = (name: string, text: string): string | undefined => {
  const root = makeSampleFolder({ [name]: text })
  return createFinder(root)(root)?.id
}

describe('a name as authors write it', () => {
  test.each([
    ['MIT', 'MIT'],
    ['MIT license', 'MIT'],
    ['The MIT License', 'MIT'],
    ['Apache 2.0', 'Apache-2.0'],
    ['Apache-2.0 license', 'Apache-2.0'],
    ['Apache License, Version 2.0', 'Apache-2.0'],
    ['3-clause BSD license', 'BSD-3-Clause'],
    ['3 clause BSD license', 'BSD-3-Clause'],
    ['GPLv3', 'GPL-3.0-only'],
    ['CC BY 4.0', 'CC-BY-4.0'],
    ['MIT OR Apache-2.0', 'MIT OR Apache-2.0'],
  ])('%s -> %s', (text, id) => {
    expect(parseLicenceName(text)).toBe(id)
  })
  test.each([
    'UNLICENSED',
    'Proprietary',
    'non-MIT',
    'not MIT',
    'MIT with my exceptions',
    'Proprietary. LICENSE.txt has complete terms',
    'Do not redistribute under MIT',
    'BSD license',
    '',
    `MIT${'+'.repeat(524_288)}x`,
    `MIT${')'.repeat(524_288)}x`,
  ])('%.80s -> none', (text) => {
    expect(parseLicenceName(text)).toBeUndefined()
  })
})

test.each([
  ['MIT', true],
  ['GPL-3.0-only', true],
  ['MIT OR BUSL-1.1', true],
  ['MIT AND BUSL-1.1', false],
  ['CC-BY-NC-4.0', false],
  ['CC-BY-ND-4.0', false],
  ['Elastic-2.0', false],
  ['not an expression', false],
])('%s allows redistribution: %s', (row, may) => {
  expect(decideLicence({ row }).refusal === undefined).toBe(may)
})

describe('a licence file', () => {
  test.each([
    ['MIT', MIT_TEXT, 'MIT'],
    ['MIT in curly quotes and a heading', `# MIT\n\n${MIT_TEXT.replace(/"/g, '”')}`, 'MIT'],
    ['only a name', 'MIT License\n', 'MIT'],
    ['MIT with the Commons Clause', `${MIT_TEXT}\n"Commons Clause" License Condition`, undefined],
    [
      'a company’s terms',
      `© 2025 Example. All rights reserved. ${'You may not copy. '.repeat(20)}`,
      undefined,
    ],
  ])('%s', (_, text, id) => {
    expect(licenceIn('LICENSE', text)).toBe(id)
  })
})

describe('a README states a licence', () => {
  test.each([
    ['## License\n\nMIT\n', 'MIT'],
    ['## 📄 License\n\nMIT © Ada\n', 'MIT'],
    ['## License\n[MIT](LICENSE)\n', 'MIT'],
    ['## Licence\n\nThis project is licensed under the MIT License - see the file.\n', 'MIT'],
    ['# License\n\nReleased under the Apache License 2.0.\n', 'Apache-2.0'],
    ['# x\n\nMIT\n', undefined],
    ['## License\n\nNot MIT, ask us.\n', undefined],
    ['## License\n\n## Other\n\nMIT\n', undefined],
  ])('%j -> %s', (readme, id) => {
    expect(licenceIn('README.md', readme)).toBe(id)
  })
})

describe('the most trusted statement counts', () => {
  const root = { path: 'LICENSE', id: 'MIT' }
  const own = { path: 'a/LICENSE.txt', id: 'Apache-2.0' }
  const terms = { path: 'a/LICENSE.txt' }
  test.each([
    ['the nearest file', { file: root }, { label: 'MIT', place: 'LICENSE' }],
    [
      'the file, if the statement is “Unknown”',
      { front: 'Unknown', file: root },
      { label: 'MIT', place: 'LICENSE' },
    ],
    [
      'the front matter before the file',
      { row: 'Unknown', front: 'MIT', file: own },
      { label: 'MIT', place: 'the front matter' },
    ],
    [
      'the manifest before everything else',
      { row: 'BSD-2-Clause', front: 'MIT' },
      { label: 'BSD-2-Clause', place: 'the manifest' },
    ],
    [
      'the file, if the front matter refers to it',
      { front: 'Complete terms in LICENSE.txt', file: own },
      { label: 'Apache-2.0', place: 'a/LICENSE.txt' },
    ],
    [
      'a file with unknown terms',
      { file: terms },
      { place: 'a/LICENSE.txt', refusal: expect.stringContaining('a/LICENSE.txt') },
    ],
    [
      'front matter that forbids redistribution',
      { front: 'Proprietary. LICENSE.txt has complete terms', file: root },
      {
        label: 'Proprietary. LICENSE.txt has complete terms',
        place: 'the front matter',
        refusal: expect.any(String),
      },
    ],
    [
      'a licence without redistribution',
      { front: 'CC-BY-NC-4.0', file: root },
      {
        label: 'CC-BY-NC-4.0',
        place: 'the front matter',
        refusal: expect.stringContaining('CC-BY-NC-4.0, does not allow'),
      },
    ],
    ['nothing', {}, { refusal: expect.stringContaining('states a licence') }],
  ])('%s', (_, evidence, licence) => {
    expect(decideLicence(evidence)).toEqual(licence)
  })
})

test.each([
  'LICENSE',
  'LICENSE.txt',
  'see LICENSE',
  'See the LICENSE file.',
  'in LICENSE.md',
  'Full license text in ./COPYING',
])('%s -> the licence in the file', (front) => {
  const file = { path: 'a/LICENSE', id: 'ISC' }
  expect(decideLicence({ front, file })).toEqual({ label: 'ISC', place: 'a/LICENSE' })
})

test('the licence nearest to a folder, up to the root and not outside it', () => {
  const outside = makeSampleFolder({ LICENSE: MIT_TEXT })
  const root = makeSampleFolder({
    'LICENSE-MIT': MIT_TEXT,
    'LICENSE-APACHE': 'Apache-2.0',
    'a/b/COPYING': 'terms',
    'a/b/SKILL.md': '',
    'c/d/SKILL.md': '',
  })
  symlinkSync(join(outside, 'LICENSE'), join(root, 'a/LICENSE'))
  const find = createFinder(root)
  expect(['a/b', 'a', 'c/d', '..'].map((folder) => find(join(root, folder)))).toEqual([
    { path: 'a/b/COPYING', id: undefined },
    { path: 'a/LICENSE', id: undefined },
    { path: 'LICENSE-APACHE', id: 'Apache-2.0 OR MIT' },
    undefined,
  ])
})

test('a broken link as licence file -> an unknown licence', () => {
  const root = makeSampleFolder({ 'a/SKILL.md': '' })
  symlinkSync('nowhere', join(root, 'LICENSE'))
  expect(createFinder(root)(join(root, 'a'))).toEqual({ path: 'LICENSE', id: undefined })
})

test('any statement -> a label valid in a record', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (front) => {
      const { label } = decideLicence({ front })
      expect(skillRecord.shape.licence.safeParse(label).success).toBe(true)
    }),
  )
})
