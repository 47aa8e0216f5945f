import { readFileSync } from 'node:fs'
import parseExpression from 'spdx-expression-parse'

/** SPDX identifiers of licences that let anyone pass a text on, changed or not, for any use. */
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
    // The parser can only throw; most statements are not SPDX expressions.
    return undefined
  }
}

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[\s"'[(]+|[\s"'\]).,;]+$/g, '')
    .replace(/\s+/g, ' ')

/** The SPDX expression for a licence's name as authors write it; undefined for an unknown one. */
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

/** Whether a licence lets the registry pass a text on; false for an expression that cannot be read. */
export const isRedistributable = (expression: string): boolean => {
  const info = parseSpdx(expression)
  return info !== undefined && permits(info)
}

/**
 * Phrases by which the text of a licence is recognized, a row of `texts.txt` for each. The first row counts of
 * which the text has all phrases, and none of those after `not:`.
 */
const TEXTS = readFileSync(new URL('./texts.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => row.split(' | '))

/** Conditions that people add to a free licence, which make it another licence. */
const ADDED = [
  'commons clause',
  'additional use restriction',
  'non-commercial use only',
  'noncommercial use only',
]

/** Longest file that may be just the name of a licence, in characters. */
const NAME_ONLY = 200

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[#*_>=]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The SPDX identifier for the text of a licence file; undefined for an unknown one. */
export const identifyLicenceText = (text: string): string | undefined => {
  const words = plain(text)
  if (words.length <= NAME_ONLY) return parseLicenceName(text.trim())
  if (ADDED.some((condition) => words.includes(condition))) return undefined
  const isShown = (sign: string): boolean =>
    sign.startsWith('not:') ? !words.includes(sign.slice(4)) : words.includes(sign)
  return TEXTS.find(([, ...signs]) => signs.every(isShown))?.[0]
}

const HEADING = /^#{1,6}[ \t]+(?:[^\w\s]+[ \t]*)?licen[sc](?:e|ing)[ \t#]*$/im

/** Words before a name that state it: "This project is licensed under the". */
const LEAD_IN =
  /^(?:this \w+ is )?(?:released|licensed|distributed|available) under (?:the )?(?:terms of the )?/i

/** The name itself: a link's text, or what stands before the line's end, a dash or a bracket. */
const STATED = [
  /^\[([^\]\n]{2,40})\]\([^)\s]*\)/,
  /^([\w.,+\- ]{2,40}?)(?:$|[.;]? (?:-|–|—|see|©|\(c\)|\(see)|\s*[([])/im,
]

const lineOf = (section: string): string =>
  section
    .split('\n')
    .map((line) => line.replace(/[*_`]/g, '').trim())
    .find((line) => line !== '' && !line.startsWith('[![')) ?? ''

/** The licence that a README states under a heading of that name; undefined where it states none. */
export const findStatedLicence = (readme: string): string | undefined => {
  const heading = HEADING.exec(readme)
  if (!heading) return undefined
  const section = readme.slice(heading.index + heading[0].length).split(/^#{1,6}[ \t]/m)[0] ?? ''
  const line = lineOf(section).replace(LEAD_IN, '')
  for (const pattern of STATED) {
    const name = parseLicenceName(pattern.exec(line)?.[1] ?? '')
    if (name !== undefined) return name
  }
  return undefined
}
