import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openMainLine } from './git.ts'
import type { MainLine } from './git.ts'
import type { KnownHistory } from './read.ts'
import { readHistory } from './read.ts'
import { planVersions } from './plan.ts'
import { createDice } from './testing/dice.ts'
import type { Dice } from './testing/dice.ts'
import { addCommits, checkOut, makeGitFolder } from './testing/repository.ts'
import type { GivenCommit, GivenFile } from './testing/repository.ts'

// Compares random histories with a model that does not use git: it looks at the files that the test put into each
// commit.

/** `HISTORIES=500 npx vitest run build/versions/history` is the thorough run. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 20)
const COMMITS = 14
const DAY = 86_400
const START = 1_780_000_000

/** The folders of `skills/` by slug. Each maps paths to files. */
type Snapshot = ReadonlyMap<string, ReadonlyMap<string, GivenFile>>

const renderRecord = (id: number, note: number): string => JSON.stringify({ id, note })

const idOf = (files: ReadonlyMap<string, GivenFile>): number =>
  (JSON.parse(files.get('skill.json') as string) as { id: number }).id

const SLUGS = ['ash', 'birch', 'cedar', 'ash-2', 'elm', 'a1b2'.repeat(8), 'fir', 'oak', 'yew']

const NAMES = [
  'SKILL.md',
  'notes.md',
  'scripts/run',
  'a b.txt',
  'Ünder.md',
  '.env',
  '.github/x',
  'z',
]

const FILES: ((dice: Dice) => GivenFile)[] = [
  (dice) => `text ${dice(4)}\n`,
  (dice) => `text ${dice(4)}\n`,
  (dice) => ({ mode: '100755', text: `text ${dice(4)}\n` }),
]

/** A snapshot to edit: the earlier snapshots, and the skill that has or had each slug. Slugs are never reused. */
interface Editing {
  next: Map<string, Map<string, GivenFile>>
  dice: Dice
  past: Snapshot[]
  owners: Map<string, number>
}

const EDITS: ((editing: Editing) => unknown)[] = [
  // Files of a skill change.
  ({ next, dice }) => pick(next, dice)?.set(NAMES[dice(8)]!, FILES[dice(3)]!(dice)),
  ({ next, dice }) => pick(next, dice)?.set(NAMES[dice(8)]!, FILES[dice(3)]!(dice)),
  ({ next, dice }) => pick(next, dice)?.delete(NAMES[1 + dice(7)]!),
  ({ next, dice }) => pick(next, dice)?.set('link', { mode: '120000', text: `notes.md${dice(2)}` }),
  ({ next, dice }) => pick(next, dice)?.delete('link'),
  // Only the record changes.
  ({ next, dice }) => {
    const files = pick(next, dice)
    files?.set('skill.json', renderRecord(idOf(files), dice(99)))
  },
  // A skill moves and keeps its id.
  ({ next, dice, owners }) => {
    const files = pick(next, dice)
    const to = SLUGS[dice(SLUGS.length)]!
    if (!files || next.has(to) || (owners.get(to) ?? idOf(files)) !== idOf(files)) return
    for (const [slug, other] of next) if (other === files) next.delete(slug)
    next.set(to, files)
    owners.set(to, idOf(files))
  },
  ({ next, dice }) => {
    const files = pick(next, dice)
    for (const [slug, other] of next) if (other === files) next.delete(slug)
  },
  // Everything is reverted to an earlier snapshot.
  ({ next, dice, past }) => {
    const before = past[dice(past.length)]
    if (!before) return
    next.clear()
    for (const [slug, files] of before) next.set(slug, new Map(files))
  },
]

const pick = (next: Editing['next'], dice: Dice): Map<string, GivenFile> | undefined =>
  [...next.values()][dice(next.size + 1)]

const addSkill = ({ next, dice, owners }: Omit<Editing, 'past'>, id: number): void => {
  const slug = SLUGS[dice(SLUGS.length)]!
  if (owners.has(slug)) return
  owners.set(slug, id)
  next.set(
    slug,
    new Map<string, GivenFile>([
      ['skill.json', renderRecord(id, 0)],
      ['SKILL.md', FILES[dice(3)]!(dice)],
    ]),
  )
}

