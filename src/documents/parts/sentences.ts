import type { PhrasingContent } from 'mdast'
import type { Block } from '../guest/read.ts'
import type { PartName } from '../../catalog/parts.ts'
import { partOfHeading } from './headings.ts'
import { plainStart } from './passages.ts'
import type { FoundPart } from './passages.ts'
import { NAMES_SKILL } from './sections.ts'
import type { TextSection } from './sections.ts'
import { DOES } from './words.ts'

/** `**Requires:** Node 20`: a label and what it introduces on one line. */
const INLINE_LABEL = /^(?:>\s*)?(?:\*\*|__)([^*_\n]{3,60}?)[.:：]?(?:\*\*|__)\s*[:：—–-]?\s*(?=\S)/

const LONGEST_SAYING = 600

const SAYINGS: readonly (readonly [PartName, RegExp])[] = [
  [
    'whenNotToUse',
    /^(?:please )?(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load) (?:this skill|this|it|for|when)\b|^(?:this skill|it) is not (?:for|intended|meant|suitable|a replacement)\b/i,
  ],
  [
    'limitations',
    /^(?:this skill|it|the skill|the (?:script|tool)) (?:currently )?(?:does not|doesn['’]t|cannot|can['’]t|only (?:works|supports)|is limited to)\b/i,
  ],
  [
    'prerequisites',
    /^(?:this skill |it |the skill )?(?:requires|depends on)\b|^this skill needs\b|^(?:make sure|ensure) (?:that )?[^.]{2,80}\b(?:is|are) (?:installed|configured|authenticated|logged in|running|available)\b|^you(?:['’]ll| will)? need\b/i,
  ],
  [
    'whenToUse',
    /^(?:use|invoke|apply|activate|load|trigger) (?:this skill|this|it)? ?(?:when|whenever|if|for|to)\b|^this skill (?:should be used|is (?:used|intended|designed|meant|ideal|useful)|applies|activates|triggers)\b/i,
  ],
  [
    'outputs',
    /^(?:this skill |it |the skill )(?:produces|outputs|returns|delivers)\b|^(?:the )?(?:final )?(?:output|result|deliverable)s? (?:is|are|will be)\b/i,
  ],
  [
    'inputs',
    /^(?:this skill |it |the skill )(?:takes|accepts|expects)\b|^the user (?:will )?(?:provides?|gives?|supplies)\b/i,
  ],
]

/** Splits a paragraph whose lines begin with labels of their own. */
const splitLines = (block: Block): readonly Block[] => {
  const { node, raw } = block
  if (node?.type !== 'paragraph' || !/\n(?:\*\*|__)[^*_\n]{3,60}(?:\*\*|__)/.test(raw))
    return [block]
  const lines: PhrasingContent[][] = []
  let before: PhrasingContent | undefined
  for (const word of node.children) {
    const begins = before?.type === 'text' && before.value.endsWith('\n')
    if (before === undefined || (word.type === 'strong' && begins)) lines.push([])
    lines.at(-1)?.push(word)
    before = word
  }
  const starts = lines.flatMap(([first]) => first?.position?.start.offset ?? [])
  if (starts.length < lines.length) return [block]
  const [origin = 0] = starts
  const { type, depth, line, text } = block
  return lines.map((children, at) => ({
    type,
    depth,
    line,
    text,
    raw: raw.slice((starts[at] ?? 0) - origin, (starts[at + 1] ?? Infinity) - origin),
    node: { type: 'paragraph', children },
  }))
}

/** Finds paragraphs of the whole that state a part in words. */
export const listSaid = (sections: readonly TextSection[], skillName: string): FoundPart[] =>
  sections
    .filter(({ isSample }) => !isSample)
    .flatMap((section) =>
      section.blocks.flatMap(splitLines).flatMap((block): FoundPart[] => {
        const { raw, type } = block
        if ((type !== 'paragraph' && type !== 'blockquote') || raw.length > LONGEST_SAYING)
          return []
        if (/[:：]\W*$/.test(raw)) return []
        if (!section.isWhole && !(NAMES_SKILL.test(raw) && section.level <= 1)) return []
        const label = INLINE_LABEL.exec(raw)?.[1]
        const name =
          (label === undefined ? undefined : partOfHeading(label, skillName)) ??
          SAYINGS.find(([, says]) => says.test(plainStart(raw)))?.[0]
        if (name === undefined || name === 'examples') return []
        return [{ name, passage: { heading: section.heading, blocks: [block], below: [] } }]
      }),
    )

/** Longest paragraph that says in short what a skill does. */
const LONGEST_INTRODUCTION = 500

const WORDS = /[\p{L}\p{N}]{3,}/gu

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORDS) ?? [])

/** Share of words of the one that the other has too, above which the two say the same. */
const SAYS_SAME = 0.6

const saysSame = (one: string, other: string): boolean => {
  const words = wordsOf(one)
  const others = wordsOf(other)
  const shared = [...words].filter((word) => others.has(word)).length
  return shared > SAYS_SAME * Math.min(words.size, others.size)
}

/** Finds the paragraph at the beginning that says what the skill does, where the description does not say it. */
export const listIntroduced = (
  sections: readonly TextSection[],
  description: string,
): FoundPart[] =>
  sections
    .filter(({ isWhole, isSample, blocks }) => isWhole && !isSample && blocks.length > 0)
    .slice(0, 2)
    .flatMap(({ heading, blocks }): FoundPart[] => {
      const block = blocks.find(({ type }) => type === 'paragraph')
      if (!block || block.raw.length > LONGEST_INTRODUCTION || /[:：]\W*$/.test(block.raw))
        return []
      const start = plainStart(block.raw)
      if (!DOES.test(start) || SAYINGS.some(([, says]) => says.test(start))) return []
      if (saysSame(block.raw, description)) return []
      return [{ name: 'capabilities', passage: { heading, blocks: [block], below: [] } }]
    })
