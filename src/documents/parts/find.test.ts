import { expect, test } from 'vitest'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { readGuest } from '../guest/read.ts'
import { findPassages } from './find.ts'
import { nameGaps } from './finders.ts'

const read = (body: string) => {
  const { blocks = [] } = readGuest(body)
  return findPassages({ blocks, skillName: 'book sort', description: 'Sorts books.' }).passages
}

const STEPS = '1. Read the shelf\n2. Sort the books\n3. Write the list'

/** A part, a text that states it, and one that nearly does. */
const FOUND: readonly [PartName, string, string][] = [
  [
    'whenToUse',
    '## When to use\n\n```\nA shelf, or a box\n```\n\n- Books of a reader',
    '## When to use\n\n```dot\nshelf -> box\n```\n\n- Books of a reader',
  ],
  [
    'whenToUse',
    '## Use cases\n\n### Lost books\n\nFind them.',
    '## Use cases\n\n### Lost books\n\n```bash\nfind\n```',
  ],
  [
    'inputs',
    'Review ${selection} by ${input:Order|title}.',
    'Review ${selection} by the title of ${selection}.',
  ],
  [
    'howItWorks',
    '## How to use\n\n1. Read the shelf\n2. Sort the books',
    '## How to use\n\nRead the rules:\n\n- Why it matters\n- An example',
  ],
  [
    'whenToUse',
    '## When to use\n\n- For a shelf\n- For a box',
    '## When to use\n\n- A shelf → `sort(shelf)`\n- [A box](box.md)',
  ],
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
    '## When to use\n\n- Books\n\n**Use film-sort instead for:**\n\n- Films',
    '## When to use\n\n- Books\n\n**Use boxes instead of shelves:**\n\n- Films',
  ],
  [
    'prerequisites',
    '## Permissions\n\nThe account needs an API key with `books:read`.',
    '## Permissions\n\n| Scope | Grants access to |\n| - | - |\n| `books:read` | books |',
  ],
  [
    'howItWorks',
    '**How it works:**\n\n- Reads the shelf\n- Sorts the books\n- Writes a list',
    '**How it works:**\n\n- Lists in no time\n- No ladder required\n- Very quiet',
  ],
  [
    'inputs',
    '## Settings\n\n${DEPTH="full|short"} ${WITH_INDEX=true}',
    '## Settings\n\n${DEPTH} ${WITH_INDEX}',
  ],
  [
    'limitations',
    '## Known limits to state plainly\n\n- It reads no scans.',
    '## Progressive disclosure\n\n- It reads no scans.',
  ],
  [
    'outputs',
    '## Step 3: Write the report\n\n**Report sections:**\n\n- Shelves\n- Books',
    '## Step 3: Write the report\n\n**Shelf sections:**\n\n- Shelves\n- Books',
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
    '## 2. Prerequisites & Install\n\nInstall Node 20.',
    '## 2. Prerequisites & Shelves\n\nTake Node 20.',
  ],
  [
    'inputs',
    '## Inputs & Outputs\n\n- **Input**: a shelf\n- **Output**: a list',
    '## Shelves & Lists\n\n- **Input**: a shelf\n- **Output**: a list',
  ],
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
  [
    'capabilities',
    '## Features\n\n### Sort by title\n\nA.\n\n### Catalog\n\nB.',
    '## Features\n\n### Shelves\n\nA.\n\n### Catalogs\n\nB.',
  ],
  [
    'howItWorks',
    '## 工作流\n\n### Step 1: 找书架\n\nA.\n\n### Step 2: 排书\n\nB.\n\n### Step 3: 写单\n\nC.',
    '## 书架\n\n### Step 1:\n\nA.\n\n### 排书\n\nB.',
  ],
  [
    'howItWorks',
    '## How book sort works\n\n- Reads the shelf\n- Writes the list\n',
    '## How book sort works\n\nIt looks into:\n\n- Old boxes\n- The cellar\n- A ladder',
  ],
  [
    'howItWorks',
    '## Book workflow\n\n1. Read it\n2. Sort it\n3. List it',
    '## Merging workflow\n\n1. Read it\n2. Sort it\n3. List it',
  ],
  [
    'inputs',
    '## Gather context\n\n- Which shelf?\n- The order of the books',
    '## 3. Gather context from the cellar\n\n- Read the old lists\n- Search the boxes',
  ],
  [
    'inputs',
    '## Panel\n\nCollect and confirm:\n\n- The shelf\n- The order',
    '## Panel\n\nGather additional context:\n\n- The shelf\n- The order',
  ],
  [
    'whenToUse',
    'This skill is used for:\n\n- Books\n- Maps',
    'This skill is based on the guides at:\n\n- Books\n- Maps',
  ],
  [
    'prerequisites',
    '## Before starting\n\nRequires an account.',
    '## Before starting\n\nCheck for a shelf plan first: if one requires an account, read it.',
  ],
  [
    'limitations',
    '## Constraints\n\n- At most 90 books\n- Scans are not supported',
    '## Constraints\n\n- Title: unique in a shelf\n- Author: points to a person',
  ],
  [
    'prerequisites',
    '## Environment variables\n\nSet `BOOKS_API_KEY`.',
    '## Environment variables\n\nAn API key:\n\n```ts\nexport const key = process.env.BOOKS_API_KEY\n```',
  ],
  [
    'prerequisites',
    '## Tool requirements\n\n- Node 20 must be installed',
    '## Ladder requirements\n\n- Node 20 must be installed',
  ],
  [
    'outputs',
    '## Usage\n\n- **Output**: a list',
    '## Usage\n\nThe shelf holds:\n\n- **Title**: of a book\n- **Results**: of a survey',
  ],
  [
    'limitations',
    '## What BookSort cannot do\n\n- Sell books\n- Buy books',
    '## What readers do\n\n- Sell books\n- Buy books',
  ],
]

