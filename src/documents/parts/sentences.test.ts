import { expect, test } from 'vitest'
import type { PartName } from '../../catalog/parts.ts'
import { readGuest } from '../guest/read.ts'
import { findPassages } from './find.ts'

const read = (body: string, description = 'Sorts books.') => {
  const { blocks = [] } = readGuest(body)
  return findPassages({ blocks, skillName: 'book sort', description })
}

const rawOf = (body: string, part: PartName): string | undefined => {
  const passage = read(body)[part]
  return passage?.blocks.map(({ raw }) => raw).join('\n')
}

/** A part, a text that states it, and one that nearly does. */
const STATED: readonly [PartName, string, string][] = [
  ['prerequisites', 'Sorts. Requires Node 18.', 'Sorts. It requires no build step.'],
  [
    'prerequisites',
    '## Step 1: Prepare\n\n- Check that `gh` is installed.',
    '## Deploying\n\n- Check that `gh` is installed.',
  ],
  // A place without a name says nothing; a sentence around it may.
  [
    'inputs',
    '## Context\n\nYou plan a sprint for **$ARGUMENTS**.\n\nIf the user provides shelf plans, read them first.',
    'You plan a sprint for **$ARGUMENTS**.',
  ],
  ['inputs', 'Review ${selection} for mistakes.', 'Review ${color} for mistakes.'],
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
    'whenNotToUse',
    '> **For lending**, see the **book-lend** skill.',
    '> **For lending**, see the **appendix** below.',
  ],
  [
    'whenNotToUse',
    'Sorts. If shelves are there, use book-shelf instead of this skill.',
    'Sorts. If shelves are there, use them instead of boxes.',
  ],
  [
    'limitations',
    '## Books\n\nThis skill only supports paper.',
    "## Books\n\nThis skill doesn't just sort.",
  ],
  [
    'limitations',
    '## Notes\n\n- Scans are not supported.',
    '## Notes\n\n- It does not require a scan.',
  ],
  [
    'examples',
    '## Case\n\n```\nUser: "Sort my books by author"\n```',
    '## Case\n\n```\nprint: "Sort my books by author"\n```',
  ],
  [
    'capabilities',
    'This skill helps readers find novels.',
    'You are a clerk. Your goal is to help readers find novels.',
  ],
  [
    'whenNotToUse',
    'Sorts. Use this only for paper books.',
    'Sorts. Use only the books of this shelf.',
  ],
  [
    'whenNotToUse',
    'Sorts. For lending use the book-lend skill.',
    'Sorts. For lending use the book-lend table.',
  ],
  [
    'outputs',
    '## Rules\n\nThe list should be saved in the `/lists/` directory.',
    '## Rules\n\nThe list should be sorted in the `/lists/` order.',
  ],
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
    'outputs',
    '## Step 3: Write the report\n\nProduce the following:\n\n- A list.',
    '## Step 3: Weigh the books\n\nProduce the following:\n\n- A list.',
  ],
  [
    'outputs',
    '## Issue Content\n\n- Title: that of the book',
    '## Content of books\n\n- Title: that of the book',
  ],
  [
    'inputs',
    '## Step 1: Scope\n\nCollect and confirm:\n\n- The shelf',
    '## Step 1: Scope\n\nWeigh and confirm:\n\n- The shelf',
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
    '## Quick Start\n\n```bash\nnpm install books\n```',
    '## Shelving\n\n```bash\nnpm install books\n```',
  ],
  [
    'prerequisites',
    '## Quick Start\n\n```bash\nnpm install books\n```',
    '## Quick Start\n\n```bash\nnpm install books\nnpm start\n```',
  ],
  [
    'prerequisites',
    '## Usage\n\nIf not installed: `npm install -g books`',
    '## Usage\n\nIf not sorted: `books sort`',
  ],
  [
    'prerequisites',
    '## Step 1: Prepare\n\n- Set `BOOKS_API_KEY` in the shell.',
    '## Step 1: Prepare\n\n- Set `BOOKS_ORDER` in the shell.',
  ],
  [
    'prerequisites',
    '## Installation & Setup\n\nInstall it with pip.',
    '## Installation of Shelves\n\nInstall it with pip.',
  ],
  [
    'limitations',
    '## Books\n\nThis skill **never** deletes a book.',
    '## Books\n\nThe shelf never deletes a book.',
  ],
  [
    'limitations',
    '## Overview\n\nThe tool only supports paper.',
    '## Overview\n\nNovelists only support paper.',
  ],
  ['limitations', '## Hard Boundaries\n\nIt lends no book.', '## Hard Covers\n\nIt lends no book.'],
  [
    'examples',
    '## Calls\n\n- `/books sort by author`\n- `/books lend this`',
    '## Paths\n\n- `/books/sort`\n- `/books/lend`',
  ],
  [
    'examples',
    '## Hints\n\nUsers say "which book is next?" or "lend me this book".',
    '## Hints\n\nAsk "which book is next?" or "who has read this book?".',
  ],
  [
    'whenToUse',
    'Sorts.\n\n**Use cases:**\n\n- Moving a library',
    'Sorts.\n\n**Use cases:**\n\n- Moving → [Guide](guide.md)',
  ],
  [
    'whenNotToUse',
    '## When to use\n\n- A book is lost.\n- Do not use it for maps.',
    '## When to use\n\n- A book is lost.\n- Do not lend it out.',
  ],
  [
    'howItWorks',
    '## Instructions\n\n**Step 1: Read.** a\n\n**Step 2: Sort.** b\n\n**Step 3: Shelve.** c',
    '## Tips\n\n**Step 1: Read.** a\n\n**Step 2: Sort.** b\n\n**Step 3: Shelve.** c',
  ],
  [
    'howItWorks',
    '## Shelves\n\n### How it works\n\n1. Read it.\n2. Sort it.\n3. Shelve it.',
    '## Shelves\n\n### How it works\n\n1. Wood\n2. Iron\n3. Glass',
  ],
  [
    'howItWorks',
    '## Workflow\n\nRead the title, then sort.',
    '## Workflow\n\nGo to https://books.example',
  ],
  [
    'howItWorks',
    '## Instructions\n\n- Read the title.\n- Sort.',
    '## Instructions\n\nYou must:\n\n- Read the title.\n- Sort.',
  ],
  [
    'howItWorks',
    '## Moving\n\n### Step 1: Read\n\n### Step 2: Sort\n\n### Step 3: Shelve',
    '## Moving Template\n\n### Step 1: Read\n\n### Step 2: Sort\n\n### Step 3: Shelve',
  ],
  [
    'capabilities',
    'A catalog that finds novels. It is free.',
    'A catalog that is made of paper. It is free.',
  ],
  [
    'capabilities',
    'A shelf that finds novels. It is free.',
    'Paper is a product that finds readers. It is free.',
  ],
  [
    'capabilities',
    'You are a clerk. Your goal is to sort by:\n\n- Reading titles',
    'You are a clerk. Your shelf is to be sorted by:\n\n- Reading titles',
  ],
  [
    'whenToUse',
    '# Books\n\nUse this skill when books are lost.',
    '## Examples\n\nUse this skill when books are lost.',
  ],
  [
    'capabilities',
    'Write a list of the following books:\n\n## Key Features\n\n- Novels',
    'Write a list with the following sections:\n\n## Key Features\n\n- Novels',
  ],
  ['capabilities', 'The skill quickly sorts novels.', 'The Books Toolkit quickly sorts novels.'],
  [
    'howItWorks',
    '## Prompt\n\n**Step 1: Read.** a\n\n**Step 2: Sort.** b\n\n**Step 3: Shelve.** c',
    '## Prompt\n\n**1. Wood.** a\n\n**2. Iron.** b\n\n**3. Glass.** c',
  ],
  [
    'whenToUse',
    '## Scenarios\n\n### Lost books\n\nFind them.',
    '## Scenarios\n\n### Lost books\n\n```bash\nfind\n```',
  ],
  ['outputs', 'Sorts.\n\n**Save lists to:** `lists/`', 'Sorts.\n\n**Move books to:** `lists/`'],
  ['prerequisites', 'Sorts.\n\nInstall: `npm i books`', 'Sorts.\n\nRun: `npm i books`'],
  [
    'prerequisites',
    '## Setup\n\nInstall Node 20. Ask the user: a key?',
    '## Setup\n\nInstall Node 20. Ask the user: a key? Ask the user: a lock?',
  ],
  ['capabilities', 'This skill quickly evaluates novels.', 'This skill quickly and surely novels.'],
  ['capabilities', 'Build catalogs from shelves of novels.', 'You must never build catalogs.'],
]

