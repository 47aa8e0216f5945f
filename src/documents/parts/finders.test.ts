import { expect, test } from 'vitest'
import type { PartName } from '../../catalog/parts.ts'
import { readGuest } from '../guest/read.ts'
import { findPassages } from './find.ts'

const read = (body: string, description = 'Sorts books.') => {
  const { blocks = [] } = readGuest(body)
  return findPassages({ blocks, skillName: 'book sort', description }).passages
}

const rawOf = (body: string, part: PartName): string | undefined => {
  const passage = read(body)[part]
  return passage?.blocks.map(({ raw }) => raw).join('\n')
}

/** A part, a text that states it, and one that nearly does. */
const STATED: readonly [PartName, string, string][] = [
  ['prerequisites', 'Sorts. Requires Node 18.', 'Sorts. It requires no build step.'],
  // A place without a name says nothing; a sentence around it may.
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
    'prerequisites',
    '## Usage\n\nIf not installed: `npm install -g books`',
    '## Usage\n\nIf not sorted: `books sort`',
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
    'Write a list of the following books:\n\n## Key Features\n\n- Novels',
    'Write a list with the following sections:\n\n## Key Features\n\n- Novels',
  ],
  ['prerequisites', 'Sorts.\n\nInstall: `npm i books`', 'Sorts.\n\nRun: `npm i books`'],
  [
    'prerequisites',
    '## Setup\n\nInstall Node 20. Ask the user: a key?',
    '## Setup\n\nInstall Node 20. Ask the user: a key? Ask the user: a lock?',
  ],
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
  const found = read('This skill requires Node 20. This skill cannot read maps.')
  expect([found.prerequisites?.blocks[0]?.raw, found.limitations?.blocks[0]?.raw]).toEqual([
    'This skill requires Node 20.',
    'This skill cannot read maps.',
  ])
})

test('the steps below one section alone are those of the skill', () => {
  const steps = '### Step 1: Read\n\na\n\n### Step 2: Sort\n\nb\n\n### Step 3: Shelve\n\nc\n'
  expect(read(`# Books\n\n## How to move\n\n${steps}`).howItWorks?.below).toHaveLength(3)
  expect(read(`# Books\n\n## Quick start\n\n${steps}`).howItWorks).toBeUndefined()
  const two = `# Books\n\n## How to move\n\n${steps}\n## How to return\n\n${steps}`
  expect(read(two).howItWorks).toBeUndefined()
})

test('the plainest of several headings carries a part, in any order', () => {
  const body = '## Modes\n\nTo sort.\n\n## Key Capabilities\n\n- Sorts novels'
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
