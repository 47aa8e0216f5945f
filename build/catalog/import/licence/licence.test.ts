import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import full from 'spdx-license-list/full.js'
import { expect, test } from 'vitest'
import { parseLicenceName } from '../../../../src/catalog/licence.ts'
import { skillRecord } from '../../../../src/catalog/schema.ts'
import { makeSampleFolder, sampleSkillMd } from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { readFrontMatter } from '../repair.ts'
import { createLicenceReader } from './folder.ts'
import { decideLicence } from './licence.ts'

const [MIT, APACHE, GPL, CC_BY] = ['MIT', 'Apache-2.0', 'GPL-3.0-only', 'CC-BY-4.0'].map(
  (id) => full[id]!.licenseText,
) as [string, string, string, string]
const TERMS = 'Acme Licence\n\nAll rights reserved. You may not copy or redistribute these files.\n'

/** The SKILL.md of the skill `a`, with more lines of front matter and a text below it. */
const own = (lines = '', body = ''): Record<'a/SKILL.md', string> => ({
  'a/SKILL.md': sampleSkillMd('a', `Draws.\n${lines}`, body),
})

/** Decides about the skill in `folder`. */
const decideIn = (root: string, folder: string, skillMd: string) =>
  decideLicence({
    skillMd,
    stated: readFrontMatter(skillMd).front.license,
    sources: createLicenceReader(root)(join(root, folder)),
  })

/** Decides about the skill `a`, with these files around it. */
const decide = (files: SampleFiles) => {
  const all = { ...own(), ...files }
  return decideIn(makeSampleFolder(all), 'a', String(all['a/SKILL.md']))
}

/** The licence that a folder with one file states. */
const licenceIn = (name: string, text: string): string | undefined => decide({ [name]: text }).label

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
])('the name %s -> %s', (text, id) => {
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
])('the name %.80s -> none', (text) => {
  expect(parseLicenceName(text)).toBeUndefined()
})

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
])('a README with %j -> %s', (readme, id) => {
  expect(licenceIn('README.md', readme)).toBe(id)
})

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
])('a short text %j -> %s', (text, id) => {
  expect(licenceIn('LICENSE', text)).toBe(id)
})

const OFFER =
  'Licensed under either of\n\n * Apache License, Version 2.0 (LICENSE-APACHE)\n * MIT license (LICENSE-MIT)\n\nat your option.\n'
const README_OFFER =
  '# x\n\n## License\n\nDual-licensed under MIT or BSD-3-Clause, at your option.\n'
const REUSE = (id: string): string =>
  `version = 1\n[[annotations]]\npath = "**"\nSPDX-License-Identifier = "MIT"\n[[annotations]]\npath = ["docs/*", "a/**"]\nSPDX-License-Identifier = "${id}"\n`
const TAG = 'SPDX-License-Identifier: '

const REUSE_TEXTS = { 'LICENSES/MIT.txt': MIT, 'LICENSES/CC-BY-4.0.txt': CC_BY }

const APACHE_OR_MIT = 'Apache-2.0 OR MIT'

/** Files that say nothing about the licence of a skill. */
const OTHERS = Object.fromEntries(
  'NOTICE NOTICE.md THIRD-PARTY-LICENSES LICENSE-THIRD-PARTY.txt LICENSE-3RD-PARTY third_party_licenses.md OFL.txt LICENSE-fonts.txt LICENSE-OFL.txt vendor/x/LICENSE a/vendor/LICENSE a/fonts/OFL.txt licenses/x.txt license.mjs license-check.py logo.png.license'
    .split(' ')
    .map((name) => [name, TERMS]),
)

/** The MIT licence of a repository, and a skill with these lines. */
const besideMit = (...lines: Parameters<typeof own>) => ({ LICENSE: MIT, ...own(...lines) })

/** A skill with this field, and its own licence file. */
const withFile = (license: string, name: string, text: string) => ({
  ...own(`license: ${license}`),
  [`a/${name}`]: text,
})

