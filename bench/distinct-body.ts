const LETTERS = 26
const CODE_LENGTH = 4

/** Prime to the number of codes, so that neighbours look nothing alike and no two are the same. */
const STRIDE = 104_729

/** Gives a word of four letters that no other of the first 456,976 skills has. */
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

/** Words that are nothing but words: no part of an address, a tag, a name or a value. */
const PLAIN_WORDS = /(?<![\w<>/`.:#@$%=&\\\-[\]{}])[A-Za-z]{4,}(?![\w<>/`.:#@$%=&\\\-[\](){}])/g

const WORDS_OF_PAGES =
  /^(?:use|used|using|when|where|not|never|input|output|require|example|skill)/i

const findLongest = (text: string): RegExpExecArray | undefined =>
  [...text.matchAll(PLAIN_WORDS)]
    // What a page's parts are recognized by stays.
    .filter(([word]) => !WORDS_OF_PAGES.test(word))
    .sort((a, b) => b[0].length - a[0].length)[0]

/** Puts the code in the place of the longest word's first letters; undefined where there is none. */
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

/** Lines whose end means something: addresses of links, tags, and those that have no word at all. */
const isBare = (line: string): boolean => !hasWords(line) || /^\s*(?:\[[^\]]+\]:|<)/.test(line)

const weaveLine = (line: string, id: number, code: string): string => {
  // A number changes a heading and not what it says: parts of a page are found by its letters.
  if (/^ {0,3}#{1,6}\s/.test(line)) return append(line, String(id))
  if (/^\s*\|/.test(line)) return weaveRow(line, code)
  return weaveInto(line, code) ?? (isBare(line) ? line : append(line, code))
}

const FENCE = /^[\s>*+-]*(?:\d+[.)]\s+)?(`{3,}|~{3,})/

/**
 * Gives a text of the same size and structure whose headings, paragraphs, items, cells and code are
 * this skill's alone, so that nothing can be told from what another skill's text gave.
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