test.each(STATED)('%s: a sentence or an item states it: %s', (part, hit, miss) => {
  expect(read(hit)[part]).toBeDefined()
  expect(read(miss)[part]).toBeUndefined()
})

test('only the sentence or the item that states a part is lifted out', () => {
  const body = 'Sorts `books` on shelves. Requires **Node 18**. Shelves are of wood.'
  expect(rawOf(body, 'prerequisites')).toBe('Requires **Node 18**.')
  const list = read('## Notes\n\n1. Read.\n2. Scans are not supported.').limitations?.blocks[0]
  expect(list?.node).toMatchObject({ type: 'list', ordered: false, children: [{}] })
})

test('what stands in a sample or a template states nothing of the skill', () => {
  const sample = '## Example output\n\n### Report\n\nThis skill only supports paper.'
  expect(read(sample).limitations).toBeUndefined()
})

test('two parts may have sentences of one paragraph', () => {
  const found = read('This skill takes a shelf. This skill produces a list.')
  expect([found.inputs?.blocks[0]?.raw, found.outputs?.blocks[0]?.raw]).toEqual([
    'This skill takes a shelf.',
    'This skill produces a list.',
  ])
})

test('the steps below one section alone are those of the skill', () => {
  const steps = '### Step 1: Read\n\na\n\n### Step 2: Sort\n\nb\n\n### Step 3: Shelve\n\nc\n'
  expect(read(`# Books\n\n## The move\n\n${steps}`).howItWorks?.below).toHaveLength(3)
  expect(read(`# Books\n\n## Quick start\n\n${steps}`).howItWorks).toBeUndefined()
  const two = `# Books\n\n## The move\n\n${steps}\n## The return\n\n${steps}`
  expect(read(two).howItWorks).toBeUndefined()
})

