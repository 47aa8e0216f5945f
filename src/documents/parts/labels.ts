import type { Block } from '../guest/read.ts'
import type { PartName } from '../../catalog/parts.ts'
import { normalizeHeading, partOfHeading } from './headings.ts'
import { introduces, isMostly, listStatements, listWords } from './passages.ts'
import type { FoundPart } from './passages.ts'
import { areRelated, DEEPEST_LEVEL_READ, NAMES_SKILL } from './sections.ts'
import type { TextSection } from './sections.ts'
import { isEnd } from './steps.ts'
import { IS_RULE } from './words.ts'

/** How a line that introduces a list begins, where it says more than a heading would. */
const BEGINNINGS: Readonly<Partial<Record<PartName, RegExp>>> = {
  whenNotToUse:
    /^(?:(?:please )?(?:do not|don t|never) (?:use|invoke|apply|load|trigger|activate) (?:this skill|this|it|when|for|if)\b|(?:this skill is )?not (?:for|intended for|meant for|suitable for)\b)/u,
  whenToUse:
    /^(?:(?:use|invoke|apply|activate|load|trigger) (?:this skill|this|it|when|the skill)\b|this skill (?:should be|is|applies|activates|triggers|can be) ?(?:used|for|when|useful)?\b|(?:当|在以下|以下).*(?:使用|适用|触发))/u,
  limitations: /^(?:(?:this skill|it) (?:does not|doesn t|cannot|can t|will not)\b)/u,
  capabilities:
    /^(?:this (?:skill|guide|agent|command) (?:provides|covers|enables|helps|supports|can|includes|handles|offers|will)\b)/u,
  inputs:
    /^(?:(?:please )?(?:ask|gather|collect|get|request|clarify|confirm|elicit|understand) .*\b(?:user|context|information|info|details|inputs?|following)\b|(?:collect|gather)(?: and (?:confirm|validate|document))?$|before (?:\p{L}+ ){1,4}(?:understand|gather|ask|collect|clarify)$|(?:the )?user (?:provides|must provide|should provide|gives|may provide|can provide)\b)/u,
  outputs:
    /^(?:(?:(?:this|this skill|the skill|the script) (?:will )?(?:creates?|generates?|produces?|outputs?|writes?|returns?)\b|(?:always )?(?:output|return|respond|reply|present|report|deliver|structure|format|provide|produce) (?:the |your |a |an |all )?(?:following|results?|findings|output|outputs|response|report|answer|summary|review|deliverables?|with|in this|using this|as)\b))/u,
}

/** What introduces rules, which say no more than how far a skill goes. */
const IS_OF_RULES = /\b(?:rules?|only)\b/i

const LONGEST_LABEL = 120

export const readLabel = (block: Block, skillName: string): PartName | undefined => {
  if (block.type !== 'paragraph' || block.raw.length > 2 * LONGEST_LABEL) return undefined
  const text = block.raw.trim()
  if (text.length > LONGEST_LABEL || text.includes('\n')) return undefined
  const isBold = /^(?:\*\*[^*]+\*\*|__[^_]+__)[:：]?$/.test(text)
  if (!isBold && !/[:：]\W*$/.test(text)) return undefined
  const part = partOfHeading(text, skillName)
  if (part !== undefined) return part
  if (IS_OF_RULES.test(text)) return undefined
  const label = normalizeHeading(text)
  return (Object.keys(BEGINNINGS) as PartName[]).find((name) => BEGINNINGS[name]?.test(label))
}

/** What is asked of a reader wherever it stands; other labels speak of their section alone. */
const isSureLabel = (name: PartName, text: string): boolean =>
  NAMES_SKILL.test(text) ||
  (name === 'inputs' && /\buser\b|^\W*(?:gather|collect|before)\b/i.test(text))

const FOLLOWS_LABEL = new Set(['list', 'table', 'code'])

/** Finds lists that a line in bold or with a colon introduces: `Use this skill when:`. */
export const listLabelled = (sections: readonly TextSection[], skillName: string): FoundPart[] =>
  sections
    .filter(({ isSample }) => !isSample)
    .flatMap((section) =>
      section.blocks.flatMap((block, at): FoundPart[] => {
        const name = readLabel(block, skillName)
        if (name === undefined) return []
        if (
          !section.isWhole &&
          !(section.level === 1 && areRelated(section.part, name)) &&
          !isSureLabel(name, block.raw) &&
          !(name === 'outputs' && isEnd(section))
        )
          return []
        const next = section.blocks[at + 1]
        if (next && FOLLOWS_LABEL.has(next.type) && !isRulesOf(name, next)) {
          return [{ name, passage: { heading: section.heading, blocks: [next], below: [] } }]
        }
        // What is asked for may stand below headings: `Gather this context:` and `### Goals`.
        return name === 'inputs' && !next && section.below.length > 1
          ? [{ name, passage: { heading: section.heading, blocks: [], below: section.below } }]
          : []
      }),
    )

const isRulesOf = (name: PartName, block: Block): boolean =>
  name === 'limitations' && isMostly(listWords([block]), IS_RULE)

/** How a sentence begins that says of a skill, and of nothing smaller, what it needs or is not for. */
const ASIDE: readonly (readonly [PartName, RegExp])[] = [
  [
    'whenNotToUse',
    /^\W*(?:when not to use(?: (?:it|this|this skill))?\W*[:：]|(?:please )?(?:do not|don['’]t) use (?:this|it)?(?: skill)?\W*(?:for|when|if)\b)/i,
  ],
  ['prerequisites', /^(?:>\s*)?\*\*prerequisites?(?:\*\*\s*[:：]|[:：]\*\*)/i],
]

/** Words one of which every such sentence holds. */
const MAY_BE_ASIDE = ['rerequisite', 't use', 'ot to use', 'OT USE', 'OT TO USE']

const readAside = (text: string): PartName | undefined =>
  ASIDE.find(([, begins]) => begins.test(text))?.[0]

/** Finds what a text says of itself in passing, below any heading; said more than once, it is of its sections. */
export const listAside = (sections: readonly TextSection[]): FoundPart[] => {
  const found = sections
    .filter(({ isSample, level }) => !isSample && level <= DEEPEST_LEVEL_READ)
    .flatMap(({ heading, blocks }) =>
      blocks.flatMap((block, at): FoundPart[] => {
        if (block.type === 'code' || !MAY_BE_ASIDE.some((words) => block.raw.includes(words)))
          return []
        const next = blocks[at + 1]
        const name = introduces(block) ? readAside(block.raw.split('\n').at(-1) ?? '') : undefined
        if (name !== undefined && next && FOLLOWS_LABEL.has(next.type))
          return [{ name, passage: { heading, blocks: [next], below: [] } }]
        return listStatements(block, (text) =>
          /[:：]\W*$/.test(text) ? undefined : readAside(text),
        ).map(([part, one]) => ({
          name: part,
          passage: { heading, blocks: [one], below: [], of: [block] },
        }))
      }),
    )
  return found.filter(({ name }) => found.filter((one) => one.name === name).length === 1)
}
