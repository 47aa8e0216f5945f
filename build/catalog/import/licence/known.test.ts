import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import full from 'spdx-license-list/full.js'
import { expect, test } from 'vitest'
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

const found = IDS.map((id) => [id, identifyText(textOf(id))] as const)

test('every text of SPDX -> its licence, or unknown; never another', () => {
  expect(found.filter(([id, as]) => as !== undefined && !isSame(id, as))).toEqual([])
  expect(found.filter(([, as]) => as === undefined).map(([id]) => id)).toEqual([
    'OLDAP-2.2.2',
    'zlib-acknowledgement',
    'OpenSSL-standalone',
    'OLDAP-2.3',
    'Nunit',
  ])
})

test('every text of SPDX -> unknown with a sentence more, wherever it stands', () => {
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

test('every text of SPDX -> unknown without one of its words', () => {
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

const NOTICE = /Licensed under the Apache[^]*under the License\./.exec(textOf('Apache-2.0'))![0]

const withHolder = (line: string): string => MIT.replace(/^Copyright.*$/m, line)

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
])('the line %s -> a name', (line) => {
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
])('the line %s -> terms', (line) => {
  expect(identifyText(withHolder(line))).toBeUndefined()
})

const HOLDERS =
  'Copyright (c) 2020 Ada <a@x.example>\n© 2021 sindresorhus (https://x.example)\nCopyright'
const FAR = '59 Temple Place, Suite 330, Boston, MA 02111-1307 USA'

test.each<[id: string, pattern: RegExp | string, as: string]>([
  ['MIT', /<year>.*/, '2020-2026 Ada Byron, Inc. and contributors'],
  ['MIT', 'Copyright', HOLDERS],
  ['MIT', '<copyright holders>', 'Ada. All rights reserved.\nAll rights reserved.'],
  ['MIT', /^MIT License\s*/, '# The MIT License (MIT)\n\n'],
  ['MIT', /^MIT License\s*/, ''],
  ['MIT', /^/gm, ' * '],
  ['MIT', /"/g, '”'],
  ['MIT', 'notice shall', 'notice (including the next paragraph) shall'],
  ['Apache-2.0', /END OF TERMS[^]*/, ''],
  ['Apache-2.0', /[^]*/, NOTICE],
  ['Apache-2.0', /^/, `Copyright 2026 Ada\n\n${NOTICE}\n\n`],
  ['Apache-2.0', '[yyyy] [name of copyright owner]', '2026 Ada'],
  ['BSD-3-Clause', 'the name of the copyright holder', 'the name of Acme Inc.'],
  ['BSD-3-Clause', 'the copyright holder nor the names of its', 'Acme nor the names of project'],
  ['ISC', /(?<=SHALL )ISC|ISC(?= DISCLAIMS)/g, 'THE AUTHOR'],
  ['ISC', /(?<=SHALL )ISC|ISC(?= DISCLAIMS)/g, 'ACME INC.'],
  ['GPL-2.0-only', /51 Franklin[^]*?USA/, FAR],
  ['LGPL-3.0-only', /GNU GENERAL PUBLIC LICENSE\s+Version 3[^]*/, ''],
  ['CC0-1.0', /^[^]*HEREUNDER\./, 'CC0 1.0 Universal\n\n'],
])('%s, with %s as %j -> the same', (id, pattern, as) => {
  const text = textOf(id).replace(pattern, as)
  expect([text === textOf(id), identifyText(text)]).toEqual([false, id])
})

test('a text in capitals, in short lines, with CRLF', () => {
  const text = textOf('Apache-2.0').replace(/APPENDIX[^]*/, '')
  const lines = text.toUpperCase().replace(/(.{20,60}) /g, '$1\n')
  expect(identifyText(lines.replaceAll('\n', '\r\n'))).toBe('Apache-2.0')
})

test.each([
  ['MIT', 'sublicense, and/or sell', 'sublicense, but redistribution prohibited,'],
  ['MIT', /^MIT License/, 'Noncommercial License'],
  ['MIT', /$/, '\n\n"Commons Clause" License Condition v1.0'],
  ['MIT', /$/, `\n\n${textOf('ISC')}`],
  ['MIT', /(?<=^MIT License)[^]*/, ''],
  ['MIT', /[^]*/, 'This work is NOT available under Attribution 4.0 International.'],
  ['FSL-1.1-MIT', 'Functional Source License', 'Our License'],
  ['BSD-2-Clause', 'are permitted', 'are forbidden'],
])('%s, with %s as %j -> unknown', (id, pattern, as) => {
  expect(identifyText(textOf(id).replace(pattern, as))).toBeUndefined()
})
