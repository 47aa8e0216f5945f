import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import full from 'spdx-license-list/full.js'
import { describe, expect, test } from 'vitest'
import { identifyText } from './known.ts'
import { renderKnown } from './learn.ts'

const IDS = Object.keys(full)
const textOf = (id: string): string => full[id]!.licenseText
const MIT = textOf('MIT')

const fold = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** Without the ending that says what the licensor grants beside the text. */
const familyOf = (id: string): string => id.replace(/(?:-only|-or-later|\+)$/, '')

const isSame = (id: string, other: string): boolean =>
  familyOf(id) === familyOf(other) || fold(textOf(id)) === fold(textOf(other))

test('known.txt -> what `npm run licences` writes', () => {
  expect(readFileSync(new URL('./known.txt', import.meta.url), 'utf8')).toBe(renderKnown())
})

describe('every text of SPDX', () => {
  const found = IDS.map((id) => [id, identifyText(textOf(id))] as const)

  test('-> its licence, or unknown; never another', () => {
    expect(found.filter(([id, as]) => as !== undefined && !isSame(id, as))).toEqual([])
    expect(found.filter(([, as]) => as === undefined).map(([id]) => id)).toEqual([
      'OLDAP-2.2.2',
      'zlib-acknowledgement',
      'OpenSSL-standalone',
      'OLDAP-2.3',
      'Nunit',
    ])
  })

  test('-> unknown with a sentence more, wherever it stands', () => {
    const sentences = [
      'Redistribution is prohibited.',
      'You may not sell it.',
      'not',
      'Only for personal use.',
      'Copyright (c) 2026 Ada. Redistribution is forbidden.',
      '© 2026 Ada, confidential',
      'All rights reserved. No copies.',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...IDS),
        fc.constantFrom(...sentences),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (id, sentence, share) => {
          const lines = textOf(id).split('\n')
          const at = Math.round(share * lines.length)
          const text = [...lines.slice(0, at), sentence, ...lines.slice(at)].join('\n')
          expect(identifyText(text)).toBeUndefined()
        },
      ),
    )
  })

  test('-> unknown without one of its words', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', 'GPL-3.0-only', 'CC-BY-4.0'),
        fc.constantFrom('not', 'distribute', 'copy', 'without', 'only', 'conditions'),
        (id, word) => {
          const text = textOf(id)
          const less = text.replace(new RegExp(`\\b${word}\\b`, 'gi'), '')
          expect(identifyText(less)).toBe(less === text ? id : undefined)
        },
      ),
    )
  })
})

const wrap = (text: string): string => text.replace(/(.{20,60}) /g, '$1\n')

const NOTICE = /Licensed under the Apache[^]*under the License\./.exec(textOf('Apache-2.0'))![0]

const withHolder = (line: string): string => MIT.replace(/^Copyright.*$/m, line)

describe('who has the copyright', () => {
  test.each([
    'Copyright (c) Meta Platforms, Inc. and affiliates.',
    'Copyright (c) 2015-present, Yuxi (Evan) You and Vite contributors',
    'MIT License Copyright (c) 2026 Ada Byron',
    'Copyright (c) 2026 ada-byron',
    'Copyright 2025 Functional Software, Inc. dba Sentry',
    'Copyright (c) 2025-present [Bombshell contributors](https://bomb.sh/team)',
    'Copyright © 2026 北京智谱华章科技有限公司',
    'Copyright (c) 2026 株式会社アクメ',
    'Copyright (c) 2026 The Foo Authors. See AUTHORS file.',
    'Copyright (c) 2026 Foo S.r.l. (foo.example)',
    'Copyright (c) 2026 Ada (ada), substack',
    'Copyright [yyyy] [name of copyright owner]',
  ])('%s -> a name', (line) => {
    expect(identifyText(withHolder(line))).toBe('MIT')
  })

  test.each([
    'Copyright (c) 2026 Ada [redistribution prohibited]',
    'Copyright (c) 2026 Ada <not for redistribution>',
    'Copyright (c) 2026 Acme. Commons Clause applies',
    'Copyright (c) 2026 Acme. NonCommercial.',
    'Copyright (c) 2026 Ada, CC BY-NC 4.0',
    'Copyright (c) 2026 Acme (evaluation)',
    'Copyright 2026 Acme - Strictly private',
    'Copyright (c) 2026 Acme. Academic research',
    'Copyright (c) 2026 Acme. Contact us for a fee.',
    'Copyright (c) 2026 Acme. Weitergabe verboten.',
    'Copyright (c) 2026 Acme. Uso interno.',
    'Copyright 2026 Acme. Tous droits réservés. Reproduction interdite.',
    'Copyright (c) 2026 Acme. Копирование запрещено',
    'Copyright (c) 2026 张三 禁止转载',
    'Copyright (c) 2026 张三。仅供学习',
    'Copyright (c) 2026 株式会社アクメ 転載禁止',
    'Copyright (c) 2026 김철수 무단전재 금지',
  ])('%s -> terms', (line) => {
    expect(identifyText(withHolder(line))).toBeUndefined()
  })
})

