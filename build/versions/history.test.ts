import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openMainLine } from './git.ts'
import type { MainLine } from './git.ts'
import type { KnownHistory } from './read.ts'
import { readHistory } from './read.ts'
import { planVersions } from './plan.ts'
import type { CurrentSkill } from './plan.ts'
import { addCommits, checkOut, makeGitFolder } from './testing/repository.ts'
import type { GivenCommit, GivenFile } from './testing/repository.ts'

// Compares random histories with a model that does not use git: it looks at the files that the test put into each
// commit.

/** `HISTORIES=500 npx vitest run build/versions/history` is the thorough run. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 50)
const COMMITS = 14
const DAY = 86_400
const START = 1_780_000_000

type Dice = (sides: number) => number

const createDice = (seed: number): Dice => {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** The folders of `skills/` by slug. Each maps paths to files. */
type Snapshot = ReadonlyMap<string, ReadonlyMap<string, GivenFile>>

const renderRecord = (id: number, note: number): string => JSON.stringify({ id, note })

const idOf = (files: ReadonlyMap<string, GivenFile>): number =>
  (JSON.parse(files.get('skill.json') as string) as { id: number }).id

const SLUGS = ['ash', 'birch', 'cedar', 'ash-2', 'elm', 'a1b2c3d4e5f6']

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

/** Edits of a snapshot; `past` has the earlier snapshots. */
const EDITS: ((next: Map<string, Map<string, GivenFile>>, dice: Dice, past: Snapshot[]) => void)[] =
  [
    // Files of a skill change.
    (next, dice) => {
      for (const files of pick(next, dice)) files.set(NAMES[dice(8)]!, FILES[dice(3)]!(dice))
    },
    (next, dice) => {
      for (const files of pick(next, dice)) files.set(NAMES[dice(8)]!, FILES[dice(3)]!(dice))
    },
    (next, dice) => {
      for (const files of pick(next, dice)) files.delete(NAMES[1 + dice(7)]!)
    },
    (next, dice) => {
      for (const files of pick(next, dice))
        files.set('link', { mode: '120000', text: `notes.md${dice(2)}` })
    },
    (next, dice) => {
      for (const files of pick(next, dice)) files.delete('link')
    },
    // Only the record changes.
    (next, dice) => {
      for (const files of pick(next, dice))
        files.set('skill.json', renderRecord(idOf(files), dice(99)))
    },
    // A skill moves and keeps its id.
    (next, dice) => {
      const [slug] = [...next.keys()].slice(dice(next.size))
      const to = SLUGS[dice(SLUGS.length)]!
      if (slug === undefined || next.has(to)) return
      next.set(to, next.get(slug)!)
      next.delete(slug)
    },
    (next, dice) => {
      const [slug] = [...next.keys()].slice(dice(next.size))
      if (slug !== undefined) next.delete(slug)
    },
    // Everything is reverted to an earlier snapshot.
    (next, dice, past) => {
      const before = past[dice(past.length)]
      if (!before || isSwapped(before, next)) return
      next.clear()
      for (const [slug, files] of before) next.set(slug, new Map(files))
    },
  ]

/** Whether a slug passes to another skill from one commit to the next, which does not happen in a real catalog. */
const isSwapped = (before: Snapshot, after: Snapshot): boolean =>
  [...after].some(([slug, files]) => {
    const old = before.get(slug)
    return old !== undefined && idOf(old) !== idOf(files)
  })

const pick = (next: Map<string, Map<string, GivenFile>>, dice: Dice): Map<string, GivenFile>[] =>
  [...next.values()].slice(dice(2) * dice(next.size)).slice(0, 1)

