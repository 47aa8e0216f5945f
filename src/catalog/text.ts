/** C0, DEL and C1 controls, which no name, description or address may hold. */
export const CONTROL_CHARACTERS = /\p{Cc}/u

/**
 * Characters that show nothing or reorder what is shown: zero width, bidi controls, tags, and variation
 * selectors other than those that choose the emoji form. A joiner inside an emoji, and a non-joiner inside
 * a word of Arabic script, do not count as hidden.
 */
export const HIDDEN_CHARACTERS = new RegExp(
  [
    /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/u,
    /(?<!\p{Script=Arabic})\u200C|\u200C(?!\p{Script=Arabic})/u,
    /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D/u,
    /(?![\uFE00-\uFE0F])\p{Variation_Selector}/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'u',
)

const BEYOND_ASCII = /[\u0080-\uFFFF]/

export const isAscii = (text: string): boolean => !BEYOND_ASCII.test(text)

const allOf = (pattern: RegExp): RegExp => new RegExp(pattern.source, `${pattern.flags}g`)

const CONTROLS = allOf(CONTROL_CHARACTERS)
const HIDDEN = allOf(HIDDEN_CHARACTERS)

/** The code units that every hidden character begins with. */
const MAY_HIDE =
  '\\u00AD\\u061C\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF\\uDB40'
const MAY_BE_HIDDEN = new RegExp(`[${MAY_HIDE}]`)
const MAY_BE_ODD = new RegExp(
  `[${MAY_HIDE}\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]`,
)

/**
 * True for a text without hidden characters, surrogates and controls other than tab and newline. One test of
 * code units, which most texts pass; the others need several slower tests.
 */
export const isOrdinaryText = (text: string): boolean => !MAY_BE_ODD.test(text)

/** The test of code units comes first since HIDDEN_CHARACTERS is slow. */
export const hasHidden = (text: string): boolean =>
  MAY_BE_HIDDEN.test(text) && HIDDEN_CHARACTERS.test(text)

/** Writes hidden characters as `[U+200B]`, so that a reader sees what a program would read. */
export const revealHidden = (text: string): string => (hasHidden(text) ? revealEach(text) : text)

const revealEach = (text: string): string =>
  text.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
    return `[U+${code.padStart(4, '0')}]`
  })

/** Makes one line of visible characters: white space folded, hidden characters dropped. */
export const foldLine = (text: string): string =>
  text.toWellFormed().replace(HIDDEN, '').replace(/\s+/g, ' ').replace(CONTROLS, '').trim()

/** Ends a text of one line as a sentence, whatever the script. */
export const endSentence = (text: string): string =>
  text.replace(/[^\p{Sentence_Terminal}]$/u, '$&.')

const ESCAPED = new RegExp(`${HIDDEN_CHARACTERS.source}|\\p{Cc}|[\\u2028\\u2029]`, 'gu')

/** Makes one line of a text in which nothing is hidden: line breaks, controls and hidden characters are escaped. */
export const escapeLine = (text: string): string =>
  text.replace(
    ESCAPED,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  )

/** Quotes a value for a message: controls and hidden characters are escaped, and it is cut at `limit` characters. */
export const showValue = (value: unknown, limit = 80): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const cut = text.slice(0, limit).toWellFormed()
  const shown = escapeLine(typeof value === 'string' ? JSON.stringify(cut) : cut)
  return cut.length < text.length ? `${shown}…` : shown
}

/** The bytes are not UTF-8 text; the message says why. */
export class NotTextError extends Error {
  override name = 'NotTextError'
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
 * Decodes a SKILL.md: UTF-8, a byte order mark dropped.
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

/** Texts of bytes that are still in use: a page reads its SKILL.md for more than one section. */
const decoded = new WeakMap<Uint8Array, string>()

/** Decodes any bytes, which nobody changes; what is not UTF-8 becomes U+FFFD. */
export const decodeLoosely = (bytes: Uint8Array): string => {
  const known = decoded.get(bytes)
  if (known !== undefined) return known
  const text = LOOSE_UTF8.decode(bytes)
  decoded.set(bytes, text)
  return text
}

/** Counts the characters of a text, where `length` counts those outside the basic plane twice. */
export const countCharacters = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0)

