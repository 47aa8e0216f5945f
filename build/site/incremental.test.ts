import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  OWN_RECORD,
  SITE,
  SMALL_CONTENT,
  UPSTREAM_RECORD,
  skillMd,
} from '../../src/catalog/testing/content.ts'
import type { ContentFiles } from '../../src/catalog/testing/content.ts'
import { UNPACK_LIMITS } from '../../src/catalog/folder-files.ts'
import { renderProblem } from '../../src/catalog/problems.ts'
import { INDEX_NAME } from '../../src/search/format/layout.ts'
import { openIndex } from '../../src/search/read/open.ts'
import { askFor } from '../../testing/sample-documents.ts'
import { removeFolders } from '../../testing/sample-folders.ts'
import { runGitFor } from '../catalog/import/testing/sample-repository.ts'
import { createDice } from '../versions/testing/dice.ts'
import type { Dice } from '../versions/testing/dice.ts'
import type { BuildSummary } from './build.ts'
import { PROJECT_ROOT } from './settings.ts'
import { QUIET, TestSite } from './testing/test-site.ts'

/** Few skills, so that edits often interact and empty a list. With eight or more, neighbours change, too. */
const SKILLS = 6

const TODAY = '2026-11-26'

let site: TestSite
beforeAll(() => {
  site = new TestSite()
})
afterAll(removeFolders)

const build = (out: string, more: object = {}): Promise<BuildSummary> =>
  site.build({ today: TODAY, ...more }, out)

/** Builds after a pause, so that the content is older than the lag of a file system's clock. */
const buildLater = async (): Promise<BuildSummary> => {
  await pause(20)
  return build('dist')
}

const expectEqualTo = (out: string, label?: string): void => {
  const [dist, other] = [site.tree(), site.tree(out)]
  expect([...dist.keys()], label).toEqual([...other.keys()])
  // Pass only different files: comparing all texts with `toEqual` would take longer than reading them.
  const differing = [...dist].filter(([name, text]) => other.get(name) !== text)
  expect(differing, label).toEqual(differing.map(([name]) => [name, other.get(name)]))
}

/** Runs a clean build and expects `dist` to have the same files, byte for byte. */
const expectEqualToCleanBuild = async (label?: string): Promise<void> => {
  await build('clean', { isClean: true })
  expectEqualTo('clean', label)
}

const WORDS = 'tables plots csv review commits letters threats budget notes charts colour'.split(
  ' ',
)
const CATEGORIES = ['Coding', 'Writing', 'Data & Analytics', 'Design']
const AUTHORS = ['ann', 'Bob', 'bob', 'cleo']

const ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Chatham', 'Pacific/Kiritimati']

/** Runs a build with a random clock and time zone. */
const buildAnywhere = async (dice: Dice, out: string, more: object = {}): Promise<void> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + dice(5_000) * 86_400_000 })
  vi.stubEnv('TZ', pick(ZONES, dice))
  try {
    await build(out, more)
  } finally {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  }
}

const skillsFolder = (): string => join(site.content, 'skills')
const listSkills = (): string[] => readdirSync(skillsFolder()).sort()
const recordOf = (slug: string): string => join(skillsFolder(), slug, 'skill.json')
/** Whether a skill is gone and gets its name from its text. */
const isNamedByText = (slug: string): boolean =>
  /^(?!.*"name":).*"gone"/.test(readFileSync(recordOf(slug), 'utf8'))
/** Whether a skill can be in a starter set. */
const isWhole = (slug: string): boolean => !readFileSync(recordOf(slug), 'utf8').includes('"gone"')
const idOf = (slug: string): number =>
  (JSON.parse(readFileSync(recordOf(slug), 'utf8')) as { id: number }).id
const countersFile = (): string => join(site.content, 'counters.json')
const changeRecord = (slug: string, change: object): void => {
  const record = JSON.parse(readFileSync(recordOf(slug), 'utf8')) as object
  writeFileSync(recordOf(slug), JSON.stringify({ ...record, ...change }))
}

