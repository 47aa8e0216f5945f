import { spellUnseen } from '../lines.ts'
import { HIDDEN, lazily } from '../text.ts'
import { maskKeys } from './secrets.ts'

/** UTF-16 units that are quoted before and after the start of a match. */
const BEFORE = 60
const AFTER = 180

/** UTF-16 units around a quotation that are searched for keys, because a cut key would not be recognized. */
const MASKED_AROUND = 2_500

const findTags = lazily(() => new RegExp(`(?:(?=${HIDDEN})[\\u{E0020}-\\u{E007E}]){2,}`, 'gu'))

/** Decodes invisible Unicode tag characters to the letters they encode. */
export const spellTags = (tags: string): string =>
  `[invisible: ${Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join('')}]`

/** Makes all characters of a line visible, and replaces long runs of blanks with a count. */
const showLine = (text: string): string =>
  spellUnseen(
    (text.includes('\uDB40') ? text.replace(findTags(), spellTags) : text)
      .replace(/[ \t]{16,}/g, (blanks) => ` [${blanks.length} blanks] `)
      .replaceAll('\t', ' '),
  ).trim()

/** Quotes a line around a match, in visible characters. Shows only the first characters of keys. */
export const quoteLine = (line: string, start: number): string => {
  const from = start <= BEFORE + 20 ? 0 : start - BEFORE
  const end = start + AFTER
  const first = Math.max(0, from - MASKED_AROUND)
  const masked = maskKeys(line.slice(first, end + MASKED_AROUND))
  const cut = masked.slice(from - first, end - first).replace(/•+/g, '…')
  return `${from > 0 ? '…' : ''}${showLine(cut)}${end < line.length ? '…' : ''}`
}
