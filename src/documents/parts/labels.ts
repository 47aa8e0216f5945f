import type { Block } from '../guest/read.ts'
import type { PartName } from '../../catalog/parts.ts'
import { normalizeHeading, partOfHeading } from './headings.ts'
import { isMostly, listWords } from './passages.ts'
import type { FoundPart } from './passages.ts'
import { areRelated, NAMES_SKILL } from './sections.ts'
import type { TextSection } from './sections.ts'
import { isEnd } from './steps.ts'
import { IS_RULE } from './words.ts'

/** How a line that introduces a list begins, where it says more than a heading would. */
const BEGINNINGS: Readonly<Partial<Record<PartName, RegExp>>> = {
  whenNotToUse:
    /^(?:(?:please )?(?:do not|don t|never) (?:use|invoke|apply|load|trigger|activate) (?:this skill|this|it|when|for|if)\b|(?:this skill is )?not (?:for|intended for|meant for|suitable for)\b|use (?:\p{L}+ ){1,6}instead (?:for|when|if)\b)/u,
  whenToUse:
    /^(?:(?:use|invoke|apply|activate|load|trigger) (?:this skill|this|it|when|the skill)\b|this skill (?:(?:should be|is|can be) (?:used|for|when|useful)|applies|activates|triggers)\b|(?:当|在以下|以下).*(?:使用|适用|触发))/u,
  limitations: /^(?:(?:this skill|it) (?:does not|doesn t|cannot|can t|will not)\b)/u,
  capabilities:
    /^(?:this (?:skill|guide|agent|command) (?:provides|covers|enables|helps|supports|can|includes|handles|offers|will)\b)/u,
  inputs:
    /^(?:(?:please )?(?:ask|gather|collect|get|request|clarify|confirm|elicit|understand) .*\b(?:user|context|information|info|details|inputs?|following)\b|(?:collect|gather)(?: and (?:confirm|validate|document))?$|before (?:\p{L}+ ){1,4}(?:understand|gather|ask|collect|clarify)$|(?:the )?user (?:provides|must provide|should provide|gives|may provide|can provide)\b)/u,
  outputs:
    /^(?:(?:(?:this|this skill|the skill|the script) (?:will )?(?:creates?|generates?|produces?|outputs?|writes?|returns?)\b|report sections$|present the (?:\p{L}+ )?(?:analysis|profile|plan|report) as\b|(?:always )?(?:output|return|respond|reply|present|report|deliver|structure|format|provide|produce) (?:the |your |a |an |all )?(?:following|results?|findings|output|outputs|response|report|answer|summary|review|deliverables?|with|in this|using this|as)\b))/u,
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
  (name !== 'capabilities' && NAMES_SKILL.test(text)) ||
  (name === 'inputs' &&
    /\buser\b|^\W*(?:before|(?:gather|collect)(?! (?:additional|further|more)\b))\b/i.test(text))

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
        // A menu in a fence asks one thing of many.
        const isMenu = name === 'inputs' && next?.type === 'code'
        if (next && FOLLOWS_LABEL.has(next.type) && !isMenu && !isRulesOf(name, next)) {
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
