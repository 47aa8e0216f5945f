import type { Code } from 'mdast'
import { readItems } from './guest/read.ts'
import type { Block } from './guest/read.ts'
import { normalizeHeading } from './part-headings.ts'
import type { Passage } from './part-blocks.ts'

/** Headings whose text is prompts whatever it looks like; below others code stands as often. */
const PROMPTS = /\b(?:prompts?|requests?|questions|queries|asking|conversation|interactions?)\b/

/** Says whether a passage's heading promises prompts. */
export const isExplicitlyPrompts = ({ heading }: Passage): boolean =>
  heading !== undefined && PROMPTS.test(normalizeHeading(heading.text))

const OPENS_SPEECH =
  /^(?:\*\*|[*_`])?(?:["“「『]|(?:user|you|human|prompt|用户)\b[^:：\n]{0,20}[:：])/i

const SPEECH_LANGUAGES = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'prompt'])

/** Signs that stand in code and trees of files, and hardly in what a person asks for. */
const CODE_SIGNS = /[{}<>;=$|├└│→]|\(\)|^\s*(?:#|\/\/|--|npm|npx|git|curl|python3?|pip)\b/m

const isSpokenCode = ({ value, lang }: Code): boolean =>
  SPEECH_LANGUAGES.has(lang ?? '') &&
  !CODE_SIGNS.test(value) &&
  value.split('\n').every((line) => line.trim() === '' || /\S+\s+\S+\s+\S/.test(line))

const isSpoken = (block: Block): boolean => {
  if (block.node?.type === 'code' && block.type === 'code') return isSpokenCode(block.node)
  if (block.type === 'list') {
    const items = readItems(block)
    return items.filter(({ text }) => OPENS_SPEECH.test(text)).length * 2 >= items.length
  }
  if (block.type === 'blockquote') return true
  return block.type === 'paragraph' && OPENS_SPEECH.test(block.raw)
}

/** Keeps of a passage what a person would say to an assistant; undefined where nothing is that. */
export const pickPrompts = (passage: Passage): Passage | undefined => {
  const blocks = passage.blocks.filter(isSpoken)
  return blocks.length > 0 ? { ...passage, blocks, subheadings: [] } : undefined
}