export const countNewlines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Cuts a text at the last word that fits in `limit` characters, the added `…` included. */
export const truncateAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  // A character is two units at most, so this holds one more than fits, where there is one.
  const start = text.slice(0, 2 * limit + 2)
  const characters = /[\uD800-\uDFFF]/.test(start) ? Array.from(start) : start
  if (characters.length <= limit) return text
  const fitting = characters.slice(0, limit - 1)
  const head = typeof fitting === 'string' ? fitting : fitting.join('')
  const wordEnd = /\s/.test(characters[limit - 1] ?? '') ? head.length : head.search(/\s\S*$/)
  // Scripts without blanks have no word to end at; cutting at the last blank would leave nothing.
  const cut = wordEnd > head.length / 2 ? head.slice(0, wordEnd) : head
  return `${cut.replace(/[\s,;:.–—-]+$/u, '')}…`
}

/** Longest text that is remembered. */
const LONGEST_REMEMBERED = 200

/**
 * Remembers the latest `most` results of `find`, which must always return the same for the same text. Callers
 * must not change a result.
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

/** Abbreviations whose point ends no sentence. */
const ABBREVIATIONS =
  /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|incl|no|dr|mr|ms|st|z\.B|bzw|ca|p\. ?ex|ej)\.$/i

/** A run of marks is tried only from its first one; else a long run would take quadratic time. */
const SENTENCE_END = /(?<![.!?])[.!?]+["'”’)\]]*(?=\s+[^\p{Ll}\s])|[。！？]+["”」）]*|$/gu

/** Splits a text into whole sentences, on one line each. */
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

/** Longest sentence that stands for a skill, in characters. */
const SUMMARY_LIMIT = 200

