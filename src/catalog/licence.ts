import parseExpression from 'spdx-expression-parse'
import { OTHER_LICENCE } from './skill.ts'
import { remember } from './text.ts'

/**
 * Common spellings of licence names, in lower case and without the word "license" at either end. Each must match the
 * whole statement: "not MIT" and "MIT with exceptions" do not count.
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
  [/^(?:cc[ -]by|creative commons attribution)[ -]4(?:\.0)?(?: international)?$/, 'CC-BY-4.0'],
  [
    /^(?:cc[ -]by[ -]sa|creative commons attribution[ -]sharealike)[ -]4(?:\.0)?(?: international)?$/,
    'CC-BY-SA-4.0',
  ],
  [
    /^(?:cc[ -]by[ -]nc|creative commons attribution[ -]noncommercial)[ -]4(?:\.0)?(?: international)?$/,
    'CC-BY-NC-4.0',
  ],
]

export const isSpdx = (text: string): boolean => {
  try {
    parseExpression(text)
    return true
  } catch {
    // The parser throws for everything that is not an SPDX expression.
    return false
  }
}

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[\s"'[(]+|[\s"'\]).,;]+$/g, '')
    .replace(/\s+/g, ' ')

/** Longest text that is parsed as a licence name, and longest licence that a row shows, in characters. */
const [STATED_LIMIT, ROW_LIMIT] = [200, 60]

/** The SPDX expression for a licence name as authors write it; undefined if the name is unknown. */
export const parseLicenceName = (text: string): string | undefined => {
  const whole = text.trim()
  if (whole.length > STATED_LIMIT) return undefined
  // SPDX, Annex B: UNLICENSED is npm's word for "all rights reserved", not the Unlicense.
  if (whole === '' || whole === 'UNLICENSED') return undefined
  if (isSpdx(whole)) return whole
  const words = toWords(whole)
  const bare = words
    .replace(/^(?:the|licen[sc]e:|licensed under(?: the)?) /, '')
    .replace(/ licen[sc]e$/, '')
  const inner = bare.replace(/(?:^| )licen[sc]e(?=,| )/, '')
  return SPELLINGS.find(([pattern]) =>
    [words, bare, inner].some((spelling) => pattern.test(spelling.trim())),
  )?.[1]
}

/** A licence as rows show it: the SPDX expression for the author's statement, or OTHER_LICENCE. */
export const nameLicence = remember((stated) => {
  const name = parseLicenceName(stated)
  return name === undefined || name.length > ROW_LIMIT ? OTHER_LICENCE : name
})
