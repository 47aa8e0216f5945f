import { readFileSync } from 'node:fs'
import { isSpdx, parseLicenceName } from '../../../../src/catalog/licence-name.ts'
import { kindOfLicence } from '../../../../src/catalog/licence.ts'

/** Whether a licence allows redistribution; false for an invalid expression. */
export const isRedistributable = (expression: string): boolean =>
  isSpdx(expression) && kindOfLicence(expression) !== 'other'

/**
 * Phrases that identify a licence text, one row of `texts.txt` per licence. The first row matches of which the text has
 * all phrases and none of those after `not:`.
 */
const TEXTS = readFileSync(new URL('./texts.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => row.split(' | '))

/** Added conditions that turn a free licence into another one. */
const ADDED = [
  'commons clause',
  'additional use restriction',
  'non-commercial use only',
  'noncommercial use only',
]

/** Maximum length of a file with only a licence name, in characters. */
const NAME_ONLY = 200

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[#*_>=]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** SPDX identifier of a licence text; undefined if unknown. */
export const identifyLicenceText = (text: string): string | undefined => {
  const words = plain(text)
  if (words.length <= NAME_ONLY) return parseLicenceName(text.trim())
  if (ADDED.some((condition) => words.includes(condition))) return undefined
  const isShown = (sign: string): boolean =>
    sign.startsWith('not:') ? !words.includes(sign.slice(4)) : words.includes(sign)
  return TEXTS.find(([, ...signs]) => signs.every(isShown))?.[0]
}

const HEADING = /^#{1,6}[ \t]+(?:[^\w\s]+[ \t]*)?licen[sc](?:e|ing)[ \t#]*$/im

/** Words that introduce a licence name: "This project is licensed under the". */
const LEAD_IN =
  /^(?:this \w+ is )?(?:released|licensed|distributed|available) under (?:the )?(?:terms of the )?/i

/** The name: a link's text, or the text before a line end, dash or bracket. */
const STATED = [
  /^\[([^\]\n]{2,40})\]\([^)\s]*\)/,
  /^([\w.,+\- ]{2,40}?)(?:$|[.;]? (?:-|–|—|see|©|\(c\)|\(see)|\s*[([])/im,
]

const lineOf = (section: string): string =>
  section
    .split('\n')
    .map((line) => line.replace(/[*_`]/g, '').trim())
    .find((line) => line !== '' && !line.startsWith('[![')) ?? ''

/** The licence under a README's licence heading, if any. */
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
