import { listQuotes } from './description.ts'
import { isQuoted, LOOKED_AT, textOfPassage } from './passages.ts'
import type { FoundPart } from './passages.ts'
import type { TextSection } from './sections.ts'

/** Prompts that stand as quotations where a text says what starts a skill. */
export const listSpoken = (found: readonly FoundPart[]): FoundPart[] =>
  found
    .filter(({ name }) => name === 'activation' || name === 'whenToUse')
    .flatMap(({ passage }): FoundPart[] => {
      const said = passage.blocks.filter(({ type }) => type === 'list' || type === 'paragraph')
      const words = listQuotes(textOfPassage({ blocks: said, below: [] }))
      return words.length > 0
        ? [
            {
              name: 'examples',
              passage: { heading: passage.heading, blocks: [], below: [], words },
            },
          ]
        : []
    })

const ASKED =
  /\b(?:users?|they|someone) (?:says?|asks?|requests?|types|might say|may say)\b|\bthings like\b|\b(?:user|you) (?:says?|asks?|request|query|prompt|input|intent)\b|用户(?:说|请求|输入)|ユーザー(?:が|の)|사용자/i

/** Prompts in quotation marks where a text tells what users say, in words or in a table. */
export const listAsked = (sections: readonly TextSection[]): FoundPart[] => {
  const asked = sections
    .filter(({ level }) => level < 3)
    .flatMap(({ heading, blocks }) =>
      blocks
        .filter(({ type, raw }) => type !== 'code' && ASKED.test(raw.slice(0, LOOKED_AT)))
        .map(({ raw }) => ({ heading, words: listQuotes(raw.slice(0, LOOKED_AT)) })),
    )
  const words = [...new Set(asked.flatMap((one) => one.words))]
  const heading = asked.find((one) => one.words.length > 0)?.heading
  return words.length > 1
    ? [{ name: 'examples', passage: { heading, blocks: [], below: [], words } }]
    : []
}

/** Prompts that are headings, each above what is then done. */
export const listSpokenHeadings = (sections: readonly TextSection[]): FoundPart[] =>
  sections.flatMap((section): FoundPart[] => {
    const words = section.below
      .filter(isQuoted)
      .flatMap(({ heading }) => listQuotes(heading?.text ?? ''))
    if (words.length < 2) return []
    return [
      { name: 'examples', passage: { heading: section.heading, blocks: [], below: [], words } },
    ]
  })

/** A call of the skill by its name, and no path of a file. */
const CALLS = /^(?:\/[\w:-]+(?:[ \t]+\S.*)?(?:\n|$))+$/

export const listCalls = (sections: readonly TextSection[]): FoundPart[] =>
  sections.flatMap(({ heading, blocks }) =>
    blocks
      .filter(({ node }) => node?.type === 'code' && CALLS.test(`${node.value.trim()}\n`))
      .map((block) => ({
        name: 'examples' as const,
        passage: { heading, blocks: [block], below: [] },
      })),
  )
