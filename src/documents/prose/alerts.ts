import type { MarkedToken, Token } from 'marked'

/** Matches the first line of a GitHub alert in a block quote, such as `[!NOTE]`. */
const MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

const capitalize = (word: string): string => word[0]!.toUpperCase() + word.slice(1).toLowerCase()

/** Splits the contents of a block quote into the name and the text of an alert; undefined if it is not an alert. */
export const splitAlert = (
  quoted: readonly MarkedToken[],
): { name: string; tokens: Token[] } | undefined => {
  const [paragraph, ...blocks] = quoted
  if (paragraph?.type !== 'paragraph') return undefined
  const [first, ...others] = paragraph.tokens
  if (first?.type !== 'text') return undefined
  const [marker, name = ''] = MARKER.exec(first.text) ?? []
  if (marker === undefined) return undefined
  const isBroken = others[0]?.type === 'br'
  const isAlone = marker.endsWith('\n') || others.length === 0 || isBroken
  const text = first.text.slice(marker.length)
  const words = text === '' ? others.slice(isBroken ? 1 : 0) : [{ ...first, text }, ...others]
  const line = words.length === 0 ? [] : [{ ...paragraph, tokens: words }]
  const tokens = [...line, ...blocks]
  return isAlone && tokens.length > 0 ? { name: capitalize(name), tokens } : undefined
}
