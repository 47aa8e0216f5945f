/** A class of characters. Consecutive characters of one class form a run, whose tokens are estimated together. */
interface Run {
  /** The first and last character of each range, in pairs. */
  ranges: string
  /** o200k tokens of a run: `tokens`, and `more` for each character after the first `beyond`. */
  tokens: number
  more?: number
  beyond?: number
  /** Minimum and maximum length of a run, in characters; a shorter run costs nothing. */
  least?: number
  most?: number
  /** Set if all characters of a run must be the same. */
  isUniform?: true
}

/**
 * Fitted to half of 2,501 skill texts, by least squares of the relative error. The values for other scripts are between
 * those measured for mixed texts and for plain sentences. The first row stands for all characters that cost nothing.
 */
const RUNS: readonly Run[] = [
  { ranges: '', tokens: 0 },
  { ranges: 'AZaz', tokens: 1.001, more: 0.115, beyond: 6 },
  { ranges: '09', tokens: 1.725, most: 3 },
  { ranges: '!/:@[`{~', tokens: 0.622, isUniform: true },
  { ranges: '\n\n\r\r', tokens: 0.996 },
  { ranges: '\t\t  ', tokens: 0.192, least: 2 },
  { ranges: '\u00c0\u0fff\u1e00\u1fff', tokens: 1.001, more: 0.25, beyond: 3 },
  { ranges: '\u3000\u30ff\u3400\u9fff\uff00\uffef', tokens: 0.75, most: 1 },
  { ranges: '\uac00\ud7a3', tokens: 0.72, most: 1 },
  {
    ranges: '\u0080\u00bf\u1000\u1dff\u2000\u2fff\u3100\u33ff\ua000\uabff\ud7a4\ufeff',
    tokens: 0.735,
    most: 1,
  },
]

/** Index of the row of RUNS for each UTF-16 unit. */
const RUN_OF = new Uint8Array(0x10000)
RUNS.forEach(({ ranges }, at) => {
  for (let first = 0; first < ranges.length; first += 2)
    RUN_OF.fill(at, ranges.charCodeAt(first), ranges.charCodeAt(first + 1) + 1)
})

// One array for each column: four times as fast as reading the rows.
const MORE = RUNS.map(({ more = 0 }) => more)
const BEYOND = RUNS.map(({ beyond = 0 }) => beyond)
const LEAST = RUNS.map(({ least = 1 }) => least)
const MOST = RUNS.map(({ most = Infinity }) => most)
const IS_UNIFORM = RUNS.map(({ isUniform = false }) => isUniform)
const TOKENS = RUNS.map(({ tokens }) => tokens)

const costOf = (run: number, length: number): number =>
  length < LEAST[run]! ? 0 : TOKENS[run]! + Math.max(0, length - BEYOND[run]!) * MORE[run]!

/** Extra tokens for a capital after a lower-case letter. */
const CAPITAL = 0.369

const isCapital = (code: number): boolean => code >= 65 && code <= 90
const isSmall = (code: number): boolean => code >= 97 && code <= 122

/**
 * Estimates the number of tokens of a text in o200k, the encoding of OpenAI's models; other encodings can differ
 * by tens of percent. The median error over 2,809 Markdown files was 2.9 %. An exact encoder would need tables of 2 MB.
 */
export const estimateTokens = (text: string): number => {
  let [sum, run, length, before] = [0, 0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const next = RUN_OF[code]!
    if (isCapital(code) && isSmall(before)) sum += CAPITAL
    if (next === run && length < MOST[run]! && (code === before || !IS_UNIFORM[run])) length += 1
    else {
      sum += costOf(run, length)
      run = next
      length = 1
    }
    before = code
  }
  return Math.round(sum + costOf(run, length))
}
