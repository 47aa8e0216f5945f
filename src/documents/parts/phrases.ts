import { stripMarks } from '../../catalog/text.ts'
import { VERBS } from './words.ts'

/** Most characters that a part repeats of another, or of the description, which stands whole under Activation. */
export const REPEATED = 60

/** Phrases of one sentence that a part lists. */
const PHRASES = 6

/** Words of users that need not be said. */
const DENIED = /\b(?:don['’]t|do not|without|not) (?:explicitly )?(?:say|saying|mention|use|ask)/i

/** Fewest words that say something by themselves. */
const WORDS_AT_LEAST = 3

/** What introduces occasions and is none itself: `Use this skill when the user wants to …`. */
const LEAD_IN =
  /^(?:(?:also|always|must|only|proactively|please|best)\s)*(?:(?:should be |is )?(?:use[ds]?|invoke[ds]?|activate[ds]?|apply|applies|load|trigger(?:s|ed)?|intended|designed|useful|ideal)\s)?(?:(?:this|it|the)\s)?(?:skill\s)?(?:proactively\s)?(?:when(?:ever)?|if|for|on|before|after|where)\s(?:(?:the\s|a\s)?(?:users?|you|someone|developers?)\s(?:explicitly\s)?(?:(?:wants?|needs?|asks?)\s(?:(?:you|claude)\s)?(?:help\s)?(?:to|for|about|with)\s|(?:needs?|wants?|mentions?|is|are)\s)?)?(?:asked to\s)?/i

/** What may stand between two occasions. */
const BETWEEN = /[,;]\s+(?:(?:and|or)\s+)?|\s+or\s+/g

const VERB = new RegExp(`^(?:${VERBS})\\s`, 'i')

/** How an occasion begins: those of one list begin alike, and what does not goes on with the one before it. */
const kindOf = (piece: string): 'doing' | 'when' | 'verb' | 'other' => {
  if (/^[\w-]+ing\s/i.test(piece)) return 'doing'
  if (/^when(?:ever)?\s/i.test(piece)) return 'when'
  return VERB.test(piece) ? 'verb' : 'other'
}

/** What a user does, and no thing. */
const OF_USER = /^(?:asks|needs|wants|says|mentions|has|is|requests|reports)\s/i

const QUOTED = /["“]([^"“”\n]{2,56})["”]|(?<=[\s(,:])['‘]([^'’\n]{2,56})['’](?=[\s,.;:)]|$)/g

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length

const isWhole = (text: string): boolean =>
  [...'()[]"“”`'].every((sign) => !text.includes(sign)) ||
  ((text.match(/[([“]/g)?.length ?? 0) === (text.match(/[)\]”]/g)?.length ?? 0) &&
    (text.match(/"/g)?.length ?? 0) % 2 === 0 &&
    (text.match(/`/g)?.length ?? 0) % 2 === 0)

/** Where a clause may end: punctuation, in the scripts of more than one language. */
const CLAUSE_END = /\s[-–—]\s|[:;,]\s|[，；：、。]/g

/** The sentence where it is short, else its first clauses as far as they are; undefined where no clause ends in time. */
export const firstClauses = (sentence: string): string | undefined => {
  const plain = stripMarks(sentence).replace(/\s+/g, ' ').trim()
  if (plain.length <= REPEATED) return plain
  const ends = [...plain.slice(0, REPEATED + 3).matchAll(CLAUSE_END)]
    .map(({ index }) => index)
    .filter((end) => end <= REPEATED)
  const clause = ends
    .map((end) => plain.slice(0, end).trim())
    .findLast((text) => isWhole(text) && (countWords(text) >= WORDS_AT_LEAST || text.length >= 30))
  return clause === undefined || LEAD_IN.exec(`${clause} `)?.[0].trim() === clause
    ? undefined
    : clause
}

/** Joins pieces that go on with the one before them, with what stood between. */
const joinPieces = (rest: string): string[] => {
  const joined: string[] = []
  const kind = kindOf(rest)
  let [at, between, isOpen] = [0, '', false]
  for (const match of [...rest.matchAll(BETWEEN), undefined]) {
    const piece = rest.slice(at, match?.index ?? rest.length)
    const last = joined.at(-1)
    // One word is a verb whose object stands behind the next: `plan, design or build a test`.
    const isWordAlone = countWords(piece) === 1
    if (last === undefined) joined.push(piece)
    // Two things with `or` between them are one occasion.
    else if (
      isOpen &&
      !isWordAlone &&
      kindOf(piece) === kind &&
      (kind !== 'other' || !/^\s+or/.test(between) || OF_USER.test(piece)) &&
      isWhole(last)
    )
      joined.push(piece)
    else joined[joined.length - 1] = last + between + piece
    isOpen = !isWordAlone
    if (match) [at, between] = [match.index + match[0].length, match[0]]
  }
  return joined
}

const shorten = (phrase: string): string | undefined => {
  const plain = phrase
    .replace(/[.!。]+$/, '')
    .replace(/^(?:is|are) (?=\w+ing\b)/, '')
    .trim()
  return plain.length <= REPEATED ? plain : firstClauses(plain)
}

/**
 * The occasions that a sentence of a description names, each a phrase of at most 60 characters: what users say
 * where it quotes them, else what stands behind its `Use when`. None where nothing of it can be told so shortly.
 */
export const listOccasions = (sentence: string): string[] => {
  const plain = stripMarks(sentence).replace(/\s+/g, ' ').trim()
  const isDouble = /["“]/.test(plain)
  const quoted = Array.from(
    plain.matchAll(QUOTED),
    ([, double, single]) => `“${(double ?? single ?? '').replace(/[,.;]$/, '')}”`,
  )
  if (quoted.length > (isDouble ? 1 : 2) && !DENIED.test(plain))
    return [...new Set(quoted)].slice(0, PHRASES)
  if (plain.length <= REPEATED) return [plain]
  const [leadIn = ''] = LEAD_IN.exec(plain) ?? []
  const phrases =
    leadIn === '' ? [] : joinPieces(plain.slice(leadIn.length)).flatMap((one) => shorten(one) ?? [])
  const told = phrases.filter((one) => isWhole(one) && countWords(one) >= 2)
  if (told.length > 0 || leadIn !== '') return [...new Set(told)].slice(0, PHRASES)
  return [firstClauses(sentence) ?? []].flat()
}
