import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseLicenceName } from '../../../../src/catalog/licence.ts'
import { skillRecord } from '../../../../src/catalog/schema.ts'
import {
  makeSampleFolder,
  removeFolders,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { MIT_TEXT } from '../testing/sample-repository.ts'
import { createLicenceReader } from './folder.ts'
import { decideLicence } from './licence.ts'

afterEach(removeFolders)

/** Decides about the skill in `folder`. */
const decideIn = (
  root: string,
  folder = '',
  { front, row }: { front?: string; row?: string } = {},
) =>
  decideLicence({
    row,
    skillMd: sampleSkillMd('a'),
    stated: front,
    sources: createLicenceReader(root)(join(root, folder)),
  })

/** Decides about a skill in `a/`, with these files around it. */
const decide = (files: SampleFiles, stated: { front?: string; row?: string } = {}) =>
  decideIn(makeSampleFolder({ 'a/SKILL.md': '', ...files }), 'a', stated)

/** The licence that a folder with one file states. */
const licenceIn = (name: string, text: string): string | undefined => decide({ [name]: text }).label

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

describe('a README states a licence', () => {
  test.each([
    ['## License\n\nMIT\n', 'MIT'],
    ['## 📄 License\n\nMIT © Ada\n', 'MIT'],
    ['## License\n[MIT](LICENSE)\n', 'MIT'],
    ['## Licence\n\nThis project is licensed under the MIT License - see the file.\n', 'MIT'],
    ['# License\n\nReleased under the Apache License 2.0.\n', 'Apache-2.0'],
    ['# x\n\nMIT\n', undefined],
    ['## License\n\nMIT\n\nIndividual skills may have different licenses.\n', 'MIT'],
    ['## License\n\nMIT\n\n**Note**: skills work in Claude Code, too.\n', 'MIT'],
    ['## License\n\nMIT\n\nThe skills are CC BY-NC 4.0.\n', undefined],
    ['## License\n\nMIT\n\nSkills are not included; they are proprietary.\n', undefined],
    ['## License\n\nNot MIT, ask us.\n', undefined],
    ['## License\n\n## Other\n\nMIT\n', undefined],
    ['## License\n\nMIT\n\n详见许可证。\n', 'MIT'],
    ['## License\n\nMIT\n\n## Third-party licenses\n\nNone.\n', 'MIT'],
    ['## License\n\nGPL-3.0\n', 'GPL-3.0'],
    ['## License\n\nMIT\n\nSkills are for personal use only.\n', undefined],
    ['## License\n\nMIT\n\n### Skills\n\nAll skills are proprietary.\n', undefined],
    ['## License\n\nMIT\n\n## Content License\n\nCC BY-NC 4.0\n', undefined],
    ['## License\n\nMIT (code), all other files are closed\n', undefined],
    ['## License\n\n[MIT](LICENSE) for code\n', undefined],
    ['## License\n\nMIT – code; skills – ask us\n', undefined],
    ['## License\n\nMIT or Apache-2.0 (non-commercial use only)\n', undefined],
    ['## License\n\nMIT\n\n禁止商用\n', undefined],
  ])('%j -> %s', (readme, id) => {
    expect(licenceIn('README.md', readme)).toBe(id)
  })
})

describe('a short text states a licence', () => {
  test.each([
    ['MIT License\n\nCopyright (c) 2026 Ada\n', 'MIT'],
    [
      'Licensed under either of Apache License, Version 2.0 (LICENSE-APACHE or https://www.apache.org/licenses/LICENSE-2.0) or MIT license (LICENSE-MIT) at your option.',
      'Apache-2.0 OR MIT',
    ],
    [
      'This work is licensed under a Creative Commons Attribution 4.0 International License. To view a copy of this license,\n' +
        'visit http://creativecommons.org/licenses/by/4.0/ or send a letter to Creative Commons, PO Box 1866, Mountain View, CA 94042, USA.',
      'CC-BY-4.0',
    ],
    [
      'This work is licensed under a Creative Commons Attribution-NonCommercial 4.0 International License.',
      'CC-BY-NC-4.0',
    ],
    [
      'Licensed under either of MIT or Apache-2.0 (for non-commercial use only), at your option.',
      undefined,
    ],
    ['MIT\n\nhttps://commonsclause.com\n', undefined],
    ['SPDX-License-Identifier: MIT\nSPDX-FileCopyrightText: 2026 Ada. No copies.\n', undefined],
    ['MIT License\n\nCopyright (c) 2026 Ada. Personal use.\n', undefined],
  ])('%j -> %s', (text, id) => {
    expect(licenceIn('LICENSE', text)).toBe(id)
  })
})

test.each([
  'Apache-2.0. LICENSE.txt has complete terms',
  'Apache-2.0 (see LICENSE.txt)',
  'Apache 2.0. Complete terms in LICENSE.txt.',
])('%s -> the licence that is named', (front) => {
  expect(decide({}, { front }).label).toBe('Apache-2.0')
})

test('LICENSE-APACHE with another text -> no choice', () => {
  const files = { 'LICENSE-MIT': 'MIT', 'LICENSE-APACHE': 'CC-BY-NC-4.0' }
  expect(decide(files)).toMatchObject({
    label: 'CC-BY-NC-4.0 AND MIT',
    refusal: expect.any(String),
  })
})

test('the licence of another file beside it -> does not count', () => {
  const files = { LICENSE: 'MIT', 'logo.png.license': 'SPDX-License-Identifier: CC-BY-NC-4.0' }
  expect(decide(files)).toEqual({ label: 'MIT', place: 'LICENSE' })
})

describe('a statement that another place contradicts or nobody can read -> no copy', () => {
  const of = (lines: string, body = '') =>
    decideLicence({
      skillMd: `---\nname: a\n${lines}\n---\n\n# A\n${body}`,
      stated: /^license: (.*)$/m.exec(lines)?.[1]?.replace(/ #.*/, ''),
      sources: createLicenceReader(root)(join(root, 'a')),
    })
  let root = ''
  beforeEach(() => {
    root = makeSampleFolder({ 'a/SKILL.md': '', LICENSE: MIT_TEXT })
  })
  test.each([
    ['license: Complete terms in LICENSE.txt', ''],
    ['license: see LICENSE-PROPRIETARY', ''],
    ['license: LicenseRef-Proprietary', ''],
    ['license: MIT # not for redistribution', ''],
    ['licensing: Proprietary', ''],
    ['license_file: PROPRIETARY.md', ''],
    ['metadata:\n  ada:\n    license: Proprietary', ''],
    ['x: 1', '\n## License\n\nProprietary. Do not redistribute.\n'],
    ['x: 1', '\n## License\n\nCC BY-NC 4.0\n'],
    ['x: 1', '\n## License\n\nMIT, for personal use only\n'],
  ])('%j %j', (lines, body) => {
    expect(of(lines, body)).toMatchObject({ refusal: expect.any(String) })
  })
  test.each([
    ['license: See LICENSE', ''],
    ['license: MIT # see LICENSE', ''],
    ['metadata:\n  ada:\n    license: MIT', ''],
    ['x: 1', '\n## License\n\nMIT\n'],
    ['x: 1', '\n## License\n\nPart of the tools of Ada.\n'],
    ['x: 1', '\n```md\n## License\n\nProprietary\n```\n'],
  ])('%j %j agrees', (lines, body) => {
    expect(of(lines, body)).toMatchObject({ label: 'MIT' })
    expect(of(lines, body).refusal).toBeUndefined()
  })
})

describe('the most trusted statement counts', () => {
  const ROOT = { LICENSE: 'MIT' }
  const OWN = { 'a/LICENSE.txt': 'Apache-2.0' }
  test.each<[string, SampleFiles, { front?: string; row?: string }, object]>([
    ['the nearest file', ROOT, {}, { label: 'MIT', place: 'LICENSE' }],
    [
      'the file, if the statement is “Unknown”',
      ROOT,
      { front: 'Unknown' },
      { label: 'MIT', place: 'LICENSE' },
    ],
    [
      'the front matter before the repository',
      ROOT,
      { row: 'Unknown', front: 'ISC' },
      { label: 'ISC', place: 'the front matter' },
    ],
    [
      'the manifest before everything else',
      OWN,
      { row: 'BSD-2-Clause', front: 'MIT' },
      { label: 'BSD-2-Clause', place: 'the manifest' },
    ],
    [
      'the file, if the front matter refers to it',
      OWN,
      { front: 'Complete terms in LICENSE.txt' },
      { label: 'Apache-2.0', place: 'a/LICENSE.txt' },
    ],
    [
      'the front matter and a file beside it',
      OWN,
      { front: 'MIT' },
      { label: 'Apache-2.0 AND MIT' },
    ],
    [
      'a file with unknown terms',
      { 'a/LICENSE.txt': 'Ask us.' },
      {},
      { place: 'a/LICENSE.txt', refusal: expect.stringContaining('a/LICENSE.txt') },
    ],
    [
      'front matter that forbids redistribution',
      ROOT,
      { front: 'Proprietary. LICENSE.txt has complete terms' },
      {
        label: 'Proprietary. LICENSE.txt has complete terms',
        place: 'the front matter',
        refusal: expect.any(String),
      },
    ],
    [
      'a licence without redistribution',
      ROOT,
      { front: 'CC-BY-NC-4.0' },
      {
        label: 'CC-BY-NC-4.0',
        place: 'the front matter',
        refusal: expect.stringContaining('CC-BY-NC-4.0, does not allow'),
      },
    ],
    ['nothing', {}, {}, { refusal: expect.stringContaining('states a licence') }],
  ])('%s', (_, files, stated, licence) => {
    expect(decide(files, stated)).toMatchObject(licence)
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
  expect(decide({}, { row }).refusal === undefined).toBe(may)
})

test.each([
  'LICENSE',
  'LICENSE.txt',
  'see LICENSE',
  'See the LICENSE file.',
  'in LICENSE.md',
  'Full license text in ./COPYING',
])('%s -> the licence in the file', (front) => {
  expect(decide({ 'a/LICENSE': 'ISC' }, { front })).toEqual({ label: 'ISC', place: 'a/LICENSE' })
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
  const found = ['a/b', 'a', 'c/d', '..'].map((folder) => decideIn(root, folder))
  expect(found.map(({ label, place }) => label ?? place)).toEqual([
    'a/b/COPYING',
    'a/LICENSE',
    'Apache-2.0 OR MIT',
    undefined,
  ])
})

test('a broken link as licence file -> an unknown licence', () => {
  const root = makeSampleFolder({ 'a/SKILL.md': '' })
  symlinkSync('nowhere', join(root, 'LICENSE'))
  expect(decideIn(root, 'a')).toMatchObject({ place: 'LICENSE', refusal: expect.any(String) })
})

test('any statement -> a label valid in a record', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (front) => {
      const { label } = decideLicence({
        skillMd: '',
        stated: front,
        sources: { folder: '/', manifests: [] },
      })
      expect(skillRecord.shape.licence.safeParse(label).success).toBe(true)
    }),
  )
})
