import { expect, test } from 'vitest'
import type { PartName } from '../../catalog/parts.ts'
import { readGuest } from '../guest/read.ts'
import { findPassages } from './find.ts'
import { nameGaps } from './gaps.ts'

const read = (body: string) => {
  const { blocks = [] } = readGuest(body)
  return findPassages({ blocks, skillName: 'book sort', description: 'Sorts books.' })
}

const STEPS = '1. Read the shelf\n2. Sort the books\n3. Write the list'

/** A part, a text that states it, and one that nearly does. */
const FOUND: readonly [PartName, string, string][] = [
  ['howItWorks', `## Workflow\n\n\`\`\`\n${STEPS}\n\`\`\``, '## Workflow\n\n```\nsort --all\n```'],
  [
    'howItWorks',
    '## Process\n\n1. User names the shelf\n2. Sort the books\n3. Write the list',
    '## Process\n\n1. The customer opens an account\n2. The customer picks books\n3. Pay',
  ],
  ['howItWorks', `## Workflow\n\n${STEPS}`, `## Subscriber onboarding process\n\n${STEPS}`],
  [
    'howItWorks',
    `## Usage\n\n### How it works\n\n${STEPS}`,
    `## Panel\n\n### How it works\n\n${STEPS}\n\n## Shelves\n\nA.\n\n## Boxes\n\nB.`,
  ],
  [
    'whenNotToUse',
    '## Shelves\n\nA shelf.\n\n**Don’t use this when** the books are sold.',
    '## Shelves\n\nA shelf.\n\n**Don’t use metal shelves** for old books.',
  ],
  [
    'whenNotToUse',
    '## Shelves\n\nDo not use this for films.\n\n## Boxes\n\nBoxes.',
    '## Shelves\n\nDo not use this for films.\n\n## Boxes\n\nDo not use this for maps.',
  ],
  [
    'whenNotToUse',
    '## When to use\n\n| Task | Use it? |\n| - | - |\n| Books | Yes |\n| Films | No |',
    '## When to use\n\n| Task | Note |\n| - | - |\n| Books | Yes |\n| Films | Maybe |',
  ],
  [
    'whenNotToUse',
    '## When to use\n\n| Use when | Avoid when |\n| - | - |\n| Books | Films |',
    '## Style\n\n| Use | Avoid |\n| - | - |\n| Books | Films |',
  ],
  [
    'prerequisites',
    '## Shelves\n\n**Prerequisites:** Node 20 and an API key.',
    '## Shelves\n\n**Requirements:** wood and nails.',
  ],
  [
    'prerequisites',
    '## 2. Prerequisites & Install\n\nInstall Node 20.',
    '## 2. Prerequisites & Shelves\n\nTake Node 20.',
  ],
  [
    'inputs',
    '## Inputs & Outputs\n\n- **Input**: a shelf\n- **Output**: a list',
    '## Shelves & Lists\n\n- **Input**: a shelf\n- **Output**: a list',
  ],
  ['inputs', 'Write a plan for `${input:Purpose}`.', 'Write a plan for `${purpose}`.'],
  ['inputs', 'Tell me of {{topic}}.', 'Write `{{topic}}` in the template.'],
  [
    'inputs',
    '## Task\n\nAsk the user:\n\n- Which shelf?\n- Which order?',
    '## Task\n\nAsk yourself:\n\n- Which shelf?\n- Which order?',
  ],
  [
    'capabilities',
    '## Features\n\n- Sorts by title\n- Writes a list',
    '## Features\n\n- `scripts/sort.py`\n- `scripts/list.py`: writes a list',
  ],
  [
    'capabilities',
    '## Commands\n\n```\n/sort: by title\n/list: all books\n```',
    '## Features\n\n```\nshelf/\n├── sort.py\n└── list.py\n```',
  ],
]

test.each(FOUND)('%s is found in %j, and not in %j', (part, hit, miss) => {
  expect(read(hit)[part]).toBeDefined()
  expect(read(miss)[part]).toBeUndefined()
})

test('a place to be filled in is an input by its name, and its sentence is none', () => {
  const { inputs } = read('You plan `${input:Purpose|sorting}` with ${selection} for $ARGUMENTS.')
  expect(inputs?.blocks.map(({ raw }) => raw)).toEqual(['- Purpose\n- selection\n- arguments'])
})

test('a task above what is given is no input', () => {
  const { inputs } = read('## Input\n\nYour task is to sort $ARGUMENTS.\n\nA list may be given.')
  expect(inputs?.blocks.map(({ raw }) => raw)).toEqual(['A list may be given.'])
})

test('what is said of arguments keeps their sign', () => {
  expect(nameGaps('`$ARGUMENTS` and ${input:Shelf}')).toBe('`$ARGUMENTS` and Shelf')
})

test('rows of yes and rows of no are told apart', () => {
  const found = read(
    '## When to use\n\n| Task | Use? |\n| - | - |\n| Books | ✅ |\n| Maps | ✅ yes |\n| Films | ❌ |',
  )
  expect(found.whenToUse?.blocks[0]?.node).toMatchObject({ children: [{}, {}] })
  expect(found.whenNotToUse?.blocks[0]?.node).toMatchObject({ children: [{}] })
})

test('a long quotation under "When to use" is no prompt too, a short one is', () => {
  const long = 'How many books of the second shelf were given back since the end of May?'
  const { examples } = read(`## When to use\n\n- "Sort my books"\n- "${long}"`)
  expect(examples?.words).toEqual(['Sort my books'])
})