/** Makes no skill a copy of this skill by its record, before it leaves its slug. */
const forgetOriginal = (slug: string): void => {
  for (const one of listSkills()) {
    const record = readFileSync(recordOf(one), 'utf8')
    if (record.includes(`"copyOf":"${slug}"`)) changeRecord(one, { copyOf: undefined })
  }
}

interface Edit {
  dice: Dice
  /** An existing skill. */
  slug: string
  /** Unique in the run. */
  number: number
}

const pick = <Item>(items: readonly Item[], dice: Dice): Item => items[dice(items.length)] as Item

const GONE = { ...UPSTREAM_RECORD.source, status: 'gone', seen: '2025-05-05' }

/** All kinds of edits that authors and curators make. */
const EDITS_BY_NAME: Record<string, (edit: Edit) => void> = {
  add: ({ dice, number }) =>
    site.write({
      [`skills/new-${number}/skill.json`]: {
        ...OWN_RECORD,
        id: 1_000 + number,
        author: pick(AUTHORS, dice),
        description: `Makes ${pick(WORDS, dice)} of ${pick(WORDS, dice)}.`,
      },
      [`skills/new-${number}/SKILL.md`]: skillMd(
        `new-${number}`,
        `# ${pick(WORDS, dice)}\n\nText.`,
      ),
    }),
  remove: ({ slug }) => {
    forgetOriginal(slug)
    rmSync(join(skillsFolder(), slug), { recursive: true })
  },
  'a copy, by its text': ({ slug, number, dice }) => {
    const words = Array.from({ length: 60 }, (_, at) => `word-${number}-${at}`)
    for (const [at, one] of [slug, pick(listSkills(), dice)].entries()) {
      const text = words.slice(dice(2) * at).join(' ')
      changeRecord(one, { name: `copied ${number}`, description: 'One of two.' })
      writeFileSync(join(skillsFolder(), one, 'SKILL.md'), skillMd(one, text))
    }
  },
  'a copy, by its record': ({ slug, dice }) => {
    const other = pick(listSkills(), dice)
    forgetOriginal(slug)
    changeRecord(other, { copyOf: undefined })
    changeRecord(slug, { copyOf: other !== slug && other })
  },
  'no copy, by its record': ({ slug }) => changeRecord(slug, { copyOf: false }),
  retouch: ({ dice, slug, number }) =>
    writeFileSync(
      join(skillsFolder(), slug, 'SKILL.md'),
      skillMd(
        slug,
        `## Edit ${number}\n\nUse \`first-${dice(SKILLS)}\`.${'\u200B'.repeat(dice(2))}\n\n${`${pick(WORDS, dice)} `.repeat(2)}`,
      ),
    ),
  touch: ({ slug }) => utimesSync(recordOf(slug), 1e9, 1e9),
  'other category': ({ slug, dice }) => changeRecord(slug, { category: pick(CATEGORIES, dice) }),
  'other author': ({ slug, dice }) => changeRecord(slug, { author: pick(AUTHORS, dice) }),
  gone: ({ slug }) =>
    changeRecord(slug, {
      name: slug,
      description: 'It was here.',
      source: GONE,
    }),
  'gone, with a name from its text': ({ slug, number }) => {
    changeRecord(slug, { name: undefined, description: undefined, source: GONE })
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd(`gone-${number}`))
  },
  'one counter': ({ slug, dice }) => {
    const counters = JSON.parse(readFileSync(countersFile(), 'utf8')) as object
    const count = { views: dice(5_000), installs: dice(4_000) }
    writeFileSync(countersFile(), JSON.stringify({ ...counters, [idOf(slug)]: count }))
  },
  'another name in the text of a gone skill': ({ number }) => {
    for (const slug of listSkills().filter(isNamedByText))
      writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd(`gone-${number}`))
  },
  'a starter set': () =>
    site.write({ 'site.json': { ...SITE, starter: listSkills().filter(isWhole) } }),
  'a text in the starter set': (edit) =>
    EDITS_BY_NAME['retouch']?.({ ...edit, slug: listSkills().find(isWhole) ?? '' }),
  'other description': ({ slug, dice }) =>
    changeRecord(slug, { description: `Plots ${pick(WORDS, dice)} of ${pick(WORDS, dice)}.` }),
  'other day': ({ slug, dice }) =>
    changeRecord(slug, { updated: dice(2) === 0 ? undefined : `2026-0${1 + dice(9)}-02` }),
  'other name': ({ slug, dice }) => changeRecord(slug, { name: pick(WORDS, dice) }),
  'other asks': ({ slug, dice }) =>
    changeRecord(slug, { parts: { examples: [`my ${pick(WORDS, dice)} are late`] } }),
  'other difficulty': ({ slug, dice }) =>
    changeRecord(slug, { difficulty: pick(['Beginner', 'Advanced'], dice) }),
  'two alike': ({ slug, number, dice }) => {
    const other = pick(listSkills(), dice)
    for (const [at, one] of [slug, other].entries())
      changeRecord(one, {
        name: `sort-odd${number}`,
        author: AUTHORS[at],
        description: `Sorts odd${number} things${number} with care${number}; or use first-3 instead.`,
      })
  },
  'renamed and retold': ({ slug, number, dice }) => {
    forgetOriginal(slug)
    changeRecord(slug, { name: `${pick(WORDS, dice)} ${number}`, category: pick(CATEGORIES, dice) })
    renameSync(join(skillsFolder(), slug), join(skillsFolder(), `retold-${number}`))
  },
  'several at once': ({ dice, number }) => {
    for (const name of ['other name', 'other category', 'one counter', 'retouch', 'remove', 'add'])
      EDITS_BY_NAME[name]?.({ dice, slug: pick(listSkills(), dice), number })
  },
  'a new file': ({ slug, number }) =>
    site.write({ [`skills/${slug}/references/${number}.md`]: `# ${number}\n` }),
  'a file for a folder': ({ slug }) => {
    rmSync(join(skillsFolder(), slug, 'references'), { recursive: true, force: true })
    writeFileSync(join(skillsFolder(), slug, 'references'), 'text')
  },
  'a folder for a file': ({ slug, number }) => {
    rmSync(join(skillsFolder(), slug, 'references'), { recursive: true, force: true })
    site.write({ [`skills/${slug}/references/${number}.md`]: `# ${number}\n` })
  },
  'ids swapped': ({ slug, dice }) => {
    const other = pick(listSkills(), dice)
    const [mine, its] = [idOf(slug), idOf(other)]
    changeRecord(slug, { id: its })
    changeRecord(other, { id: mine })
  },
  'other executable bits': ({ slug }) => {
    const file = join(skillsFolder(), slug, 'SKILL.md')
    chmodSync(file, statSync(file).mode ^ 0o111)
  },
  'a post': ({ number }) =>
    site.write({
      [`blog/post-${number % 3}.md`]: `---\ntitle: T${number}\ndescription: D\ndate: 2026-01-01\n---\nText ${number}.\n`,
    }),
}