const addSkill = (next: Map<string, Map<string, GivenFile>>, dice: Dice, id: number): void => {
  const slug = SLUGS[dice(SLUGS.length)]!
  if (next.has(slug)) return
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
  for (let id = 1; id <= 3; id += 1) addSkill(first, dice, id)
  line.push(commit(first, []))
  for (let count = 1; count < COMMITS; count += 1) {
    const last = line.at(-1)!
    const past = line.map((place) => made.snapshots[place]!)
    const edit = (from: Snapshot): Snapshot => {
      const next = copy(from)
      if (dice(6) === 0) addSkill(next, dice, 10 + made.commits.length)
      else EDITS[dice(EDITS.length)]!(next, dice, past)
      return next
    }
    if (dice(6) === 0) {
      // A side branch of two commits: only the merge is on the main line.
      const one = commit(edit(made.snapshots[last]!), [last])
      const two = commit(edit(made.snapshots[one]!), [one])
      const merged = isSwapped(made.snapshots[last]!, made.snapshots[two]!) ? last : two
      line.push(commit(made.snapshots[merged]!, [last, two]))
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
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The files of a version as text, which also distinguishes versions without a name. */
const showFiles = (files: ReadonlyMap<string, GivenFile>): string =>
  JSON.stringify([...files].filter(([path]) => !isLeftOut(path)).sort())

/** The model's list for every slug: `name standing` for each version, newest first. */
const modelLists = (
  line: readonly number[],
  { snapshots, commits }: MadeHistory,
  { keep, days }: { keep: number; days: number },
  today: number,
): Map<string, string[]> => {
  const last = snapshots[line.at(-1)!]!
  const lists = new Map<string, string[]>()
  const published = new Map<string, Map<string, string>>()
  const states = line.map((place) => ({ files: snapshots[place]!, at: commits[place]!.at }))
  for (const [slug, files] of last) {
    const id = idOf(files)
    // The state of this id after each commit.
    const past = states.flatMap(({ files: all, at }) => {
      // If two folders had the same id, neither would own it; this test makes no such history.
      const found = [...all.values()].find((one) => idOf(one) === id)
      return found ? [{ shown: showFiles(found), name: nameFiles(found), at }] : []
    })
    const order = past
      .toReversed()
      .filter(({ shown }, at, all) => all.findIndex((one) => one.shown === shown) === at)
    const current = new Set<string>()
    for (let day = today - days; day < today; day += 1) {
      const state = past.findLast(({ at }) => Math.floor(at / DAY) <= day)
      if (state) current.add(state.shown)
    }
    const named = order.filter(({ name }) => name !== 'a link')
    lists.set(
      slug,
      order.map((one) => {
        if (one.name === 'a link') return 'none'
        const isServed = one === order[0] || named.indexOf(one) < keep || current.has(one.shown)
        return `${one.name} ${isServed ? 'served' : 'dropped'}`
      }),
    )
  }
  // If a slug belonged to another skill before, the names that its own list lacks are moved or retired.
  const past: { id: number; name: string }[] = []
  for (const { files: all } of states) {
    past.push(...Array.from(all.values(), (one) => ({ id: idOf(one), name: nameFiles(one) })))
    for (const [slug, files] of all) {
      const id = idOf(files)
      const now = [...last].find(([, one]) => idOf(one) === id)?.[0]
      if (now === slug) continue
      const known = published.get(slug) ?? new Map<string, string>()
      // Including the versions that the skill had below other slugs, because they were listed here.
      for (const { name } of past.filter((one) => one.id === id && one.name !== 'a link'))
        // If two skills had the name, a skill that still exists wins over a retired skill, and then the later skill.
        if (now !== undefined || !known.has(name) || known.get(name) === 'retired')
          known.set(name, now === undefined ? 'retired' : `moved ${now}`)
      published.set(slug, known)
    }
  }
  for (const [slug, known] of published) {
    const own = lists.get(slug) ?? []
    const names = new Set(own.map((row) => row.split(' ')[0]))
    const others = [...known].filter(([name]) => !names.has(name)).map((row) => row.join(' '))
    if (own.length + others.length > 0) lists.set(slug, [...own, ...others.sort()])
  }
  return lists
}

/** The retention settings, by the number of a history. */
const keepingOf = (seed: number) => ({ keep: 1 + (seed % 2), days: [0, 1, 3, 20][seed % 4]! })

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
      const last = made.snapshots[line.at(-1)!]!
      const skills = new Map<string, CurrentSkill>(
        Array.from(last, ([slug, files]) => [slug, { id: idOf(files) }]),
      )
      const today = Math.floor(made.commits[line.at(-1)!]!.at / DAY) + (seed % 3)
      const day = new Date(today * DAY * 1_000).toISOString().slice(0, 10)
      const plan = planVersions(versions, skills, keepingOf(seed), day)
      const lists = Array.from(plan, ([slug, rows]): [string, string[]] => {
        const own = rows.filter(({ standing }) => /served|dropped/.test(standing))
        const others = rows.filter((row) => !own.includes(row))
        return [
          slug,
          [
            ...own.map(({ name, standing }) =>
              name === undefined ? 'none' : `${name} ${standing}`,
            ),
            ...others
              .map(({ name, standing, to }) => [name, standing, to ?? []].flat().join(' '))
              .sort(),
          ],
        ]
      })
      const model = modelLists(line, made, keepingOf(seed), today)
      expect(Object.fromEntries(lists.filter(([, rows]) => rows.length > 0)), label).toEqual(
        Object.fromEntries(model),
      )
    }
  }
}, 300_000)