test.each(FOUND)('%s is found in %j, and not in %j', (part, hit, miss) => {
  expect(read(hit)[part]).toBeDefined()
  expect(read(miss)[part]).toBeUndefined()
})

test.each<[string, PartName]>([
  ['## What it does\n\nIt sorts the books of a shelf by author.', 'capabilities'],
  ['## When to use\n\n- Sorts the books\n- Of a shelf\n- By author', 'whenToUse'],
])('%j says what the description says and is no %s besides', (body, part) => {
  const find = (description: string) =>
    findPassages({ blocks: readGuest(body).blocks ?? [], skillName: 'book sort', description })
  expect(find('Lends novels.').passages[part]).toBeDefined()
  expect(find('Sorts the books of a shelf by author.').passages[part]).toBeUndefined()
  expect(find('Sorts the books of a shelf by author.').mentioned).toContain(part)
})

test.each([
  ['', true],
  ['## Capabilities\n\n- Sorts the books\n- Of a shelf\n- By author\n\n', false],
])(
  'after %j, which the description may repeat, recipes are capabilities: %s',
  (before, isShown) => {
    const recipes = '## Common workflows\n\n### Lend a book\n\nAsk.\n\n### Mend a book\n\nGlue.'
    const { passages } = findPassages({
      blocks: readGuest(before + recipes).blocks ?? [],
      skillName: 'book sort',
      description: 'Sorts the books of a shelf by author.',
    })
    expect(passages.capabilities !== undefined).toBe(isShown)
  },
)

test('"Prerequisites" further down comes before a table of variables', () => {
  const variables = '## Environment variables\n\n- `SHELF_KEY`: an API key\n- `SHELF_DB`: optional'
  const { prerequisites } = read(
    `# Shelf\n\n${variables}\n\n## Installation\n\n### Prerequisites\n\n- Docker installed`,
  )
  expect(prerequisites?.blocks.map(({ raw }) => raw)).toEqual(['- Docker installed'])
})

test('a place to be filled in is an input by its name, and its sentence is none', () => {
  const { inputs } = read('You plan `${input:Purpose|sorting}` with ${selection} for $ARGUMENTS.')
  expect(inputs?.blocks.map(({ raw }) => raw)).toEqual(['- Purpose\n- selection'])
})

test('the next steps of the work are no part of what is given', () => {
  const { inputs } = read(
    '## Parameters\n\n- `--all`\n\n### Step 7: Clean up\n\nA.\n\n### More flags\n\nB.',
  )
  expect(inputs?.below.flatMap(({ heading }) => heading?.text ?? [])).not.toContain(
    'Step 7: Clean up',
  )
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

test('what a step that has only a number says is no second part', () => {
  const body = [
    '# Books',
    '# Process',
    '## Step 1',
    'Prompt the user for a link to a list, which names the books of the previous year.',
    '## Step 2',
    'Sort the books.',
    '## Step 3',
    'Write the list.',
  ].join('\n\n')
  const { howItWorks, inputs } = read(body)
  expect(howItWorks?.below).toHaveLength(3)
  expect(inputs).toBeUndefined()
})

const readAll = (body: string, description = 'Sorts books.') =>
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
  expect(readAll(text).passages[part]).toBeUndefined()
  expect(readAll(text).mentioned).toContain(part)
})

test('a description may speak of a part too', () => {
  expect(
    readAll('Books.', 'Sorts books, for "sort my shelf" and such requests.').mentioned,
  ).toContain('examples')
})

test.each(['Books and shelves.', '## Wood\n\n- Oak\n- Beech', 'Shelves hold “The Art of War”.'])(
  'nothing but words of its subject speaks of no part: %j',
  (text) => {
    expect([...readAll(text).mentioned]).toEqual([])
  },
)

test('code speaks of no part but examples', () => {
  const { mentioned } = readAll('```\nrequires, returns, provides, only when, do not use\n```')
  expect([...mentioned]).toEqual([])
})

test('a part that is shown is not mentioned besides', () => {
  const body = '## Limitations\n\n- It cannot read Greek, and only sorts by author.'
  expect(readAll(body).passages.limitations).toBeDefined()
  expect(readAll(body).mentioned).not.toContain('limitations')
})

test('words of every part are looked for but of Activation, which is the description', () => {
  const all = `${MENTIONED.map(([, text]) => text).join('\n\n')}`
  const { passages, mentioned } = readAll(all)
  const known = new Set([...Object.keys(passages), ...mentioned])
  expect(PARTS.map(({ name }) => name).filter((name) => !known.has(name))).toEqual(['activation'])
})