describe('as people write it', () => {
  test.each<[string, string, string]>([
    [
      'with its names',
      'MIT',
      MIT.replace(/<year>.*/, '2020-2026 Ada Byron, Inc. and contributors'),
    ],
    [
      'with several holders',
      'MIT',
      MIT.replace(
        'Copyright',
        'Copyright (c) 2020 Ada <a@x.example>\n© 2021 sindresorhus (https://x.example)\nCopyright',
      ),
    ],
    [
      'with reserved rights',
      'MIT',
      MIT.replace('<copyright holders>', 'Ada. All rights reserved.\nAll rights reserved.'),
    ],
    ['under another title', 'MIT', `# The MIT License (MIT)\n\n${MIT.slice(12)}`],
    ['without a title', 'MIT', MIT.slice(12)],
    [
      'in capitals, wrapped',
      'Apache-2.0',
      wrap(textOf('Apache-2.0').replace(/APPENDIX[^]*/, '')).toUpperCase(),
    ],
    [
      'in a comment',
      'MIT',
      MIT.split('\n')
        .map((line) => ` * ${line}\r`)
        .join('\n'),
    ],
    ['in curly quotes', 'MIT', MIT.replaceAll('"', '”')],
    ['without its appendix', 'Apache-2.0', textOf('Apache-2.0').replace(/END OF TERMS[^]*/, '')],
    [
      'with its appendix filled in',
      'Apache-2.0',
      textOf('Apache-2.0').replace('[yyyy] [name of copyright owner]', '2026 Ada'),
    ],
    [
      'with a name in its terms',
      'BSD-3-Clause',
      textOf('BSD-3-Clause').replace('the name of the copyright holder', 'the name of Acme Inc.'),
    ],
    [
      'for authors',
      'ISC',
      textOf('ISC')
        .replaceAll('ISC DISCLAIMS', 'THE AUTHOR DISCLAIMS')
        .replace('SHALL ISC', 'SHALL THE AUTHOR'),
    ],
    [
      'of the FSF, at another address',
      'GPL-2.0-only',
      textOf('GPL-2.0-only').replace(
        /51 Franklin[^]*?USA/,
        '59 Temple Place, Suite 330, Boston, MA 02111-1307 USA',
      ),
    ],
    [
      'with the next paragraph',
      'MIT',
      MIT.replace('notice shall', 'notice (including the next paragraph) shall'),
    ],
    ['with its notice alone', 'Apache-2.0', NOTICE],
    [
      'below its notice',
      'Apache-2.0',
      `Copyright 2026 Ada\n\n${NOTICE}\n\n${textOf('Apache-2.0').replace(/END OF TERMS[^]*/, '')}`,
    ],
    [
      'for a company',
      'ISC',
      textOf('ISC')
        .replaceAll('ISC DISCLAIMS', 'ACME INC. DISCLAIMS')
        .replace('SHALL ISC', 'SHALL ACME INC.'),
    ],
    [
      'of a project',
      'BSD-3-Clause',
      textOf('BSD-3-Clause').replace(
        'the name of the copyright holder nor the names of its',
        'the names of Acme nor the names of project',
      ),
    ],
    [
      'without its preamble',
      'CC0-1.0',
      `CC0 1.0 Universal\n\n${textOf('CC0-1.0').replace(/^[^]*HEREUNDER\./, '')}\n\nFor more information, please see\n<http://creativecommons.org/publicdomain/zero/1.0/>`,
    ],
    [
      'of LGPL-3.0, without the GPL',
      'LGPL-3.0-only',
      textOf('LGPL-3.0-only').replace(/GNU GENERAL PUBLIC LICENSE\s+Version 3[^]*/, ''),
    ],
  ])('%s -> %s', (_, id, text) => {
    expect(identifyText(text)).toBe(id)
  })
})

test.each([
  [
    'MIT with a prohibition',
    MIT.replace('sublicense, and/or sell', 'sublicense, but redistribution prohibited,'),
  ],
  [
    'an attribution that is not granted',
    'This work is NOT available under Attribution 4.0 International.',
  ],
  [
    'FSL with a future MIT',
    textOf('FSL-1.1-MIT').replace('Functional Source License', 'Our License'),
  ],
  ['BSD that forbids', textOf('BSD-2-Clause').replace('are permitted', 'are forbidden')],
  ['MIT with the Commons Clause', `${MIT}\n\n"Commons Clause" License Condition v1.0`],
  ['MIT under another title', `Noncommercial License\n\n${MIT.slice(12)}`],
  ['two texts', `${MIT}\n\n${textOf('ISC')}`],
  ['a title alone', 'MIT License'],
  ['nothing', ''],
])('%s -> unknown', (_, text) => {
  expect(identifyText(text)).toBeUndefined()
})
