const LETTERS = 26
const CODE_LENGTH = 4

/** Shares no factor with the number of codes: no two ids get the same, and neighbouring ids look unlike. */
const STRIDE = 104_729

/** Four letters, different for each of the first 456,976 skills. */
const codeOf = (id: number): string => {
  const codes = LETTERS ** CODE_LENGTH
  let rest = (id * STRIDE) % codes
  let code = ''
  for (let at = 0; at < CODE_LENGTH; at += 1) {
    code += String.fromCharCode(0x61 + (rest % LETTERS))
    rest = Math.floor(rest / LETTERS)
  }
  return code
}

/** Words that are no part of an address, a tag, a name or a value. */
const PLAIN_WORDS = /(?<![\w<>/`.:#@$%=&\\\-[\]{}])[A-Za-z]{4,}(?![\w<>/`.:#@$%=&\\\-[\](){}])/g

const WORDS_OF_PAGES =
  /^(?:use|used|using|when|where|not|never|input|output|require|example|skill)/i

const findLongest = (text: string): RegExpExecArray | undefined =>
  [...text.matchAll(PLAIN_WORDS)]
    // The parts of a page are recognized by these.
    .filter(([word]) => !WORDS_OF_PAGES.test(word))
    .sort((a, b) => b[0].length - a[0].length)[0]

/** Replaces the first letters of the longest word; undefined where no word is long enough. */
const weaveInto = (text: string, code: string): string | undefined => {
  const found = findLongest(text)
  if (!found) return undefined
  const end = found.index + CODE_LENGTH
  return text.slice(0, found.index) + code + text.slice(end)
}

const append = (text: string, code: string): string => {
  const words = text.trimEnd()
  return `${words} ${code}${text.slice(words.length)}`
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const weaveCell = (cell: string, code: string): string =>
  hasWords(cell) ? (weaveInto(cell, code) ?? append(cell, code)) : cell

const weaveRow = (line: string, code: string): string =>
  line
    .split(/(?<!\\)\|/)
    .map((cell) => weaveCell(cell, code))
    .join('|')

/** Lines that nothing may be appended to: link definitions, tags, and those without a word. */
const isBare = (line: string): boolean => !hasWords(line) || /^\s*(?:\[[^\]]+\]:|<)/.test(line)

const weaveLine = (line: string, id: number, code: string): string => {
  // A number does not change what a heading says: parts of a page are found by its letters.
  if (/^ {0,3}#{1,6}\s/.test(line)) return append(line, String(id))
  if (/^\s*\|/.test(line)) return weaveRow(line, code)
  return weaveInto(line, code) ?? (isBare(line) ? line : append(line, code))
}

const FENCE = /^[\s>*+-]*(?:\d+[.)]\s+)?(`{3,}|~{3,})/

/**
 * Changes every heading, paragraph, item, cell and block of code, so that no cache can help with a text that
 * is repeated. Size and structure stay.
 */
export const makeDistinct = (body: string, id: number): string => {
  const code = codeOf(id)
  let fence = ''
  let isFirst = false
  return body
    .split('\n')
    .map((line) => {
      const sign = FENCE.exec(line)?.[1] ?? ''
      if (fence === '' && sign !== '') {
        fence = sign
        isFirst = true
        return line
      }
      if (fence !== '' && sign.startsWith(fence)) {
        fence = ''
        return line
      }
      if (fence === '') return weaveLine(line, id, code)
      const woven = weaveInto(line, code) ?? (isFirst && line !== '' ? append(line, code) : line)
      isFirst = false
      return woven
    })
    .join('\n')
}