test('a sentence of the introduction that hangs on one left out is left out as well', () => {
  const said = 'Sort books on shelves by title. It goes on for days.'
  expect(read(said, 'Sort books on shelves by title.').capabilities).toBeUndefined()
  expect(rawOf(said, 'capabilities')).toBe(said)
})

test('the plainest of several headings carries a part, in any order', () => {
  const body = '## Purpose\n\nTo sort.\n\n## Key Capabilities\n\n- Sorts novels'
  expect(rawOf(body, 'capabilities')).toBe('- Sorts novels')
})

test('a part keeps what no other part has of its passage', () => {
  const body =
    '## Requirements\n\nInstall Node 20.\n\nInstall git.\n\nGather from the user:\n\n- a shelf\n'
  const found = read(body)
  expect(found.inputs?.blocks[0]?.raw).toBe('- a shelf')
  expect(found.prerequisites?.blocks[0]?.raw).toBe('Install Node 20.')
})

test('above steps that are listed stand rules, which are no steps', () => {
  const steps = '### Step 1: Read\n\na\n\n### Step 2: Sort\n\nb\n\n### Step 3: Shelve\n\nc\n'
  const found = read(`## Workflow\n\nFollow these exactly.\n\n${steps}`).howItWorks
  expect([found?.blocks.length, found?.below.length]).toEqual([0, 3])
})
