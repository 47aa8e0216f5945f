import { expect, test } from 'vitest'
import type { PartName } from '../../catalog/parts.ts'
import { readGuest } from '../guest/read.ts'
import { findPassages } from './find.ts'

const read = (body: string) =>
  findPassages({
    blocks: readGuest(body).blocks ?? [],
    skillName: 'book sort',
    description: 'Sorts books.',
  })

/** A part, a text that speaks of it in passing, and one that nearly does. */
const MENTIONED: readonly [PartName, string, string][] = [
  ['capabilities', '## Purpose\n\nIt is there to sort.', '## Wood\n\nIt is there to sort.'],
  ['limitations', '## Scope boundaries\n\nSo far.', '## Shelves\n\nSo far.'],
  ['examples', 'Users say "which book is next?".', 'Shelves hold "The Art of War".'],
  ['whenToUse', 'Use this skill when books are lost.', 'Use the ladder when books are high.'],
  [
    'prerequisites',
    '## Step 1: Prepare\n\n- Check that `gh` is installed.',
    '## Deploying\n\n- Check that `gh` is installed.',
  ],
  [
    'inputs',
    '## Context\n\nYou plan a sprint for **$ARGUMENTS**.\n\nIf the user provides shelf plans, read them first.',
    'You plan a sprint for **$ARGUMENTS**.',
  ],
  [
    'inputs',
    '## Step 1: Prepare\n\n- Ask the user for the list of books.',
    '## Step 1: Prepare\n\n- Ask the user for approval.',
  ],
  [
    'inputs',
    '## Usage\n\nIf no files are specified, ask the user which to sort.',
    '## Usage\n\nIf no files are specified, sort all of them.',
  ],
  [
    'outputs',
    '## Step 1: Prepare\n\n- Save the report to `out/report.md`.',
    '## Handlers\n\n- Save the report to `out/report.md`.',
  ],
  ['outputs', 'Books. This skill produces a list.', 'Books. The shelf produces a list.'],
  [
    'outputs',
    '## Step 3: Write the list\n\nSave it as `list.md`.',
    '## Step 3: Write the list\n\nSave credentials to `list.md`.',
  ],
  [
    'outputs',
    '## Step 3: Finish\n\n- Return a JSON object with all titles.',
    '## Step 3: Finish\n\n- Return to the shelf.',
  ],
  [
    'inputs',
    '## Usage\n\n- A title must be provided by the reader.',
    '## Usage\n\n- A title must be sorted by the reader.',
  ],
  [
    'inputs',
    '## Inputs You Should Look For\n\n- The shelf',
    '## Books You Should Look For\n\n- The shelf',
  ],
  [
    'prerequisites',
    '## Step 1: Prepare\n\n- Set `BOOKS_API_KEY` in the shell.',
    '## Step 1: Prepare\n\n- Set `BOOKS_ORDER` in the shell.',
  ],
  [
    'examples',
    '## Hints\n\nUsers say "which book is next?" or "lend me this book".',
    '## Hints\n\nAsk "which book is next?" or "who has read this book?".',
  ],
  [
    'whenToUse',
    '# Books\n\nUse this skill when books are lost.',
    '## Examples\n\nUse this skill when books are lost.',
  ],
  ['outputs', 'Sorts.\n\n**Save lists to:** `lists/`', 'Sorts.\n\n**Move books to:** `lists/`'],
  [
    'outputs',
    'Create a list as `books.md` of all titles.',
    'Create a progress file `progress.md` of all titles.',
  ],
  ['outputs', 'Always return a complete list of books.', 'Always return to the shelf.'],
  ['outputs', '## Step 3: Finish\n\nSave as markdown.', '## Shelves\n\nSave as markdown.'],
]

test.each(MENTIONED)(
  '%s is mentioned, and no part, in %j, and not mentioned in %j',
  (part, hit, miss) => {
    expect(read(hit).passages[part]).toBeUndefined()
    expect(read(hit).mentioned).toContain(part)
    expect(read(miss).mentioned).not.toContain(part)
  },
)
