/**
 * The parts of a skill page, in page order. A part has a section only if the record or a front matter field states it;
 * one sentence names the others. To add a part, add a row: the record's schema and the page read this table.
 */
export const PARTS = [
  { name: 'activation', heading: 'Activation', id: 'activation', kind: 'paragraph' },
  { name: 'capabilities', heading: 'Key capabilities', id: 'key-capabilities', kind: 'list' },
  { name: 'howItWorks', heading: 'How it works', id: 'how-it-works', kind: 'list' },
  { name: 'inputs', heading: 'You give it', id: 'you-give-it', kind: 'list' },
  { name: 'outputs', heading: 'You get back', id: 'you-get-back', kind: 'list' },
  { name: 'whenToUse', heading: 'When to use', id: 'when-to-use', kind: 'list' },
  { name: 'whenNotToUse', heading: 'When not to use', id: 'when-not-to-use', kind: 'list' },
  { name: 'prerequisites', heading: 'Prerequisites', id: 'prerequisites', kind: 'list' },
  { name: 'limitations', heading: 'Limitations', id: 'limitations', kind: 'list' },
  { name: 'examples', heading: 'Example prompts', id: 'example-prompts', kind: 'list' },
] as const satisfies readonly {
  name: string
  heading: string
  /** Anchor of the heading. */
  id: string
  /** Form of the part in skill.json. */
  kind: 'paragraph' | 'list'
}[]

type Part = (typeof PARTS)[number]
export type PartName = Part['name']

/** Texts that a record can state for the page: a one-line summary and the parts. Backticks mark code. */
export type EditorialParts = { summary?: string | undefined } & {
  [P in Part as P['name']]?: (P['kind'] extends 'list' ? string[] : string) | undefined
}

/** How many example prompts are searched, and how many characters of each. */
export const SEARCHED_ASKS = { count: 8, characters: 100 } as const

/** The asks of a skill: its record's example prompts, as far as they are searched. */
export const listAsks = ({ examples = [] }: EditorialParts): string[] =>
  examples
    .slice(0, SEARCHED_ASKS.count)
    .map((ask) => Array.from(ask).slice(0, SEARCHED_ASKS.characters).join(''))
