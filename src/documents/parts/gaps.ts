import type { RootContent } from 'mdast'
import type { Block } from '../guest/read.ts'
import { listOf } from '../tree.ts'
import type { FoundPart } from './passages.ts'
import type { TextSection } from './sections.ts'

/** A place that a client fills in, with a name: `${selection}`, `${input:Purpose|plan}`, `${DEPTH="full|short"}`; `$ARGUMENTS` has none. */
const GAP =
  /\$\{(?:(selection|file)|input:\s?([\w -]{1,60})(?:[:|][^}\n]{0,80})?|([A-Z][A-Z_]{2,40})=["\w][^}\n]{0,200})\}/g

/** One that only a program of the author fills in, so where a text speaks of the whole: `{{topic}}`. */
const OWN_GAP = /(?<![`{$])\{\{\s?([a-z][a-z_ -]{1,40})\s?\}\}(?!`)/g

const GAPS_SHOWN = 12

/** Sets their names for the places of a text that are filled in. */
export const nameGaps = (text: string): string =>
  text.replace(
    GAP,
    (_, part?: string, name = '', variable?: string) => part ?? variable ?? name.trim(),
  )

const listGaps = (text: string, isWhole: boolean): string[] => [
  ...Array.from(
    text.matchAll(GAP),
    ([, part, name = '', variable]) => part ?? variable ?? name.trim(),
  ),
  ...(isWhole ? Array.from(text.matchAll(OWN_GAP), ([, name = '']) => name.trim()) : []),
]

/** Blocks of words; what stands in code is for a shell or a template. */
const isSaid = ({ type }: Block): boolean =>
  type === 'paragraph' || type === 'list' || type === 'blockquote'

/** Finds what a skill is given by the names of the places that are filled in with it. */
export const listNamedInputs = (sections: readonly TextSection[]): FoundPart[] => {
  const found = sections
    .filter(({ isSample }) => !isSample)
    .flatMap(({ heading, blocks, isWhole }) =>
      blocks
        .filter((block) => isSaid(block) && (block.raw.includes('${') || block.raw.includes('{{')))
        .map((block) => ({ heading, block, names: listGaps(block.raw, isWhole) })),
    )
    .filter(({ names }) => names.length > 0)
  const names = [...new Set(found.flatMap((one) => one.names))].slice(0, GAPS_SHOWN)
  const [first] = found
  // One alone is the place of what is worked on: `selection`.
  if (!first || names.length < 2) return []
  const node = listOf(names.map((name) => [name])) as RootContent
  const raw = names.map((name) => `- ${name}`).join('\n')
  const list: Block = { ...first.block, type: 'list', raw, node }
  return [{ name: 'inputs', passage: { heading: first.heading, blocks: [list], below: [] } }]
}