interface MadeHistory {
  commits: GivenCommit[]
  /** The main line at several times: indexes of commits, oldest first. */
  lines: number[][]
  snapshots: Snapshot[]
}

const flatten = (snapshot: Snapshot): Map<string, GivenFile> =>
  new Map([
    ['other.txt', 'not a skill'],
    ['skills/README.md', 'no folder'],
    ...[...snapshot].flatMap(([slug, files]) =>
      [...files].map(([path, file]) => [`skills/${slug}/${path}`, file] as const),
    ),
  ])

const copy = (snapshot: Snapshot): Map<string, Map<string, GivenFile>> =>
  new Map(Array.from(snapshot, ([slug, files]) => [slug, new Map(files)]))

/** Makes a random history of edits, merges and force-pushes. */
const makeHistory = (dice: Dice, offset: number): MadeHistory => {
  const made: MadeHistory = { commits: [], lines: [], snapshots: [] }
  let line: number[] = []
  let at = START
  const commit = (snapshot: Snapshot, parents: readonly number[]): number => {
    const gaps = [40 * DAY, 4 * DAY, DAY, DAY / 8, DAY / 8, DAY / 8]
    at += dice(gaps[dice(gaps.length)]!)
    made.commits.push({
      files: flatten(snapshot),
      at: at + offset,
      parents,
    })
    return made.snapshots.push(snapshot) - 1
  }
  const first = new Map<string, Map<string, GivenFile>>()
  const owners = new Map<string, number>()
  for (let id = 1; id <= 3; id += 1) addSkill({ next: first, dice, owners }, id)
  line.push(commit(first, []))
  for (let count = 1; count < COMMITS; count += 1) {
    const last = line.at(-1)!
    const past = line.map((place) => made.snapshots[place]!)
    const edit = (from: Snapshot): Snapshot => {
      const next = copy(from)
      if (dice(6) === 0) addSkill({ next, dice, owners }, 10 + made.commits.length)
      else EDITS[dice(EDITS.length)]!({ next, dice, past, owners })
      return next
    }
    if (dice(6) === 0) {
      // A side branch of two commits: only the merge is on the main line.
      const one = commit(edit(made.snapshots[last]!), [last])
      const two = commit(edit(made.snapshots[one]!), [one])
      line.push(commit(made.snapshots[two]!, [last, two]))
    } else line.push(commit(edit(made.snapshots[last]!), [last]))
    if (dice(6) === 0) made.lines.push([...line])
    // A force-push to an earlier commit.
    if (dice(9) === 0) line = line.slice(0, 1 + dice(line.length))
  }
  made.lines.push(line)
  return made
}

const isLeftOut = (path: string): boolean => path === 'skill.json' || path === '.env'

