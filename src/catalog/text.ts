/** C0, DEL and C1 controls, which names, descriptions and addresses must not contain. */
export const CONTROL_CHARACTERS = /\p{Cc}/u

const classOf = (scripts: string): string =>
  `[${scripts.replace(/\w+/g, String.raw`\p{Script_Extensions=$&}`).replaceAll(' ', '')}]`

/** Scripts that are misspelt without joiners and non-joiners. */
const JOINED = classOf(
  'Adlam Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mandaic Mongolian Myanmar Nko Oriya Sinhala Syriac Tamil Telugu Tibetan',
)
/** Scripts without blanks, in which a zero-width space marks the end of a word. */
const WITHOUT_BLANKS = classOf('Khmer Lao Myanmar New_Tai_Lue Tai_Le Tai_Tham Tai_Viet Thai')
const RIGHT_TO_LEFT = classOf(
  'Adlam Arabic Hanifi_Rohingya Hebrew Mandaic Nko Samaritan Syriac Thaana',
)

/** Makes a value when it is first needed: the expressions for hidden characters would add .25 CPU s to each command. */
export const lazily = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => (made ??= make())
}

/** Finds the direction of a text: that of its first letter. Undefined for a text without letters. */
export const directionOf = (text: string): 'ltr' | 'rtl' | undefined => {
  const [letter] = /\p{L}/u.exec(text) ?? []
  if (letter === undefined) return undefined
  return hasRightToLeft(letter) ? 'rtl' : 'ltr'
}

const anyRightToLeft = lazily(() => new RegExp(RIGHT_TO_LEFT, 'u'))

export const hasRightToLeft = (text: string): boolean =>
  !isAscii(text) && anyRightToLeft().test(text)

const letters = (least: number): string => String.raw`[\p{L}\p{M}]{${least}}`

/**
 * Source of an expression for characters that are invisible or reorder the text around them, where no script needs them.
 * It is slow to make and to run: `hasHidden` and `replaceHidden` do so only if they must. An author needs joiners in
 * Persian or Bengali, direction marks near a right-to-left letter, soft hyphens inside words, variation selectors after
 * their base, and the tags of a flag. There, one such character does not count as hidden; a run of them does.
 */
