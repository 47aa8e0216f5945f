import type { RootContent } from 'mdast'
import type { Block } from '../guest/read.ts'
import { listOf } from '../tree.ts'
import type { FoundPart } from './passages.ts'
import type { TextSection } from './sections.ts'

/** A place that a client fills in: `$ARGUMENTS`, `${selection}`, `${input:Purpose|plan}`. */
const GAP =
  /\$(?:(ARGUMENTS)\b|\{(?:(selection|file)|input:\s?([\w -]{1,60})(?:[:|][^}\n]{0,80})?)\})/g

/** One that only a program of the author fills in, so where a text speaks of the whole: `{{topic}}`. */
const OWN_GAP = /(?<![`{$])\{\{\s?([a-z][a-z_ -]{1,40})\s?\}\}(?!`)/g

const GAPS_SHOWN = 12

const nameOf = (name: string): string => (name === 'ARGUMENTS' ? 'arguments' : name.trim())

/** Names places of a text that are filled in; of `$ARGUMENTS` a text says what they are. */
export const nameGaps = (text: string): string =>
  text.replace(GAP, (gap, all?: string, part?: string, name?: string) =>
    all === undefined ? nameOf(part ?? name ?? '') : gap,
  )

const listGaps = (text: string, isWhole: boolean): string[] => [
  ...Array.from(text.matchAll(GAP), ([, all, part, name]) => nameOf(all ?? part ?? name ?? '')),
  ...(isWhole ? Array.from(text.matchAll(OWN_GAP), ([, name = '']) => nameOf(name)) : []),
]

/** Blocks of words; what stands in code is for a shell or a template. */
const isSaid = ({ type }: Block): boolean =>
  type === 'paragraph' || type === 'list' || type === 'blockquote'

/** Finds what a skill is given by the names of the places that are filled in with it. */
export const listGiven = (sections: readonly TextSection[]): FoundPart[] => {
  const found = sections
    .filter(({ isSample }) => !isSample)
    .flatMap(({ heading, blocks, isWhole }) =>
      blocks
        .filter((block) => isSaid(block) && (block.raw.includes('$') || block.raw.includes('{{')))
        .map((block) => ({ heading, block, names: listGaps(block.raw, isWhole) })),
    )
    .filter(({ names }) => names.length > 0)
  const names = [...new Set(found.flatMap((one) => one.names))].slice(0, GAPS_SHOWN)
  const [first] = found
  if (!first) return []
  const node = listOf(names.map((name) => [name])) as RootContent
  const raw = names.map((name) => `- ${name}`).join('\n')
  const list: Block = { ...first.block, type: 'list', raw, node }
  return [{ name: 'inputs', passage: { heading: first.heading, blocks: [list], below: [] } }]
}
