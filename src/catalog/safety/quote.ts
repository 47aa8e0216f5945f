import { CONTROL_CHARACTERS, nameCodePoint, revealHidden } from '../text.ts'
import type { SafetyMatch } from './rule.ts'

/** UTF-16 units that are quoted before and after the start of a match. */
const BEFORE = 60
const AFTER = 180

/** UTF-16 units of a secret that are quoted: enough for its owner to recognize it. */
const SECRET_SHOWN = 8

const TAGS = /[\u{E0020}-\u{E007E}]{2,}/gu
const CONTROLS = new RegExp(CONTROL_CHARACTERS.source, 'gu')

/** Decodes invisible Unicode tag characters to the letters they encode. */
export const spellTags = (tags: string): string =>
  `[invisible: ${Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join('')}]`

/** Makes all characters of a line visible, and replaces long runs of blanks with a count. */
const showLine = (text: string): string =>
  revealHidden(text.toWellFormed().replace(TAGS, spellTags))
    .replace(/[ \t]{16,}/g, (blanks) => ` [${blanks.length} blanks] `)
    .replaceAll('\t', ' ')
    .replace(CONTROLS, nameCodePoint)
    .trim()

/** Quotes a line around a match, in visible characters. */
export const quoteLine = (
  line: string,
  { start, length }: Pick<SafetyMatch, 'start' | 'length'>,
  isSecret: boolean,
): string => {
  const from = start <= BEFORE + 20 ? 0 : start - BEFORE
  const end = start + AFTER
  const cut = isSecret
    ? `${line.slice(from, start + SECRET_SHOWN)}…${line.slice(start + length, start + length + 40)}`
    : line.slice(from, end)
  return `${from > 0 ? '…' : ''}${showLine(cut)}${!isSecret && end < line.length ? '…' : ''}`
}