test.each<[string, string, SampleFiles]>([
  ['one text', 'MIT', { LICENSE: MIT }],
  ['a text twice', 'MIT', { LICENSE: MIT, 'LICENSE.md': `# The MIT License (MIT)\n\n${MIT}` }],
  ['two texts', 'GPL-3.0-only AND MIT', { LICENSE: MIT, COPYING: GPL }],
  ['the customary choice', APACHE_OR_MIT, { 'LICENSE-MIT': MIT, 'LICENSE-APACHE': APACHE }],
  ['… with endings', APACHE_OR_MIT, { 'LICENSE-MIT.txt': MIT, 'LICENSE-APACHE-2.txt': APACHE }],
  ['a choice', APACHE_OR_MIT, { LICENSE: OFFER, 'LICENSE-APACHE': APACHE, 'LICENSE-MIT': MIT }],
  [
    'a choice in the README',
    'BSD-3-Clause OR MIT',
    { 'README.md': README_OFFER, LICENSE: MIT, 'LICENSE-BSD': 'BSD-3-Clause' },
  ],
  ['other files', 'MIT', { LICENSE: MIT, ...OTHERS }],
  ['REUSE, one text', 'Apache-2.0', { 'LICENSES/Apache-2.0.txt': APACHE }],
  ['REUSE, two texts', 'CC-BY-4.0 AND MIT', REUSE_TEXTS],
  ['REUSE, or later', 'GPL-3.0-or-later', { 'LICENSES/GPL-3.0-or-later.txt': GPL }],
  [
    'REUSE.toml',
    'CC-BY-4.0',
    { ...REUSE_TEXTS, 'LICENSES/LicenseRef-Acme.txt': TERMS, 'REUSE.toml': REUSE('CC-BY-4.0') },
  ],
  ['a tag', 'MIT', { LICENSE: `SPDX-FileCopyrightText: 2026 Ada\n${TAG}MIT\n` }],
  ['a file beside the text', 'MIT', { 'a/SKILL.md.license': `${TAG}MIT\n` }],
  ['an address', 'MIT', { LICENSE: 'MIT License\n\nhttps://opensource.org/licenses/MIT\n' }],
  ['a manifest that differs', 'MIT', { LICENSE: MIT, 'package.json': '{"license":"ISC"}' }],
  ['a field as a list of one', 'MIT', own('license: [MIT]')],
  ['its field and its file', 'MIT', withFile('MIT', 'LICENSE.txt', MIT)],
  ['its field and another file', 'ISC AND MIT', withFile('ISC', 'LICENSE', MIT)],
  ['its field before the repository', 'ISC', { ...own('license: ISC'), LICENSE: TERMS }],
  ['a field with a reference', 'Apache-2.0', own('license: Apache-2.0 (see LICENSE.txt)')],
  ['… as a sentence', 'Apache-2.0', own('license: Apache-2.0. LICENSE.txt has complete terms')],
  ['… otherwise', 'Apache-2.0', own('license: Apache 2.0. Complete terms in LICENSE.txt.')],
  ['no licence in its field', 'MIT', besideMit('license: Unknown')],
  ['its file', 'ISC', withFile('LICENSE', 'LICENSE', 'ISC')],
  ['see its file', 'ISC', withFile('See the LICENSE file.', 'LICENSE', 'ISC')],
  ['in its file', 'ISC', withFile('in LICENSE.md', 'LICENSE.md', 'ISC')],
  ['complete terms', 'ISC', withFile('Complete terms in LICENSE.txt', 'LICENSE.txt', 'ISC')],
  ['its file, at length', 'ISC', withFile('Full license text in ./COPYING', 'COPYING', 'ISC')],
  ['the file above', 'MIT', besideMit('license: See LICENSE')],
  ['a comment that agrees', 'MIT', besideMit('license: MIT # see LICENSE')],
  ['another field that agrees', 'MIT', besideMit('metadata:\n  ada:\n    license: MIT')],
  ['a section that agrees', 'MIT', besideMit('', '## License\n\nMIT\n')],
  ['a section without terms', 'MIT', besideMit('', '## License\n\nPart of the tools.\n')],
  ['a section in a fence', 'MIT', besideMit('', '```md\n## License\n\nProprietary\n```\n')],
  ['a licence that allows copies', 'MIT OR BUSL-1.1', own('license: MIT OR BUSL-1.1')],
])('%s -> copied under %s', (_, label, files) => {
  const found = decide(files)
  expect([found.label, found.refusal]).toEqual([label, undefined])
})

const TWO = 'two licences: '
const NC_FIELD = 'metadata:\n  license: CC-BY-NC-4.0'

