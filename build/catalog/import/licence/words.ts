import { unifyLineEnds } from '../../../../src/catalog/lines.ts'

/**
 * A licence text as SPDX compares texts (guidelines for matching, annex B): only words count, without copyright lines,
 * addresses and the numbers of lists, and the parts that may differ are made equal.
 */

/** Words that no name has: a line with one of them is part of the terms. */
const TERMS = String.raw`(?:${[
  String.raw`no|not|may|must|shall|only|without|except|prohibit\w*|forbid\w*|permi\w+|grant\w*|be|use`,
  String.raw`(?:re)?distribut\w*|cop(?:y|ies|ying)|notice|disclaim\w*|licen[cs]\w*`,
  String.raw`confidential|proprietary|(?:non-?)?commercial|secret|internal`,
].join('|')})\b`

const IN_TERMS = new RegExp(
  String.raw`\b(?:${TERMS}|(?:holder|owner|clause|evaluation|trial|private|personal|fee)s?\b|cc[- ]by|nc\b)`,
  'i',
)

/** Prohibitions and conditions in Chinese, Japanese and Korean, which names do not contain. */
export const EASTERN_TERMS = new RegExp(
  [
    '[禁仅僅勿]|不[得可许許准準]|未[经經]|[无無][断斷]|[转轉転][载載]|商用|商[业業](?:使用|用途|目的)|[学學][习習]',
    '研究[用目之]|[内內]部|[私个個]人|授[权權](?![协協条條])|[许許][可諾诺](?![证證协協])|금지|무단|비영리|비상업',
    '허가|전용',
  ].join('|'),
)

/** `Copyright (c) 2026 Ada`, `© 2026 Ada`, `Copyright Ada`; not "COPYRIGHT HOLDERS" or "copyright notice". */
const COPYRIGHT =
  /^(?:[Pp]ortions |(?:The )?(?:MIT|ISC) License,? )?(?:(?:[Cc]opyright|COPYRIGHT)?[ \t:]*(?:\([cC]\)|©)|(?:[Cc]opyright|COPYRIGHT)[ \t:]+(?:\d|[<[{(]|by\b|the\b|\p{Lu}(?!\p{Lu}{2})))/u

const RESERVED = /[.,;]?\s*all rights reserved\.?$/i
/** Addresses, whose lengths are limited so that no text takes long, and placeholders such as `<year>` and `[name of copyright owner]`. */
const ADDRESS =
  /\(?(?:https?:\/\/|www\.)[^\s<>)]*\)?|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\/\S*|[^\s@]{1,64}@[^\s@]{1,255}/gi
const PLACEHOLDER =
  /[<[{](?:(?:years?|y{2,4}|x{2,4}|dates?|names?|of|full ?name|copyright|holders?|owners?|authors?|your|organi[sz]ation|company|entity|project|e-?mail|url|or|and)(?:[ ,/_-]+|(?=[>\]}])))+[>\]}]/gi
/** An address without a path. */
const HOST = /(?<![\w.])[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\b/g

/** Small words of names: "Ada and other contributors". */
const OF_NAMES = new Set(
  'copyright c by and or of the other others all its their present contributors authors these people affiliates project projects team developers foundation dba aka et al see file files list for in npm com inc llc'.split(
    ' ',
  ),
)

/** Ends a sentence (not "Inc. and" or "J. R."), or stands before a remark: a dash between blanks. */
const END =
  /(?<!\b(?:inc|ltd|co|corp|llc|pty|dr|jr|sr|st|prof|al|ph\.d|\p{L}))\.\s+|[;:!?|。；：！？]|\s[-–—]+\s/iu

/** Separates names and handles: "Ada Byron (ada), substack". */
const SEPARATOR = /[,()<>[\]{}（）]/

/** The words of a copyright line that are not names, the characters of a name in Han script, and all characters. */
const [ODD_WORDS, HAN_LIMIT, LINE_LIMIT] = [3, 16, 400]

const countOdd = (part: string): number =>
  (part.match(/\p{L}+/gu) ?? []).filter(
    (word) => word === word.toLowerCase() && !OF_NAMES.has(word) && !/\p{Script=Han}/u.test(word),
  ).length

/** Whether nothing follows the first name but other names and, in the same sentence, handles. */
const isName = (text: string): boolean => {
  const [first, ...more] = text.split(END).filter((part) => /\p{L}/u.test(part))
  const [name = '', ...others] = first?.split(SEPARATOR) ?? []
  return (
    countOdd(name) <= ODD_WORDS &&
    others.every((part) => countOdd(part) === 0 || /^\s*\S+\s*$/.test(part)) &&
    more.every((part) => countOdd(part) === 0)
  )
}

/** Whether a line names who has the copyright, and says nothing else. */
export const isCopyright = (line: string): boolean => {
  if (line.length > LINE_LIMIT) return false
  if (RESERVED.test(line) && line.replace(RESERVED, '') === '') return true
  if (!COPYRIGHT.test(line)) return false
  const name = line
    .replace(ADDRESS, ' ')
    .replace(PLACEHOLDER, ' ')
    .replace(HOST, ' ')
    .replace(RESERVED, '')
    .replace(/^.*?(?:\([cC]\)|©|copyright)/i, '')
    .replace(/\([cC]\)|©/g, ' ')
    .replace(/^[\s\d,:+–—-]*(?:present\b[\s,]*)?/i, '')
  const han = name.match(/\p{Script=Han}/gu) ?? []
  return (
    han.length <= HAN_LIMIT && isName(name) && !IN_TERMS.test(name) && !EASTERN_TERMS.test(name)
  )
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
      `\\bneither names? of ${NAME}nor names of (?:its |their |any |project )?contributors\\b`,
      'g',
    ),
    'neither holder',
  ],
  [new RegExp(`(?<=as is and )${NAME}(?=disclaims all warranties with regard)`, 'g'), 'holder '],
  [new RegExp(`(?<=shall )${NAME}(?=be liable for any special direct indirect)`, 'g'), 'holder '],
  [/\bpermission notice including next paragraph shall be\b/g, 'permission notice shall be'],
  [/(?<=to this cc0 or use of work) for more information please see$/g, ''],
  // What copies have and SPDX's texts lack, or what the Free Software Foundation has changed.
  [
    /\btext of creative commons public licenses is dedicated to public domain under cc0 public domain dedication\b/g,
    '',
  ],
  [
    new RegExp(
      String.raw`\bthis general public license does not permit incorporating your program into proprietary programs ` +
        'if your program is subroutine library you may consider it more useful to permit linking proprietary ' +
        'applications with library if this is what you want to do ' +
        'use gnu (?:lesser|library) general public license instead of this license$',
      'g',
    ),
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
  const lines = unifyLineEnds(text.normalize('NFKC'))
    .split('\n')
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
