/** Kinds of signs that an encoding of text cuts differently. */
const [LETTER, BLANK, NEWLINE, DIGIT, SIGN, HAN, KANA, HANGUL, OTHER] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/**
 * What each adds, in tokens of o200k: fitted by least squares of the relative error to half of 2,501 texts of a
 * corpus of skills. Those beyond ASCII lie between what mixed texts and plain sentences gave.
 */
const WEIGHTS = {
  word: 1.001,
  /** A letter of a word beyond the sixth; most words up to there are one token. */
  excess: 0.115,
  /** A letter beyond ASCII and beyond the third of its word. */
  excessBeyond: 0.25,
  /** A capital behind a small letter, in `camelCase`. */
  hump: 0.369,
  /** Up to three digits. */
  digits: 1.725,
  /** A sign that does not repeat the one before it. */
  sign: 0.622,
  /** Line ends in a row. */
  newlines: 0.996,
  /** Two blanks and more in a row. */
  blanks: 0.192,
  han: 0.75,
  kana: 0.75,
  hangul: 0.72,
  other: 0.735,
} as const

const SHORT_WORD = 6
const SHORT_WORD_BEYOND = 3

const tabulateKinds = (): Uint8Array => {
  const kinds = new Uint8Array(128).fill(SIGN)
  for (let code = 65; code <= 90; code += 1) kinds[code] = kinds[code + 32] = LETTER
  for (let code = 48; code <= 57; code += 1) kinds[code] = DIGIT
  kinds[9] = kinds[32] = BLANK
  kinds[10] = kinds[13] = NEWLINE
  return kinds
}

// Marked, so that the bundle of the function, which counts no tokens, leaves it out.
const KINDS = /* @__PURE__ */ tabulateKinds()

/** Kinds beyond ASCII, each up to the code that ends it. */
const RANGES: readonly { end: number; kind: number }[] = [
  { end: 0xc0, kind: OTHER },
  // Letters of Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic and the scripts of India.
  { end: 0x1000, kind: LETTER },
  { end: 0x1e00, kind: OTHER },
  { end: 0x2000, kind: LETTER },
  { end: 0x3000, kind: OTHER },
  { end: 0x3040, kind: HAN },
  { end: 0x3100, kind: KANA },
  { end: 0x3400, kind: OTHER },
  { end: 0xa000, kind: HAN },
  { end: 0xac00, kind: OTHER },
  { end: 0xd7a4, kind: HANGUL },
  { end: 0xff00, kind: OTHER },
  { end: 0xfff0, kind: HAN },
]

const kindBeyond = (code: number): number => RANGES.find(({ end }) => code < end)?.kind ?? OTHER

/** Weighs signs of one kind in a row, but for single signs and humps; `beyond` of them are not of ASCII. */
const weighRun = (kind: number, length: number, beyond: number): number => {
  switch (kind) {
    case LETTER:
      if (beyond === 0) return WEIGHTS.word + Math.max(0, length - SHORT_WORD) * WEIGHTS.excess
      return (
        WEIGHTS.word +
        Math.max(0, Math.min(beyond, length - SHORT_WORD_BEYOND)) * WEIGHTS.excessBeyond
      )
    case DIGIT:
      return Math.ceil(length / 3) * WEIGHTS.digits
    case NEWLINE:
      return WEIGHTS.newlines
    case BLANK:
      return length > 1 ? WEIGHTS.blanks : 0
    case SIGN:
      return 0
    case HAN:
      return length * WEIGHTS.han
    case KANA:
      return length * WEIGHTS.kana
    case HANGUL:
      return length * WEIGHTS.hangul
    default:
      return length * WEIGHTS.other
  }
}

/**
 * Estimates how many tokens a text has in o200k, the encoding of OpenAI's models; those of other models differ by
 * some tenths. Over 2,809 Markdown files the median error was 2.9 %; the encoder's tables alone are 2 MB.
 */
export const estimateTokens = (text: string): number => {
  let [sum, signs, humps] = [0, 0, 0]
  let [kind, code, beyond, from] = [SIGN, 0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const lastKind = kind
    const lastCode = code
    code = text.charCodeAt(at)
    kind = code < 128 ? KINDS[code]! : kindBeyond(code)
    if (kind !== lastKind) {
      sum += weighRun(lastKind, at - from, beyond)
      from = at
      beyond = 0
    }
    if (code >= 128) beyond += 1
    else if (kind === SIGN) signs += code === lastCode ? 0 : 1
    else if (code <= 90 && lastCode >= 97 && kind === LETTER && lastKind === LETTER) humps += 1
  }
  sum += weighRun(kind, text.length - from, beyond)
  return Math.round(sum + signs * WEIGHTS.sign + humps * WEIGHTS.hump)
}

/** How much of the skills' descriptions a client keeps in its model's context. */
interface ListingBudget {
  client: string
  /** For all installed skills together. */
  all: number
  unit: 'characters' | 'tokens'
  /** For one skill, in characters; a longer description is cut. */
  one?: number
  /** Whether it shortens all descriptions if they do not fit; else it drops some. */
  isShared: boolean
  /** Context window that the figure is for, in tokens. */
  window: number
  source: string
  /** Date of the source. */
  day: string
}

/**
 * Budgets of clients' skill listings, without names. Beyond them a client drops
 * or shortens descriptions, and models hardly ever choose a skill without one.
 */
export const LISTING_BUDGETS: readonly ListingBudget[] = [
  {
    client: 'Claude Code',
    // 1 % of the window, at four characters a token.
    all: 8_000,
    unit: 'characters',
    one: 1_536,
    isShared: false,
    window: 200_000,
    source: 'https://code.claude.com/docs/en/skills',
    day: '2026-09-16',
  },
  {
    client: 'Codex',
    // 2 % of the window, where a token is four bytes.
    all: 5_440,
    unit: 'tokens',
    isShared: true,
    window: 272_000,
    source: 'https://github.com/openai/codex/issues/19679',
    day: '2026-09-02',
  },
]

const UTF8 = new TextEncoder()

/** The share of a description in a client's budget, in its unit, after the cut for one skill. */
export const costInListing = (description: string, { unit, one }: ListingBudget): number => {
  if (unit === 'tokens') return Math.ceil(UTF8.encode(description).length / 4)
  const { length } = Array.from(description)
  return one === undefined ? length : Math.min(length, one)
}

/** Tells which descriptions a client keeps, given in its order of preference. */
export const fitListing = <Described extends { description: string }>(
  skills: readonly Described[],
  budget: ListingBudget,
): { taken: number; lost: Described[] } => {
  let taken = 0
  const lost: Described[] = []
  for (const skill of skills) {
    taken += costInListing(skill.description, budget)
    if (taken > budget.all) lost.push(skill)
  }
  return { taken, lost }
}
