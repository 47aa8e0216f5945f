const SPACE = 32

/** Languages of a fence around a whole text. */
const OF_WORDS = /^(?:|text|txt|plain|plaintext|markdown|md|mdx|prompt)$/i
/** Most of a text that may stand outside of a fence around the whole, in parts of it: a title, a sentence. */
const OUTSIDE = 1 / 8
/** What stands above a sample: a heading that is no title, or what calls it one. */
const IS_OF_SAMPLE = /^##|\b(?:templates?|examples?|samples?|outputs?|formats?)\b/im
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})([^`\n]*)$/m
/** Headings and items that make what a fence holds a text. */
const LINES_OF_TEXT = 3

/**
 * Finds what a fence around nearly the whole of a Markdown text holds: the text itself, which somebody wrapped. Fences
 * inside are taken to be meant so, though a reader of Markdown would end the outer one there.
 */
export const findWrapped = (text: string): { from: number; to: number } | undefined => {
  const start = text.startsWith('---') ? text.indexOf('\n---', 3) + 1 : 0
  const most = (text.length - start) * OUTSIDE
  const begin = text.indexOf('```', start)
  if (begin < 0 || begin - start > most || text.charCodeAt(begin - 1) === SPACE) return undefined
  const rest = text.slice(begin)
  // The first fence of most texts is of code: the others need not be looked for.
  const [line = '', mark = '', language = ''] = FENCE_LINE.exec(rest) ?? []
  if (!OF_WORDS.test(language.trim()) || IS_OF_SAMPLE.test(text.slice(start, begin)))
    return undefined
  const [, ...fences] = rest.matchAll(new RegExp(FENCE_LINE, 'gm'))
  let depth = 1
  const closing = fences.find(([, inner = '', words = '']) => {
    const isBare = words.trim() === ''
    if (inner.startsWith(mark) && isBare) depth -= 1
    else if (inner === mark) depth += 1
    return depth === 0
  })
  const end = begin + (closing?.index ?? text.length)
  const from = begin + line.length
  const outside = begin - start + text.length - end
  const isText = text.slice(from, end).match(/^(?:#{1,4}|[-*]|\d{1,2}\.) \S/gm)
  return closing && outside <= most && (isText?.length ?? 0) >= LINES_OF_TEXT
    ? { from, to: end }
    : undefined
}
