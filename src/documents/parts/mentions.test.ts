import { expect, test } from 'vitest'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { readGuest } from '../guest/read.ts'
import { findPassages } from './find.ts'

const read = (body: string, description = 'Sorts books.') =>
  findPassages({ blocks: readGuest(body).blocks ?? [], skillName: 'book sort', description })

/** A part, and texts that speak of it in passing. */
const MENTIONED: readonly [PartName, string][] = [
  ['capabilities', '## Purpose\n\nIt is there to sort.'],
  ['capabilities', 'The shelf supports four orders.'],
  ['howItWorks', 'Look at the spines, then sort.'],
  ['howItWorks', '## Phase A\n\nSpines.'],
  ['howItWorks', '首先看书脊。'],
  ['inputs', '## Context\n\nYou sort **$ARGUMENTS**.'],
  ['inputs', '## Hints\n\n- Ask the reader for a list of books.'],
  ['inputs', '## Shelves\n\nThe user describes a shelf.'],
  ['outputs', 'Save lists under `lists/`.'],
  ['outputs', 'Tell the user what was moved.'],
  ['whenToUse', 'Made for lost books, if the owner is away.'],
  ['whenNotToUse', 'Take the ladder instead.'],
  ['whenNotToUse', 'The librarian decides; hand off the carrying.'],
  ['prerequisites', '## Hints\n\n**Prereq**: a ladder.'],
  ['prerequisites', 'Set `BOOKS_API_KEY`.'],
  ['prerequisites', '需要梯子。'],
  ['limitations', '## Scope boundaries\n\nSo far.'],
  ['limitations', 'Sorting by colour is experimental.'],
  ['examples', 'Users say "which book is next?".'],
  ['examples', '## Shelves\n\n```python\n# User gives: "my red shelf"\n```'],
]

test.each(MENTIONED)('%s may be spoken of in %j', (part, text) => {
  expect(read(text).passages[part]).toBeUndefined()
  expect(read(text).mentioned).toContain(part)
})

test('a description may speak of a part too', () => {
  expect(read('Books.', 'Sorts books, for "sort my shelf" and such requests.').mentioned).toContain(
    'examples',
  )
})

test.each(['Books and shelves.', '## Wood\n\n- Oak\n- Beech', 'Shelves hold “The Art of War”.'])(
  'nothing but words of its subject speaks of no part: %j',
  (text) => {
    expect([...read(text).mentioned]).toEqual([])
  },
)

test('code speaks of no part but examples', () => {
  const { mentioned } = read('```\nrequires, returns, provides, only when, do not use\n```')
  expect([...mentioned]).toEqual([])
})

test('a part that is shown is not mentioned besides', () => {
  const body = '## Limitations\n\n- It cannot read Greek, and only sorts by author.'
  expect(read(body).passages.limitations).toBeDefined()
  expect(read(body).mentioned).not.toContain('limitations')
})

test('words of every part are looked for but of Activation, which is the description', () => {
  const all = `${MENTIONED.map(([, text]) => text).join('\n\n')}`
  const { passages, mentioned } = read(all)
  const known = new Set([...Object.keys(passages), ...mentioned])
  expect(PARTS.map(({ name }) => name).filter((name) => !known.has(name))).toEqual(['activation'])
})