/** The records and texts of `count` skills. */
const writeSkills = (start: string, firstId: number, count: number): ContentFiles =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      [`skills/${start}-${index}/skill.json`, { ...OWN_RECORD, id: firstId + index }],
      [
        `skills/${start}-${index}/SKILL.md`,
        skillMd(`${start}-${index}`, `## İ\n\n1. ${index}\n\n*é* ı`),
      ],
    ]).flat(),
  )

const FIRST_CONTENT = {
  ...SMALL_CONTENT,
  'counters.json': {},
  ...writeSkills('first', 100, SKILLS),
}

/** The environment of another machine, whose clock is years ahead, and which lists folders in reverse order. */
const ELSEWHERE: NodeJS.ProcessEnv = {
  TZ: 'Pacific/Chatham',
  LC_ALL: 'tr_TR.UTF-8',
  LANG: 'tr_TR.UTF-8',
  SOURCE_DATE_EPOCH: String(Date.parse(TODAY) / 1_000),
  NODE_OPTIONS: `--import=${new URL('testing/another-machine.ts', import.meta.url).href}`,
}

const KINDS = Object.keys(EDITS_BY_NAME)
/** Each kind of edit once, then random kinds. `EDITS=200 npx vitest run incremental` is the thorough run. */
const EDITS = Number(process.env['EDITS'] ?? KINDS.length)