test.each<[says: string, SampleFiles]>([
  ['LICENSE-CONTENT (unknown) and LICENSE-MIT', { 'LICENSE-MIT': MIT, 'LICENSE-CONTENT': TERMS }],
  ['LICENSE (unknown) and LICENSE.md (MIT)', { LICENSE: TERMS, 'LICENSE.md': MIT }],
  ['CC-BY-NC-4.0 AND MIT', { 'LICENSE-MIT': MIT, 'LICENSE-APACHE': 'CC-BY-NC-4.0' }],
  [
    'LICENSE-CC-BY-4.0 (unknown)',
    { 'LICENSE-APACHE': APACHE, 'LICENSE-CC-BY-4.0': CC_BY.slice(0, 500) },
  ],
  ['EULA.txt (unknown)', { LICENSE: MIT, 'EULA.txt': TERMS }],
  ['a/LICENSE.txt is not a licence known', { 'a/LICENSE.txt': 'Ask us.' }],
  ['LICENSE is not a licence known', { LICENSE: `${TAG}MIT\nRedistribution prohibited.\n` }],
  ['front matter (MIT) and a/LICENSE.txt (unknown)', withFile('MIT', 'LICENSE.txt', TERMS)],
  ['its licence, CC-BY-NC-4.0, does not allow', besideMit('license: CC-BY-NC-4.0')],
  [
    '"Proprietary. LICENSE.txt has complete terms", is not',
    besideMit('license: Proprietary. LICENSE.txt has complete terms'),
  ],
  [
    'LICENSES/LicenseRef-Acme.txt (unknown)',
    { 'LICENSES/MIT.txt': MIT, 'LICENSES/LicenseRef-Acme.txt': TERMS },
  ],
  ['LICENSES/MIT.txt', { 'LICENSES/MIT.txt': GPL }],
  ['LicenseRef-Acme, does not allow', { LICENSE: MIT, 'REUSE.toml': REUSE('LicenseRef-Acme') }],
  ['REUSE.toml', { LICENSE: MIT, 'REUSE.toml': 'version = \n' }],
  ['package.json says "MIT"', { 'package.json': '{"license":"MIT"}', 'README.md': '# x' }],
  ['plugin.json says "ISC"', { 'a/.claude-plugin/plugin.json': '{"license":"ISC"}' }],
  [
    '.claude-plugin/marketplace.json says "MIT"',
    { '.claude-plugin/marketplace.json': '{"plugins":[{"name":"x","license":"MIT"}]}' },
  ],
  ['pyproject.toml says "MIT"', { 'pyproject.toml': '[project]\nlicense = {text = "MIT"}\n' }],
  ['metadata.license says "MIT"', own('metadata:\n  license: MIT')],
  ['says "MIT"', own('', `<!-- ${TAG}MIT -->\nSort.`)],
  ['metadata.license (CC-BY-NC-4.0)', { LICENSE: 'MIT OR CC-BY-NC-4.0', ...own(NC_FIELD) }],
  ['BUSL-1.1, does not allow', own('license: MIT AND BUSL-1.1')],
  ['CC-BY-ND-4.0, does not allow', own('license: CC-BY-ND-4.0')],
  ['"not an expression", is not known to allow', own('license: not an expression')],
  ['neither it nor its repository states a licence', {}],
])('not copied, since %s', (says, files) => {
  expect(decide(files).refusal).toContain(says)
})

test.each<[says: string, lines: string, body?: string]>([
  ['"name: Proprietary", is not', 'license:\n  name: Proprietary'],
  ['MIT, Apache-2.0', 'license: [MIT, Apache-2.0]'],
  ['Proprietary', 'license: Proprietary\nlicense: MIT'],
  [`${TWO}LICENSE (MIT) and its field licence ("Proprietary")`, 'licence: Proprietary'],
  ['License', 'License: Proprietary'],
  ['License', 'note: "a\nLicense: Proprietary'],
  ['metadata.license (CC-BY-NC-4.0)', NC_FIELD],
  ['ada.license ("Proprietary")', 'metadata:\n  ada:\n    license: Proprietary'],
  ['SPDX', `# ${TAG}CC-BY-NC-4.0`],
  ['not for redistribution', 'license: MIT # not for redistribution'],
  ['licensing', 'licensing: Proprietary'],
  ['license_file', 'license_file: PROPRIETARY.md'],
  ['Complete terms in LICENSE.txt', 'license: Complete terms in LICENSE.txt'],
  ['see LICENSE-PROPRIETARY', 'license: see LICENSE-PROPRIETARY'],
  ['LicenseRef-Proprietary', 'license: LicenseRef-Proprietary'],
  ['its section about the licence', '', '\n## License\n\nProprietary. Do not redistribute.\n'],
  ['its section about the licence', '', '\n## License\n\nCC BY-NC 4.0\n'],
  ['its section about the licence', '', '\n## License\n\nMIT, for personal use only\n'],
])('not copied: beside the MIT licence, it says %s: %j %j', (says, lines, body) => {
  expect(decide(besideMit(lines, body)).refusal).toContain(says)
})

test('the licence nearest to a folder, up to the root and not outside it', () => {
  const outside = makeSampleFolder({ LICENSE: MIT })
  const root = makeSampleFolder({
    'LICENSE-MIT': MIT,
    'LICENSE-APACHE': 'Apache-2.0',
    'a/b/COPYING': 'terms',
    'a/b/SKILL.md': '',
    'c/d/SKILL.md': '',
  })
  symlinkSync(join(outside, 'LICENSE'), join(root, 'a/LICENSE'))
  symlinkSync('nowhere', join(root, 'c/d/LICENSE.md'))
  const find = (folder: string): string | undefined => {
    const { label, place } = decideIn(root, folder, sampleSkillMd('a'))
    return label ?? place
  }
  expect(['a/b', 'a', 'c', '..'].map(find)).toEqual([
    'a/b/COPYING',
    'a/LICENSE',
    APACHE_OR_MIT,
    undefined,
  ])
  // A broken link is an unknown licence.
  expect(find('c/d')).toBe('c/d/LICENSE.md')
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
