import { readItems } from '../guest/read.ts'
import type { Block } from '../guest/read.ts'
import { listQuotes } from './description.ts'
import { JUDGED_LENGTH, isQuoted } from './passages.ts'
import type { FoundPart } from './passages.ts'
import { areRelated } from './sections.ts'
import type { TextSection } from './sections.ts'

const toPrompts = (heading: Block | undefined, words: readonly string[]): FoundPart[] =>
  words.length > 0 ? [{ name: 'examples', passage: { heading, blocks: [], below: [], words } }] : []

const ASKED =
  /\b(?:users?|they|someone) (?:says?|asks?|requests?|types|might say|may say)\b|\bthings like\b|\buser (?:says?|asks?|request|query|prompt|input|intent)\b|\byou (?:say|type|might say)\b|用户(?:说|请求|输入)|ユーザー(?:が|の)|사용자/i

/** How the head of a text names what starts a skill. */
const ASKED_AT_HEAD =
  /\b(?:phrases|requests|prompts|queries) (?:like|such as)\b|\b(?:use for|triggers?|trigger phrases):/i

/** What every quotation holds; most blocks have none, and to look for the words around it takes ten times as long. */
const HAS_QUOTE = /["“「『„«]|[\s(,/:]['‘]/

/** Prompts in quotation marks where a text tells what users say, in words or in a table. */
export const listQuotedPrompts = (sections: readonly TextSection[]): FoundPart[] => {
  const asked = sections
    // What starts a skill shows its quotations itself.
    .filter(({ level, part }) => level < 3 && !areRelated(part, 'whenToUse'))
    .flatMap(({ heading, blocks, level }) =>
      blocks
        .map(({ type, raw }) => (type === 'code' ? '' : raw.slice(0, JUDGED_LENGTH)))
        .filter(
          (text) =>
            HAS_QUOTE.test(text) && (ASKED.test(text) || (level === 0 && ASKED_AT_HEAD.test(text))),
        )
        .map((text) => ({ heading, words: listQuotes(text) })),
    )
  const words = [...new Set(asked.flatMap((one) => one.words))]
  const heading = asked.find((one) => one.words.length > 0)?.heading
  return words.length > 1 ? toPrompts(heading, words) : []
}

/** A line of a conversation that is the user's: `User: "Add Serilog"`. */
const SAID =
  /^[>\s*_#-]{0,8}(?:\d+\.\s)?(?:user|human)(?: (?:request|says|asks|prompt|query))?[*_]{0,2}\s?:[*_]{0,2}\s?["“][^"”\n]{4,160}["”]/gim

const SPEAKER = /(?:user|human)[^\n]{0,40}["“]/i

/** What a user says in conversations, in samples too, and in headings above what is then done. */
export const listConversationPrompts = (sections: readonly TextSection[]): FoundPart[] =>
  sections.flatMap(({ heading, blocks, below }) => {
    const lines = [heading, ...blocks].flatMap(
      (block) =>
        (block &&
          (block.raw.includes('"') || block.raw.includes('“')) &&
          SPEAKER.test(block.raw) &&
          block.raw.slice(0, JUDGED_LENGTH).match(SAID)) ||
        [],
    )
    const titles = below.filter(isQuoted).map((one) => one.heading?.text ?? '')
    const spoken = titles.length > 0 ? listQuotes(titles.join('\n')) : []
    const said = lines.length > 0 ? listQuotes(lines.join('\n')) : []
    return toPrompts(heading, spoken.length > 1 ? [...said, ...spoken] : said)
  })

/** A call of the skill by its name, and no path of a file. */
const CALLS = /^(?:\/[\w:-]+(?:[ \t]+\S.*)?(?:\n|$))+$/

const isCall = (block: Block): boolean => {
  const { node, raw } = block
  if (node?.type === 'code')
    return node.value.trimStart().startsWith('/') && CALLS.test(`${node.value.trim()}\n`)
  const items = node?.type === 'list' && raw.includes('`/') ? readItems(block) : []
  return items.length > 0 && items.every(({ text }) => /^`\/[a-z][\w:-]+ [^`/]+`/.test(text))
}

export const listCalls = (sections: readonly TextSection[]): FoundPart[] =>
  sections.flatMap(({ heading, blocks }) =>
    blocks.filter(isCall).map((block) => ({
      name: 'examples' as const,
      passage: { heading, blocks: [block], below: [] },
    })),
  )
