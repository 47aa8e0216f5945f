import { readFileSync } from 'node:fs'
import { isSpdx, parseLicenceName } from '../../../../src/catalog/licence-name.ts'
import { kindOfLicence } from '../../../../src/catalog/licence.ts'

/** Whether a licence lets the registry pass a text on; false for an expression that cannot be read. */
export const isRedistributable = (expression: string): boolean =>
  isSpdx(expression) && kindOfLicence(expression) !== 'other'

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