/** Where a clause ends: after a bracket, or before a comma, a colon, a bracket or a dash. */
const CLAUSE_END = /(?<=\))|(?=[,;:](?:\s|$))|(?=\s[(–—])/g

/** Cuts a text at the last clause, or at the last word where that would leave less than half. */
export const truncateAtClause = (text: string, limit: number): string => {
  const cut = truncateAtWord(text, limit)
  if (cut === text) return text
  const kept = cut.slice(0, -1)
  // The characters after the last word show whether a clause ends there.
  const ends = Array.from(text.slice(0, kept.length + 2).matchAll(CLAUSE_END), ({ index }) => index)
  const end = ends.findLast((at) => at <= kept.length) ?? 0
  const clause = end > limit / 2 ? kept.slice(0, end) : cut.slice(0, -1)
  // A bracket that is not closed begins what is cut.
  const open = clause.lastIndexOf('(')
  const isTorn = open > clause.lastIndexOf(')') && open > limit / 2
  return `${isTorn ? clause.slice(0, open).trimEnd() : clause}…`
}

/** A label before the first sentence: `Framework (OSS).`, `Data Commons.` */
const LABEL = /^(?:[\w -]{1,24}\([\w -]{1,16}\)|(?:[A-Z][\w+#]{0,16} ?){1,4})\.$/

/** Introductory phrases of descriptions that say when, not what. */
const PREAMBLE =
  /^(?:(?:always )?(?:use|load|invoke) (?:this|it|the skill)?\s?(?:skill )?(?:when|whenever|if|to)|(?:trigger|always invoke) (?:for|when|whenever)|this skill should be used (?:when|whenever|if)|(?:this|the|a) skill (?:that )?)\s+/i

/** Words that introduce a user's wish, after "use this skill when" or alone. */
const WISH = /^(?:when )?(?:the user|you) (?:wants?|asks?|needs?) (?:to|help with)\s+/i

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A sentence without what it shares with those of other skills, with a capital. */
export const dropPreamble = (text: string): string => {
  const rest = text.replace(PREAMBLE, '').replace(WISH, '')
  return rest === text ? text : capitalize(rest)
}

/** What a user wishes who should start a skill; undefined where a sentence names no wish. */
const findWish = (text: string): string | undefined => {
  const rest = text.replace(PREAMBLE, '')
  const wish = rest.replace(WISH, '')
  return wish !== rest && /^\p{L}/u.test(wish) ? capitalize(wish) : undefined
}

/** Says when a skill is started or not, or by which words. */
const SAYS_WHEN =
  /^(?!use (?:(?!when|if|it\b|for\b)[\w.-]{1,20} ){1,4}to\b)(?:also |always )?(?:use|used|load|invoke|triggers?|activates?|when|only|this skill should be used|do not|don’t|don't|not)\b/i

/** Goes on about a skill that the sentence before it named. */
const GOES_ON =
  /^(?:covers|produces|includes|handles|supports|provides|returns|requires|uses|works|also|it|this)\b/i

/** A line that is words, not a list, a table, a quotation or a picture. */
const WORDS = /^\p{Lu}[^#|<>]{29,600}[.。]$/u

/** The first sentence below the title of a SKILL.md; empty where that is of another kind, or speaks to its reader. */
const findOpening = (body: string): string => {
  const lines = body
    .slice(0, 2_000)
    .split('\n')
    .map((line) => stripMarks(line.trim()))
  const line = lines.find((one) => one !== '' && !one.startsWith('#')) ?? ''
  const isWords = WORDS.test(line) && !SAYS_WHEN.test(line) && !/^(?:you|note|if)\b/i.test(line)
  return isWords ? (splitSentences(line)[0] ?? '') : ''
}

/**
 * The summary of a skill in lists and at the head of its page: the author's own sentence, else the first of the
 * description, or the second where the first says when and the second what, or the wish that the first names, or the
 * first of the body; cut at a clause where it is long.
 */
export const summarize = (description: string, own = '', body = ''): string => {
  const [first = '', next = ''] = splitSentences(description)
  const isLabel = next !== '' && LABEL.test(first)
  const isWhen = SAYS_WHEN.test(first)
  const saysWhat = isWhen && next !== '' && !SAYS_WHEN.test(next) && !GOES_ON.test(next)
  const what = isWhen ? (findWish(first) ?? findOpening(body)) || first : first
  const said = isLabel || saysWhat ? next : what
  // A word of doing begins the sentence of some; a name keeps its small letters.
  const sentence = /^[a-z]+ing\b/.test(said) ? capitalize(said) : said
  return truncateAtClause(own || sentence, SUMMARY_LIMIT)
}

const MARKS =
  /\[([^\]\n]{0,200})\]\([^)\s]{0,500}\)|(\*\*|\*|`)(?=\S)([^*`\n]{1,300})\2|(?<!\w)_(?=[^\s_])([^_\n]{1,300})_(?!\w)/g

/** The words of a line of Markdown, without the marks of links, emphasis and code; `__init__` is a name. */
export const stripMarks = (line: string): string => line.replace(MARKS, '$1$3$4')

const NUMBERS = new Intl.NumberFormat('en')

/** Writes a number with its thousands apart. */
export const showNumber = (value: number): string => NUMBERS.format(value)

/** Writes a count with its noun: `1 skill`, `1,080 skills`. */
export const countOf = (count: number, noun: string): string =>
  `${showNumber(count)} ${noun}${count === 1 ? '' : 's'}`

const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})/

/** A Markdown text without its fenced code; a fence that is never closed reaches to the end. */
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

/** Device names, which Windows forbids for folders; an install creates a folder named after the slug. */
const DEVICE_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Longest slug; with an extension it is a valid file name on every system. */
export const SLUG_LIMIT = 100

export const isSlug = (text: string): boolean =>
  text.length <= SLUG_LIMIT &&
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) &&
  !RESERVED_SLUGS.has(text) &&
  !DEVICE_NAMES.test(text)

/** Whether a text could be the name of a version: no new skill gets such a slug, whose address would be ambiguous. */
export const isVersionName = (text: string): boolean => /^[0-9a-f]{12}$/.test(text)

/** Description of valid slugs, for messages. */
export const SLUG_RULE = `1 to ${SLUG_LIMIT} of a-z and 0-9 in words joined by single hyphens, not "page", "index" or a device name such as "con"`
