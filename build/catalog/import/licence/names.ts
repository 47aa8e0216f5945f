import parseExpression from 'spdx-expression-parse'

/** Licences that let anyone hand a skill's text on, changed or not, for any use: SPDX identifiers. */
const REDISTRIBUTABLE: ReadonlySet<string> = new Set(
  `0BSD AFL-3.0 AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BlueOak-1.0.0 BSD-2-Clause
  BSD-3-Clause BSD-3-Clause-Clear BSL-1.0 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC0-1.0 CECILL-2.1
  EPL-2.0 EUPL-1.2 GFDL-1.3-or-later GPL-2.0 GPL-2.0-only GPL-2.0-or-later GPL-3.0 GPL-3.0-only
  GPL-3.0-or-later ISC LGPL-2.1 LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0 LGPL-3.0-only LGPL-3.0-or-later MIT
  MIT-0 MPL-2.0 MulanPSL-2.0 NCSA OFL-1.1 PostgreSQL UPL-1.0 Unlicense WTFPL Zlib`.split(/\s+/),
)

/**
 * Spellings of authors, as whole texts in lower case without the word "license" at either end. A
 * statement that only holds such a name somewhere ("not MIT", "MIT with exceptions") says nothing.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:mit|expat|x11 mit)$/, 'MIT'],
  [/^apache(?: ?2|[ -]v?2(?:\.0)?|,? version 2(?:\.0)?|[ -]?software 2\.0|-2)$/, 'Apache-2.0'],
  [/^(?:bsd[ -]2(?:[ -]clause)?|2[ -]clause bsd|simplified bsd)$/, 'BSD-2-Clause'],
  [/^(?:bsd[ -]3(?:[ -]clause)?|3[ -]clause bsd|(?:new|modified) bsd)$/, 'BSD-3-Clause'],
  [/^isc$/, 'ISC'],
  [/^(?:mpl|mozilla public)[ -]?(?:v|version )?2(?:\.0)?$/, 'MPL-2.0'],
  [/^(?:gnu )?gpl[ -]?v?2(?:\.0)?$/, 'GPL-2.0-only'],
  [/^(?:gnu )?gpl[ -]?v?3(?:\.0)?$/, 'GPL-3.0-only'],
  [/^(?:gnu )?lgpl[ -]?v?3(?:\.0)?$/, 'LGPL-3.0-only'],
  [/^(?:gnu )?agpl[ -]?v?3(?:\.0)?$/, 'AGPL-3.0-only'],
  [/^(?:the )?unlicense$/, 'Unlicense'],
  [/^cc0(?:[ -]1\.0)?(?: universal)?$/, 'CC0-1.0'],
  [/^cc[ -]by[ -]4(?:\.0)?$/, 'CC-BY-4.0'],
  [/^cc[ -]by[ -]sa[ -]4(?:\.0)?$/, 'CC-BY-SA-4.0'],
  [/^cc[ -]by[ -]nc[ -]4(?:\.0)?$/, 'CC-BY-NC-4.0'],
]

type Info = ReturnType<typeof parseExpression>

const permits = (info: Info): boolean => {
  if ('license' in info) return REDISTRIBUTABLE.has(info.license)
  const sides = [info.left, info.right]
  return info.conjunction === 'or' ? sides.some(permits) : sides.every(permits)
}

const parseSpdx = (text: string): Info | undefined => {
  try {
    return parseExpression(text)
  } catch {
    // The parser says no in no other way; most statements are no expression.
    return undefined
  }
}

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[\s"'[(]+|[\s"'\]).,;]+$/g, '')
    .replace(/\s+/g, ' ')

/** Gives the SPDX expression of a licence as authors write its name; undefined where it is none we know. */
export const parseLicenceName = (text: string): string | undefined => {
  const whole = text.trim()
  // SPDX, Annex B: UNLICENSED is npm's word for "all rights reserved", not the Unlicense.
  if (whole === '' || whole === 'UNLICENSED') return undefined
  if (parseSpdx(whole)) return whole
  const words = toWords(whole)
  const bare = words
    .replace(/^(?:the|licen[sc]e:|licensed under(?: the)?) /, '')
    .replace(/ licen[sc]e$/, '')
  const inner = bare.replace(/(?:^| )licen[sc]e(?=,| )/, '')
  return SPELLINGS.find(([pattern]) =>
    [words, bare, inner].some((one) => pattern.test(one.trim())),
  )?.[1]
}

/** Says whether a licence lets the registry hand a skill's text on; an expression of SPDX, or false. */
export const isRedistributable = (expression: string): boolean => {
  const info = parseSpdx(expression)
  return info !== undefined && permits(info)
}