export const HIDDEN = [
  String.raw`[\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]`,
  String.raw`(?<=[\u200B-\u200D])[\u200B-\u200D]`,
  String.raw`(?<!${WITHOUT_BLANKS})\u200B(?!${WITHOUT_BLANKS})`,
  String.raw`(?<!${JOINED})\u200C(?!${JOINED})`,
  String.raw`(?<!${JOINED}|[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?!${JOINED})`,
  String.raw`(?<=[\u061C\u200E\u200F])[\u061C\u200E\u200F]`,
  String.raw`(?<!${RIGHT_TO_LEFT}\P{L}{0,16})[\u061C\u200E\u200F](?!\P{L}{0,16}${RIGHT_TO_LEFT})`,
  // Words of fewer than five letters are not hyphenated.
  String.raw`\u00AD(?!(?<=${letters(2)}.)${letters(3)}|(?<=${letters(3)}.)${letters(2)})`,
  String.raw`(?<=[\p{Script=Latin}\p{Variation_Selector}])\p{Variation_Selector}`,
  String.raw`(?<!\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  String.raw`(?<![\u1820-\u18AA]\p{Variation_Selector}?)[\u180B-\u180F]`,
  String.raw`(?<!\u{1F3F4}(?=[\u{E0030}-\u{E007A}]{3,5}\u{E007F})[\u{E0030}-\u{E007A}]{0,5})[\u{E0000}-\u{E007F}]`,
].join('|')

/** Soft hyphens and direction marks. In a text some are needed, but two file names may not differ in these alone. */
export const SOFT_MARKS = /[\u00AD\u061C\u200E\u200F]/

const BEYOND_ASCII = /[\u0080-\uFFFF]/

export const isAscii = (text: string): boolean => !BEYOND_ASCII.test(text)

const anyHidden = lazily(() => new RegExp(HIDDEN, 'gu'))

/** First code units of all hidden characters. */
const MAY_HIDE =
  '\\u00AD\\u061C\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFE00-\\uFE0F\\uFEFF\\uDB40'
const MAY_BE_HIDDEN = new RegExp(`[${MAY_HIDE}]`)
const MAY_BE_ODD = new RegExp(
  `[${MAY_HIDE}\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u2028\\u2029\\uD800-\\uDFFF]`,
)

/**
 * True for a text without hidden characters, surrogates, line separators, or controls other than tab and newline. Most
 * texts pass this test, which is 30 times as fast as the expression of HIDDEN.
 */
export const isOrdinaryText = (text: string): boolean => !MAY_BE_ODD.test(text)

/** Tests code units first because the expression of HIDDEN is slow. */
export const hasHidden = (text: string): boolean =>
  MAY_BE_HIDDEN.test(text) && text.search(anyHidden()) >= 0

/** Replaces each hidden character. */
export const replaceHidden = (text: string, show: (character: string) => string): string =>
  MAY_BE_HIDDEN.test(text) ? text.replace(anyHidden(), show) : text

/** Replaces hidden characters with visible codes such as `[U+200B]`. */
export const revealHidden = (text: string): string => replaceHidden(text, nameCodePoint)

const hexOf = (character: string): string => character.codePointAt(0)!.toString(16).toUpperCase()

/** Returns `[U+200B]` for a character. */
export const nameCodePoint = (character: string): string =>
  `[U+${hexOf(character).padStart(4, '0')}]`

/** Collapses white space to single spaces and drops controls and hidden characters: one visible line remains. */
export const foldLine = (text: string): string => {
  const line = replaceHidden(text.toWellFormed(), () => '')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
  // What was dropped may have separated two joiners, which are hidden side by side.
  return hasHidden(line) ? foldLine(line) : line
}

/** Adds a full stop to a line unless it ends with sentence punctuation of any script. */
export const endSentence = (text: string): string =>
  text.replace(/[^\p{Sentence_Terminal}]$/u, '$&.')

const ESCAPED = new RegExp(`${SOFT_MARKS.source}|\\p{Cc}|[\\u2028\\u2029]`, 'gu')

const escapeCharacter = (character: string): string => `\\u{${hexOf(character)}}`

/** Escapes line breaks, controls and hidden characters, so that the text is one line with nothing hidden. */
export const escapeLine = (text: string): string =>
  replaceHidden(text, escapeCharacter).replace(ESCAPED, escapeCharacter)

/** Quotes a value for a message: escapes controls and hidden characters, and cuts the value at `limit` characters. */
export const showValue = (value: unknown, limit = 80): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const cut = text.slice(0, limit).toWellFormed()
  const shown = escapeLine(typeof value === 'string' ? JSON.stringify(cut) : cut)
  return cut.length < text.length ? `${shown}…` : shown
}

/** The bytes are not UTF-8 text; the message says why. */
export class NotTextError extends Error {
  readonly reason: string
  constructor(reason: string, remedy = '') {
    super(reason + remedy)
    this.reason = reason
  }
}

const startsWith = (bytes: Uint8Array, ...head: number[]): boolean =>
  head.every((value, index) => bytes[index] === value)

const AS_UTF8 = '; save it as UTF-8'
const UTF8 = new TextDecoder('utf-8', { fatal: true })
const LOOSE_UTF8 = new TextDecoder('utf-8')

/**
 * Decodes a SKILL.md as UTF-8 and drops a byte order mark.
 * Throws NotTextError for UTF-16, NUL bytes and anything that is not valid UTF-8.
 */
export const decodeText = (bytes: Uint8Array): string => {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    throw new NotTextError('the file is UTF-16', AS_UTF8)
  }
  const nul = bytes.indexOf(0)
  if (nul >= 0) throw new NotTextError(`the file is not text: NUL at byte ${nul}`)
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new NotTextError('the file is not valid UTF-8', AS_UTF8)
  }
}

/** Decoded texts by their bytes: several sections of a page read the same SKILL.md. */
const decoded = new WeakMap<Uint8Array, string>()

/** Decodes any bytes; invalid UTF-8 becomes U+FFFD. Callers must not change the bytes later: the text is cached. */
export const decodeLoosely = (bytes: Uint8Array): string => {
  const known = decoded.get(bytes)
  if (known !== undefined) return known
  const text = LOOSE_UTF8.decode(bytes)
  decoded.set(bytes, text)
  return text
}

/** Letters that NFKD does not decompose, and what people type instead. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
])

const ANY_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'giu')

/** Writes letters such as ł and ß as people type them without their keys. */
export const typeLetters = (text: string): string =>
  text.replace(ANY_LETTER, (letter) => LETTERS.get(letter.toLowerCase()) ?? letter)

/** Counts code points; `length` counts those outside the basic plane twice. */
export const countCharacters = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0)

export const countNewlines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Cuts a text after the last word that fits in `limit` characters, including the added `…`. */
export const truncateAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  // A character has at most two units, so this contains at least one character more than fits.
  const start = text.slice(0, 2 * limit + 2)
  const characters = /[\uD800-\uDFFF]/.test(start) ? Array.from(start) : start
  if (characters.length <= limit) return text
  const fitting = characters.slice(0, limit - 1)
  const head = typeof fitting === 'string' ? fitting : fitting.join('')
  const wordEnd = /\s/.test(characters[limit - 1] ?? '') ? head.length : head.search(/\s\S*$/)
  // Scripts without spaces have no word ends; cutting at the last space could leave almost nothing.
  const cut = wordEnd > head.length / 2 ? head.slice(0, wordEnd) : head
  return `${cut.replace(/[\s,;:.–—-]+$/u, '')}…`
}

/** Longest text whose result `remember` stores, in characters. */
const LONGEST_REMEMBERED = 200

/**
 * Caches up to `most` results of `find`, which must always return the same result for a text; a full cache is cleared.
 * Callers must not change a result.
 */
export const remember = <Found>(
  find: (text: string) => Found,
  most = 512,
): ((text: string) => Found) => {
  const known = new Map<string, Found>()
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return find(text)
    const before = known.get(text)
    if (before !== undefined) return before
    const found = find(text)
    if (known.size >= most) known.clear()
    known.set(text, found)
    return found
  }
}

/** Abbreviations whose full stop does not end a sentence. */
const ABBREVIATIONS =
  /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|incl|no|dr|mr|ms|st|z\.B|bzw|ca|p\. ?ex|ej)\.$/i

/** A match can start only at the first mark of a run; otherwise a long run would take quadratic time. */
const SENTENCE_END = /(?<![.!?])[.!?]+["'”’)\]]*(?=\s+[^\p{Ll}\s])|[。！？]+["”」）]*|$/gu

/** Splits a text into sentences, each on one line. */
export const splitSentences = (text: string): string[] => {
  const line = text.replace(/\s+/g, ' ').trim()
  const sentences: string[] = []
  let start = 0
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    if (ABBREVIATIONS.test(line.slice(Math.max(start, end - 12), end))) continue
    const sentence = line.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
  }
  return sentences
}

/** Longest summary, in characters. */
const SUMMARY_LIMIT = 200

/** The end of a clause: after a bracket, or before a comma, a semicolon, a colon, a bracket or a dash. */
const CLAUSE_END = /(?<=\))|(?=[,;:](?:\s|$))|(?=\s[(–—])/g

/** Cuts a text after the last clause that fits, or after the last word if less than half of `limit` would be left. */
export const truncateAtClause = (text: string, limit: number): string => {
  const cut = truncateAtWord(text, limit)
  if (cut === text) return text
  const kept = cut.slice(0, -1)
  // Includes two more characters, which show whether a clause ends after the last word.
  const ends = Array.from(text.slice(0, kept.length + 2).matchAll(CLAUSE_END), ({ index }) => index)
  const end = ends.findLast((at) => at <= kept.length) ?? 0
  const clause = end > limit / 2 ? kept.slice(0, end) : kept
  // Also drops a bracket that the cut left open.
  const open = clause.lastIndexOf('(')
  const isTorn = open > clause.lastIndexOf(')') && open > limit / 2
  return `${isTorn ? clause.slice(0, open).trimEnd() : clause}…`
}

/** A label before the first sentence: `Framework (OSS).`, `Data Commons.` */
const LEADING_LABEL = /^(?:[\w -]{1,24}\([\w -]{1,16}\)|(?:[A-Z][\w+#]{0,16} ?){1,4})\.$/

/** Introductory phrases, such as "use this skill when", that say when to use a skill, not what it does. */
const PREAMBLE = new RegExp(
  `^(?:${[
    '(?:you )?must (?:be used|use)(?: when(?:ever)?| for)?',
    '(?:always )?(?:use|load|invoke) (?:this|it|the skill)?\\s?(?:skill )?(?:when|whenever|if|to)',
    '(?:trigger|always invoke) (?:for|when|whenever)',
    'this skill should be used (?:when|whenever|if)',
    '(?:this|the|a) skill (?:that )?',
  ].join('|')}):?\\s+`,
  'i',
)

/** Words that introduce a user's request, such as "the user wants to", alone or after a PREAMBLE. */
const WISH = /^(?:when )?(?:the user|you) (?:wants?|asks?|needs?) (?:to|help with)\s+/i

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Removes introductory phrases that most descriptions share, and capitalizes the rest. */
export const dropPreamble = (text: string): string => {
  const rest = text.replace(PREAMBLE, '').replace(WISH, '')
  return rest === text ? text : capitalize(rest)
}

/** Returns `Sort words` for "Use this skill when the user asks to sort words"; empty for other sentences. */
const findWish = (text: string): string => {
  const rest = text.replace(PREAMBLE, '')
  const wish = rest.replace(WISH, '')
  return wish !== rest && /^\p{L}/u.test(wish) ? capitalize(wish) : ''
}

/** A sentence that says when to use a skill, when not to, that an agent must, or which words trigger it. */
const SAYS_WHEN = new RegExp(
  [
    '^(?!use (?:(?!when|if|it\\b|for\\b)[\\w.-]{1,20} ){1,4}to\\b)(?:also |always )?' +
      '(?:use|used|load|invoke|triggers?|activates?|when|(?:you )?must|never|only|' +
      "this skill should be used|do not|don’t|don't|not)\\b",
    '^(?:mandatory|critical|important|required)(?: [a-z]+)?(?::| [–—]) ',
  ].join('|'),
  'i',
)

/** A sentence that says what a skill does: its verb is in the third person. */
const SAYS_WHAT =
  /^(?:(?:this|the) skill |it )?(?!requires|needs|uses|works|applies|supports|runs|covers|examples|keywords|phrases|always|unless|various|this|is)[a-z]{2,20}s\b(?!:)/i

const COVERS = /^covers\b/i

/** A line of prose, not of a list, a table, a quotation or a picture. */
const PROSE = /^\p{Lu}[^#|<>]{29,600}[.。]["”’)]?$/u

/** The first sentence below the title of a SKILL.md; empty if that line is not prose or addresses the reader. */
const findOpening = (body: string): string => {
  const lines = body
    .slice(0, 2_000)
    .split('\n')
    .map((line) => stripMarks(line.trim()))
  const opening = lines.find((line) => line !== '' && !/^(?:#|\**mandatory\b)/i.test(line)) ?? ''
  const isProse =
    PROSE.test(opening) && !SAYS_WHEN.test(opening) && !/^(?:you|note|if)\b/i.test(opening)
  return isProse ? (splitSentences(opening)[0] ?? '') : ''
}

/**
 * The summary of a skill in lists and at the top of its page. The first of these that exists:
 * - the record's own sentence
 * - the second sentence of the description, if the first is a label
 * - if the description starts with when to use the skill: the user's request, else a later sentence that says what the skill
 *   does, else the first sentence of the body, else what the skill covers
 * - the first sentence of the description
 */
export const summarize = (description: string, stated = '', body = ''): string => {
  const [first = '', ...others] = splitSentences(dropBold(description))
  const [next = ''] = others
  const find = (words: RegExp): string =>
    others.find((text) => words.test(text) && !SAYS_WHEN.test(text)) ?? ''
  const findWhat = (): string =>
    findWish(first) || find(SAYS_WHAT) || findOpening(body) || find(COVERS) || first
  const what = SAYS_WHEN.test(first) ? findWhat() : first
  const chosen = next !== '' && LEADING_LABEL.test(first) ? next : what
  // Capitalizes a verb such as "sorting", but not a name such as "npm".
  const sentence = /^[a-z]+ing\b/.test(chosen) ? capitalize(chosen) : chosen
  return truncateAtClause(stated || sentence, SUMMARY_LIMIT)
}

const INLINE_MARKUP =
  /\[([^\]\n]{0,200})\]\([^)\s]{0,500}\)|(\*\*|\*|`)(?=\S)([^*`\n]{1,300})\2|(?<!\w)_(?=[^\s_])([^_\n]{1,300})_(?!\w)/g

/** Removes the Markdown marks of links, emphasis and code from a line; keeps `__init__`, which is a name. */
export const stripMarks = (line: string): string => line.replace(INLINE_MARKUP, '$1$3$4')

/** Removes the marks of bold text; keeps the asterisks of paths. */
export const dropBold = (line: string): string =>
  line.replace(/(?<![\w/*])\*\*(?=\S)([^*\n]{1,300})(?<=\S)\*\*(?![\w/*])/g, '$1')

const NUMBERS = new Intl.NumberFormat('en')

/** Writes a number with thousands separators. */
export const showNumber = (value: number): string => NUMBERS.format(value)

/** Writes a count with its noun: `1 skill`, `1,080 skills`. */
export const countOf = (count: number, noun: string): string =>
  `${showNumber(count)} ${noun}${count === 1 ? '' : 's'}`

const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})/

/** Removes fenced code from a Markdown text; a fence that is never closed extends to the end. */
export const dropFences = (text: string): string => {
  let open = ''
  const isKept = (line: string): boolean => {
    const [, mark = ''] = FENCE_LINE.exec(line) ?? []
    const wasOpen = open !== ''
    if (!wasOpen) open = mark
    else if (mark.startsWith(open)) open = ''
    return !wasOpen && mark === ''
  }
  return text.split('\n').filter(isKept).join('\n')
}

/** Slugs that would collide with pages of the site: `/skills/page/2` is a listing. */
const RESERVED_SLUGS = new Set(['page', 'index'])

/** Windows device names, which cannot be folders; an install creates a folder named after the slug. */
const DEVICE_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Longest slug, in characters; with an extension it is a valid file name on every system. */
export const SLUG_LIMIT = 100

export const isSlug = (text: string): boolean =>
  text.length <= SLUG_LIMIT &&
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) &&
  !RESERVED_SLUGS.has(text) &&
  !DEVICE_NAMES.test(text)

export const VERSION_NAME = '[0-9a-f]{32}'

/** Whether a text has the form of a version name. No new skill gets such a slug: its address would be ambiguous. */
export const isVersionName = (text: string): boolean => new RegExp(`^${VERSION_NAME}$`).test(text)

/** Shortens the name of a version for the words of a page; addresses have the whole name. */
export const shortenVersion = (name: string): string => name.slice(0, 12)

/** Description of valid slugs, for messages. */
export const SLUG_RULE = `1 to ${SLUG_LIMIT} characters: words of a-z and 0-9 joined by single hyphens, but not "page", "index" or a device name such as "con"`