test(`an incremental build equals a clean one: ${EDITS} edits, each two with a build of another clock and time zone; then by another process`, async () => {
  site.write(FIRST_CONTENT)
  await build('dist')
  const dice = createDice(7)
  for (let number = 0; number < EDITS; number += 1) {
    const name = KINDS[number] ?? pick(KINDS, dice)
    // Do not add a file below a path that is already a file.
    const fit = listSkills().filter(
      (one) =>
        name !== 'a new file' ||
        !statSync(join(skillsFolder(), one, 'references'), { throwIfNoEntry: false })?.isFile(),
    )
    // A starter set must not name a skill that the edit removes.
    if (!name.includes('starter')) site.write({ 'site.json': SITE })
    EDITS_BY_NAME[name]?.({ dice, slug: pick(fit, dice), number })
    if (number % 2 === 0) continue
    await buildAnywhere(dice, 'dist')
    await buildAnywhere(dice, 'clean', { isClean: true })
    expectEqualTo('clean', `edit ${number}: ${name}, or the one before it`)
  }
  // Enough skills for lists with several pages, and for threads.
  site.write(writeSkills('more', 9_000, 300))
  await build('dist', { workers: 1 })
  const { contentFolder: CONTENT_DIR, outputFolder: OUT_DIR } = site.settings('elsewhere')
  const SITE_URL = site.settings().siteUrl
  const program = [join(PROJECT_ROOT, 'build/site/main.mjs'), '--workers', '2']
  const env = { ...process.env, ...ELSEWHERE, CONTENT_DIR, OUT_DIR, SITE_URL }
  execFileSync(process.execPath, program, { env, stdio: 'pipe' })
  expectEqualTo('elsewhere')
})

const setText = (text: string) =>
  site.write({ 'skills/first-0/SKILL.md': skillMd('first-0', text) })
const count = (installs: number) => site.write({ 'counters.json': { 100: { views: 9, installs } } })

