/**
 * A licence text as SPDX compares texts (guidelines for matching, annex B): only words count, without copyright lines,
 * addresses and the numbers of lists, and the parts that may differ are made equal.
 */

/** Words that no name has: a line with one of them is part of the terms. */
const TERMS = String.raw`(?:no|not|may|must|shall|only|without|except|prohibit\w*|forbid\w*|permi\w+|grant\w*|(?:re)?distribut\w*|cop(?:y|ies|ying)|use|notice|disclaim\w*|be|confidential|proprietary|commercial|secret|internal|licen[cs]\w*)\b`

const IN_TERMS = new RegExp(String.raw`\b(?:${TERMS}|(?:holder|owner)s?\b)`, 'i')

/** `Copyright (c) 2026 Ada`, `© 2026 Ada`, `Copyright Ada`; not "COPYRIGHT HOLDERS" or "copyright notice". */
const COPYRIGHT =
  /^(?:[Pp]ortions )?(?:(?:[Cc]opyright|COPYRIGHT)?[ \t:]*(?:\([cC]\)|©)|(?:[Cc]opyright|COPYRIGHT)[ \t:]+(?:\d|[<[{(]|by\b|the\b|\p{Lu}(?!\p{Lu}{2})))/u

const RESERVED = /[.,;]?\s*all rights reserved\.?$/i
/** Addresses, and placeholders such as `<year>` and `[name of copyright owner]`. */
const ADDRESS = /\(?(?:https?:\/\/|www\.)[^\s<>)]*\)?|\b[\w-]+(?:\.[\w-]+)+\/\S*|[^\s@]+@[^\s@]+/gi
const PLACEHOLDER = /<[^<>\n]*>|\[[^[\]\n]*\]|\{[^{}\n]*\}/g

/** Small words of names: "Ada and other contributors". */
const OF_NAMES = new Set(
  'copyright c by and or of the other others all its their present contributors authors affiliates project projects team developers foundation et al see for in npm com inc llc'.split(
    ' ',
  ),
)

/** The words of a copyright line that are not names, and the characters of a name in a script without spaces. */
const [ODD_WORDS, HAN_LIMIT, LINE_WORDS] = [3, 8, 40]

const isCopyright = (line: string): boolean => {
  if (RESERVED.test(line) && line.replace(RESERVED, '') === '') return true
  if (!COPYRIGHT.test(line)) return false
  const name = line.replace(PLACEHOLDER, ' ').replace(ADDRESS, ' ').replace(RESERVED, '')
  const words = name.match(/\p{L}+/gu) ?? []
  const odd = words.filter((word) => word === word.toLowerCase() && !OF_NAMES.has(word))
  const han = name.match(/\p{Script=Han}/gu) ?? []
  const isShort = words.length <= LINE_WORDS && odd.length <= ODD_WORDS && han.length <= HAN_LIMIT
  return isShort && !IN_TERMS.test(name)
}

/** Marks of Markdown, comments and boxes at the start of a line. */
const MARKS = /^[\s#*>/;|=_~`-]+/

/** Articles, which copies add and drop, and numbers of lists. Numbers that matter are in longer words or in the title. */
const NOISE = /^(?:the|an|[a-z]|\d{1,2}|[ivx]{2,5})$/

/** A name of up to eight words between words of the terms. */
const NAME = String.raw`(?:(?!${TERMS}|neither )\S+ ){1,8}`

/** Parts that may differ, most of them by who grants the licence, and their common form; without articles. */
const EQUAL: readonly (readonly [RegExp, string])[] = [
  [/\blicence/g, 'license'],
  [/\bsub (?=licens)/g, 'sub'],
  [/\b(?:isc|authors?|copyright (?:holders?|owners?))\b/g, 'holder'],
  [/\bholder (?:or|and) (?:its )?contributors\b/g, 'holder'],
  [
    new RegExp(
      `\\bneither names? of ${NAME}nor names of (?:its |their |any )?contributors\\b`,
      'g',
    ),
    'neither holder',
  ],
  // What copies have and SPDX's texts lack, or what the Free Software Foundation has changed.
  [
    /\btext of creative commons public licenses is dedicated to public domain under cc0 public domain dedication\b/g,
    '',
  ],
  [
    /\bthis general public license does not permit incorporating your program into proprietary programs if your program is subroutine library you may consider it more useful to permit linking proprietary applications with library if this is what you want to do use gnu (?:lesser|library) general public license instead of this license$/g,
    '',
  ],
  [/(?<= follow )gnu (?:lesser |library )?general public license /g, ''],
  [
    /\b(?:franklin (?:street|st) fifth floor|temple place(?: suite 330)?|mass ave) (?:boston|cambridge) ma \d+ (?:\d+ )?usa\b/g,
    '',
  ],
  [/\bif not (?:write to free software foundation inc|see)\b/g, 'if not see'],
  [/\bone line to give (?:programs|librarys) name and (?:brief )?idea of what it does\b/g, ''],
  [
    /\bsignature of (?:ty coon|moe ghoul) april (?:1989|1990) (?:ty coon|moe ghoul)\b/g,
    'signature',
  ],
  [/ +/g, ' '],
]

const TOKENS = /\p{Script=Han}|[[\p{L}\p{N}]--\p{Script=Han}]+/gv

/** Reduces a licence text to its words, joined by spaces. */
export const reduceToWords = (text: string): string => {
  const lines = text
    .normalize('NFKC')
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(MARKS, '').trim())
  const terms = lines.filter((line) => !isCopyright(line)).join('\n')
  const bare = terms
    .toLowerCase()
    .replace(ADDRESS, ' ')
    .replace(/&\w+;|['’‘`´]/g, '')
  const words = (bare.match(TOKENS) ?? []).filter((word) => !NOISE.test(word))
  return EQUAL.reduce(
    (shown, [part, common]) => shown.replace(part, common),
    words.join(' '),
  ).trim()
}
