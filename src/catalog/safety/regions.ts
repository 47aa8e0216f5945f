import type { Region } from './rule.ts'

/** The context of a line of Markdown. */
export interface Surroundings {
  region: Region
  /** Headings above it except the title, the nearest last. */
  headings: string
  /** The line that introduces its fence or list. */
  intro: string
}

const FENCE = /^(?:[\s>]|[-*+]\s|\d{1,3}[.)]\s){0,20}(`{3,}|~{3,})\s*([\w+#.-]{0,30})/
const HEADING = /^ {0,3}(#{1,6})\s+(.{1,200})/
/** An unused link reference definition, which no page shows. */
export const MARKDOWN_COMMENT = /^ {0,3}\[(?:\/\/|comment|_|#|~)\]:\s{1,3}(?:#|<>|<#>)\s{0,3}["'(]/i

const LIST_ITEM = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s/
const TABLE_ROW = /^\s{0,8}\||\s\|\s[^|]{0,300}\|/

/** Inline code, in which `|` is a pipe and not a table border. */
const INLINE_CODE = /`[^`]{1,200}`/g

/** Determines the region and the introduction of each line in one pass. */
export const surveyMarkdown = (lines: readonly string[]): Surroundings[] => {
  const found: Surroundings[] = []
  const chain: { depth: number; text: string }[] = []
  let headings = ''
  /** The open fence and its introduction. */
  let fence: { mark: string; intro: string } | undefined
  let isComment = false
  let intro = ''
  let last = ''
  let isFront = lines[0]?.replace(/^\uFEFF/, '').trimEnd() === '---'
  for (const [at, whole] of lines.entries()) {
    const line = whole.length > 400 ? whole.slice(0, 400) : whole
    const add = (region: Region, by = ''): void => {
      found.push({ region, headings, intro: by })
    }
    if (isFront) {
      add('front matter')
      if (at > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) isFront = false
      continue
    }
    const mayFence = line.includes('```') || line.includes('~~~')
    const opening = mayFence ? FENCE.exec(line) : null
    if (fence) {
      add('fence', fence.intro)
      const mark = opening?.[1] ?? ''
      if (mark.startsWith(fence.mark) && opening?.[2] === '') fence = undefined
      continue
    }
    if (isComment) {
      add('comment')
      if (whole.includes('-->')) isComment = false
      continue
    }
    if (opening) {
      fence = { mark: opening[1] ?? '', intro: last }
      add('fence', last)
      continue
    }
    const start = whole.lastIndexOf('<!--')
    if (start >= 0 && !/`[^`]{0,80}<!--/.test(line)) {
      add('comment')
      isComment = !whole.includes('-->', start)
      continue
    }
    if (line.includes(']: ') && MARKDOWN_COMMENT.test(line)) {
      add('comment')
      continue
    }
    const heading = line.includes('#') ? HEADING.exec(line) : null
    if (heading) {
      const depth = heading[1]?.length ?? 1
      while (chain.length > 0 && chain.at(-1)!.depth >= depth) chain.pop()
      if (depth > 1) chain.push({ depth, text: heading[2] ?? '' })
      headings = chain.map(({ text }) => text).join(' / ')
      intro = ''
      last = line
      add('prose')
      continue
    }
    if (line.trim() !== '') {
      const isItem = LIST_ITEM.test(line)
      if (!isItem && /^\S/.test(line)) intro = line
      last = line
      add(
        line.includes('|') && TABLE_ROW.test(line.replace(INLINE_CODE, '')) ? 'table' : 'prose',
        isItem || /^\s/.test(line) ? intro : '',
      )
    } else add('prose')
  }
  return found
}