describe('of six skills', () => {
  beforeEach(async () => {
    rmSync(site.content, { recursive: true })
    site.write(FIRST_CONTENT)
    await pause(20)
  })

  test('a skill is edited during a build and the edit is undone -> the next build is correct', async () => {
    await build('dist')
    const text = join(skillsFolder(), 'first-0/SKILL.md')
    writeFileSync(text, skillMd('first-0', 'Kept.'))
    const stage = (name: string): void => {
      if (name === 'Printing skills') writeFileSync(text, skillMd('first-0', 'Undone.'))
    }
    await site.build({ today: TODAY }, 'dist', { ...QUIET, stage })
    expect(site.read('public/skills/first-0/SKILL.md')).toContain('Undone.')
    writeFileSync(text, skillMd('first-0', 'Kept.'))
    await build('dist')
    await expectEqualToCleanBuild()
  })

  test('a day passed -> the post of that day is published, without other changes of the content', async () => {
    site.write({ 'blog/launch.md': '---\ntitle: L\ndescription: D\ndate: 2027-03-01\n---\nText\n' })
    await build('dist', { today: '2027-02-28' })
    expect(site.tree().has('public/blog/launch.md')).toBe(false)
    expect(await build('dist', { today: '2027-02-28' })).toMatchObject({ written: 0 })
    await build('dist', { today: '2027-03-01' })
    expect(site.tree().has('public/blog/launch.md')).toBe(true)
  })

  test.each<[string, (folder: string) => void]>([
    ['a broken link', (folder) => symlinkSync('nowhere', join(folder, 'x.md'))],
    ['a pipe', (folder) => execFileSync('mkfifo', [join(folder, 'x')])],
    [
      'many files',
      (folder) => {
        for (let at = 0; at <= UNPACK_LIMITS.files; at += 1)
          writeFileSync(join(folder, `${at}`), '')
      },
    ],
  ])('%s beside the files of a built skill -> refused, as by a clean build', async (_, change) => {
    await build('dist')
    change(join(skillsFolder(), 'first-0'))
    const failure = await site.tryBuild({ today: TODAY })
    expect(failure).toMatch(/^skills\/first-0/)
    expect(await site.tryBuild({ today: TODAY, isClean: true })).toBe(failure)
  })

  test('none, one, none again -> equals a clean build; nothing is written twice, or for a new fingerprint', async () => {
    for (const files of [{}, SMALL_CONTENT, {}]) {
      rmSync(skillsFolder(), { recursive: true, force: true })
      site.write({ 'site.json': SITE, ...files })
      await buildLater()
      await expectEqualToCleanBuild()
      for (const slug of Object.keys(files).length > 0 ? listSkills() : [])
        utimesSync(recordOf(slug), 1e9, 1e9)
      expect(await buildLater()).toMatchObject({ written: 0, removed: 0 })
    }
  })

  test.each([
    [
      'a text -> page, twin, JSON, raw file, zip and index, three tables of zips, three lists',
      12,
      () => setText('One.'),
      () => setText('Two.'),
    ],
    [
      'its frequent words -> also the search index',
      13,
      () => setText('Tables by ledger.'),
      () => setText('Ledger by ledger.'),
    ],
    [
      'a large counter, by a little -> search index and JSON, which have the exact number',
      2,
      () => count(12_000),
      () => count(12_700),
    ],
  ])('changed: %s: %i files', async (_, written, set, change) => {
    set()
    await buildLater()
    change()
    expect(await buildLater()).toMatchObject({ written, removed: 0 })
    await expectEqualToCleanBuild()
  })

  test('asks of a record -> the search finds the first six that are short; those of an author’s files are not asks', async () => {
    const examples = ['my zebra is late', `${'long '.repeat(20)}gnu`, ...'abcdef', 'quagga']
    changeRecord('first-1', { parts: { examples } })
    const stuffed = `---\nname: first-2\ndescription: Stuffed.\nexamples: [okapi]\nasks: [okapi]\nparts: {examples: [okapi]}\n---\n`
    writeFileSync(join(skillsFolder(), 'first-2/SKILL.md'), stuffed)
    await buildLater()
    const index = openIndex(new Uint8Array(readFileSync(site.path(INDEX_NAME))))
    const find = (q: string) => index.findPage(askFor({ q })).rows.map(({ slug }) => slug)
    expect(find('late zebra')).toEqual(['first-1'])
    expect(['okapi', 'quagga', 'gnu'].flatMap(find)).toEqual([])
    expect(site.read('public/skills/first-2.md')).not.toContain('## Example prompts')
    await expectEqualToCleanBuild()
  })

  test('an executable bit in git that the disk does not store -> page and zip have it, and follow its changes', async () => {
    const file = join(skillsFolder(), 'first-0/SKILL.md')
    const zip = `public/api/skills/download/${idOf('first-0')}`
    await build('dist')
    const plain = site.tree().get(zip)
    runGitFor(site.root, ['init', '--quiet'])
    runGitFor(site.root, ['config', 'core.fileMode', 'false'])
    runGitFor(site.root, ['add', 'content'])
    try {
      for (const [change, isPlain] of [
        ['--chmod=+x', false],
        // Without an entry in the index, the bit on the disk counts again.
        ['--force-remove', true],
      ] as const) {
        runGitFor(site.root, ['update-index', change, file])
        const { written } = await buildLater()
        expect(written).toBeGreaterThan(0)
        expect(site.tree().get(zip) === plain).toBe(isPlain)
        await expectEqualToCleanBuild(change)
        expect(await buildLater()).toMatchObject({ written: 0, removed: 0 })
      }
      writeFileSync(join(site.root, '.git/HEAD'), 'none')
      const { warnings } = await build('clean', { isClean: true })
      expect(warnings.map(renderProblem)).toEqual([
        expect.stringContaining('executable bits were read from this disk, not from git'),
      ])
    } finally {
      rmSync(join(site.root, '.git'), { recursive: true })
    }
  })
})