/** The name of a version, or the reason why it has no name. */
const nameFiles = (files: ReadonlyMap<string, GivenFile>): string => {
  const shown = [...files].filter(([path]) => !isLeftOut(path))
  if (shown.some(([, file]) => typeof file !== 'string' && file.mode === '120000')) return 'a link'
  const lines = shown.map(([path, file]) => {
    const { mode, text } = typeof file === 'string' ? { mode: '', text: file } : file
    const sum = createHash('sha256').update(text).digest('hex')
    return { path, line: `${sum} ${mode === '100755' ? '*' : ' '}${path}\n` }
  })
  lines.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  const text = lines.map(({ line }) => line).join('')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** The files of a version as text, which also distinguishes versions without a name. */
const showFiles = (files: ReadonlyMap<string, GivenFile>): string =>
  JSON.stringify([...files].filter(([path]) => !isLeftOut(path)).sort())

/** Shows the versions in past states of a skill, the newest first; states with the same files are one version. */
const listStates = (
  states: readonly ReadonlyMap<string, GivenFile>[],
  explain: (place: number) => string,
): string[] => {
  const shown = states.map(showFiles).toReversed()
  const names = states.map(nameFiles).toReversed()
  const rows = names.filter((_, at) => shown.indexOf(shown[at]!) === at)
  const named = rows.filter((name) => name !== 'a link')
  return rows.map((name) =>
    name === 'a link' ? 'none' : `${name} ${explain(named.indexOf(name))}`,
  )
}

/** The new slugs of skills that moved, as `retired.json` would have them. */
const modelMoves = (states: readonly Snapshot[]): Map<string, string> => {
  const last = states.at(-1)!
  const now = new Map(Array.from(last, ([slug, files]) => [idOf(files), slug] as const))
  const former = states.flatMap((all) =>
    Array.from(all, ([slug, files]) => [slug, idOf(files)] as const),
  )
  return new Map(
    former.flatMap(([slug, id]) => (last.has(slug) || !now.has(id) ? [] : [[slug, now.get(id)!]])),
  )
}

/** The model's list for every slug: the name of each version and whether it is served, newest first. */
const modelLists = (states: readonly Snapshot[], keep: number): Map<string, string[]> => {
  const moves = modelMoves(states)
  const last = states.at(-1)!
  const lists = new Map<string, string[]>()
  for (const slug of new Set(states.flatMap((all) => [...all.keys()]))) {
    if (moves.has(slug)) continue
    const living = last.get(slug)
    const own = states.flatMap((all) => {
      const files = living
        ? [...all.values()].find((one) => idOf(one) === idOf(living))
        : all.get(slug)
      return files ?? []
    })
    const explain = (place: number): string => (place < keep ? 'served' : 'old')
    lists.set(slug, listStates(own, living ? explain : () => 'retired'))
  }
  return lists
}

/** Words of the reasons in a plan, and the model's word for each. */
const REASONS = [
  [/removed from the catalog/, 'retired'],
  [/no longer kept/, 'old'],
  [/^$/, 'served'],
] as const

test(`${HISTORIES} random histories: the lists equal those of a slow model`, () => {
  const folder = makeGitFolder()
  const histories = Array.from({ length: HISTORIES }, (_, seed) =>
    makeHistory(createDice(seed + 1), seed % 7),
  )
  const begins: number[] = []
  const commits: GivenCommit[] = []
  for (const made of histories) {
    const begin = commits.length
    begins.push(begin)
    for (const one of made.commits)
      commits.push({ ...one, parents: one.parents.map((place) => place + begin) })
  }
  const names = addCommits(folder, commits)
  for (const [seed, made] of histories.entries()) {
    const nameOf = (place: number): string => names[begins[seed]! + place]!
    let known: KnownHistory | undefined
    for (const line of made.lines) {
      const label = `history ${seed + 1}, ${line.join(' ')}`
      const since = nameOf(line[0]!)
      const [first, ...rest] = line.map((place) => ({
        id: nameOf(place),
        at: made.commits[place]!.at,
      }))
      const repository: MainLine = { folder, since, line: [first!, ...rest] }
      const { versions } = readHistory(repository, known && structuredClone(known))
      known = { since, head: nameOf(line.at(-1)!), versions }
      if (line === made.lines.at(-1)) {
        checkOut(folder, nameOf(line.at(-1)!))
        expect(openMainLine(folder, since), label).toMatchObject(repository)
        expect(readHistory(repository, undefined).versions, label).toEqual(versions)
      }
      const states = line.map((place) => made.snapshots[place]!)
      const keep = 1 + (seed % 3)
      const plan = planVersions(versions, {
        skills: new Map(Array.from(states.at(-1)!.keys(), (slug) => [slug, undefined])),
        moves: modelMoves(states),
        advisories: [],
        keep,
      })
      const lists = Array.from(plan, ([slug, rows]): [string, string[]] => [
        slug,
        rows.map(({ name, reason = '' }) =>
          name === undefined
            ? 'none'
            : `${name} ${REASONS.find(([words]) => words.test(reason))?.[1]}`,
        ),
      ])
      expect(Object.fromEntries(lists), label).toEqual(Object.fromEntries(modelLists(states, keep)))
    }
  }
})
