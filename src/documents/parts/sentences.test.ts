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
  ['inputs', 'You plan a sprint for **$ARGUMENTS**.', 'You plan a sprint for **$ARGV**.'],
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
    'You are a clerk. Your goal is to help readers find novels.',
    'You are a clerk. Your shelf is to the left.',
  ],
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
