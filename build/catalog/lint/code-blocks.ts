/** A fenced block of code: where its opening line begins, and where the block ends. */
export interface FencedBlock {
  start: number
  end: number
  isClosed: boolean
}

/** A fence may stand in a quote or a list. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)$/

const isClosing = (open: string, mark: string, rest: string): boolean =>
  mark.startsWith(open) && rest.trim() === ''

const isOpening = (mark: string, rest: string): boolean =>
  mark.startsWith('~') || !rest.includes('`')

/** Finds the fenced blocks of a Markdown text, one that is never closed last (CommonMark 4.5). */
export const findFences = (text: string): FencedBlock[] => {
  const blocks: FencedBlock[] = []
  let open: { mark: string; start: number } | undefined
  let at = 0
  for (const line of text.split('\n')) {
    const [, mark, rest = ''] = FENCE.exec(line) ?? []
    const end = at + line.length
    if (mark !== undefined && open === undefined) {
      if (isOpening(mark, rest)) open = { mark, start: at + line.indexOf(mark) }
    } else if (mark !== undefined && open && isClosing(open.mark, mark, rest)) {
      blocks.push({ start: open.start, end, isClosed: true })
      open = undefined
    }
    at = end + 1
  }
  if (open) blocks.push({ start: open.start, end: text.length, isClosed: false })
  return blocks
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

const CODE_SPAN = /(?<!`)(`{1,3})(?!`)[^`\n]{1,2000}\1(?!`)/g

const hideComments = (text: string): string => {
  let result = ''
  let done = 0
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', done)) {
    const end = text.indexOf('-->', at)
    if (end < 0) break
    result += text.slice(done, at) + blank(text.slice(at, end + 3))
    done = end + 3
  }
  return result + text.slice(done)
}

/** Gives a Markdown text of the same length with blanks for its code and comments. */
export const hideCode = (text: string, fences: readonly FencedBlock[]): string => {
  let result = ''
  let done = 0
  for (const { start, end } of fences) {
    result += text.slice(done, start) + blank(text.slice(start, end))
    done = end
  }
  return hideComments((result + text.slice(done)).replace(CODE_SPAN, blank))
}
