import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  OWN_RECORD,
  SITE,
  SMALL_CONTENT,
  UPSTREAM_RECORD,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { FILE_LIMIT, UNPACK_LIMITS } from '../../src/catalog/folder-files.ts'
import { ContentError, renderProblem } from '../../src/catalog/problems.ts'
import { INDEX_NAME, openIndex } from '../../src/search/index.ts'
import { askFor } from '../../testing/sample-documents.ts'
import { runGitFor } from '../catalog/import/testing/sample-repository.ts'
import { buildSite } from './build.ts'
import type { BuildSummary } from './build.ts'
import type { Progress } from '../machine/progress.ts'

/** Each kind of edit once, then random kinds. `EDITS=200 npx vitest run incremental` is the thorough run. */
const EDITS = Number(process.env['EDITS'] ?? 52)
/** Few skills, so that edits often interact and empty a list. With eight or more, neighbours change, too. */
const SKILLS = 6

// Without the real progress, which measures CPU time: that took 3 % of the run.
const quiet: Progress = {
  stage: () => undefined,
  step: () => undefined,
  end: () => undefined,
  abort: () => undefined,
  timings: () => [],
}

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-incremental-'))
  mkdirSync(join(root, 'content'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const settingsOf = (out: string) => ({
  contentFolder: join(root, 'content'),
  outputFolder: join(root, out),
  siteUrl: 'https://registry.example',
})

const build = (out: string, more: object = {}): Promise<BuildSummary> =>
  buildSite({ ...settingsOf(out), ...more }, quiet)

/** Builds after a pause, so that the content is older than the lag of a file system's clock. */
const buildLater = async (): Promise<BuildSummary> => {
  await pause(20)
  return build('dist')
}

const folderOf = (out: string): string => join(root, out, 'current')

const listTree = (out: string): string[] => {
  const folder = realpathSync(folderOf(out))
  // Unlike a glob, this includes folders whose names start with a dot.
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort()
}

const read = (out: string, name: string): Buffer => readFileSync(join(folderOf(out), name))

const readTree = (out: string): Map<string, string> =>
  new Map(listTree(out).map((name) => [name, read(out, name).toString('latin1')]))

/** Runs a clean build and expects `dist` to have the same files, byte for byte. */
const expectEqualToCleanBuild = async (label?: string): Promise<void> => {
  await build('clean', { isClean: true })
  const names = listTree('dist')
  expect(names, label).toEqual(listTree('clean'))
  const others = names.filter((name) => !read('dist', name).equals(read('clean', name)))
  // Pass only different files: comparing all texts with `toEqual` would take longer than reading them.
  expect(
    others.map((name) => [name, String(read('dist', name))]),
    label,
  ).toEqual(others.map((name) => [name, String(read('clean', name))]))
}

/** A seeded random number generator. */
const createDice = (seed: number): ((sides: number) => number) => {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const WORDS = 'tables plots csv review commits letters threats budget notes charts colour'.split(
  ' ',
)
const CATEGORIES = ['Coding', 'Writing', 'Data & Analytics', 'Design']
const AUTHORS = ['ann', 'Bob', 'bob', 'cleo']

const skillsFolder = (): string => join(root, 'content/skills')
const listSkills = (): string[] => readdirSync(skillsFolder()).sort()
const recordOf = (slug: string): string => join(skillsFolder(), slug, 'skill.json')
const idOf = (slug: string): number =>
  (JSON.parse(readFileSync(recordOf(slug), 'utf8')) as { id: number }).id
const countersFile = (): string => join(root, 'content/counters.json')
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
  dice: (sides: number) => number
  /** An existing skill. */
  slug: string
  /** Unique in the run. */
  number: number
}

const pick = <Item>(items: readonly Item[], dice: Edit['dice']): Item =>
  items[dice(items.length)] as Item

const write = (path: string, text: string): void => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

/** All kinds of edits that authors and curators make. */
const EDITS_BY_NAME: Record<string, (edit: Edit) => void> = {
  add: ({ dice, number }) =>
    writeFiles(join(root, 'content'), {
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
  rename: ({ slug, number }) => {
    forgetOriginal(slug)
    renameSync(join(skillsFolder(), slug), join(skillsFolder(), `moved-${number}`))
  },
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
  'other words': ({ slug, dice }) =>
    changeRecord(slug, {
      name: `${pick(WORDS, dice)} ${pick(WORDS, dice)}`,
      updated: `2026-0${1 + dice(9)}-01`,
    }),
  gone: ({ slug }) =>
    changeRecord(slug, {
      name: slug,
      description: 'It was here.',
      source: { ...UPSTREAM_RECORD.source, status: 'gone', seen: '2025-05-05' },
    }),
  'gone, with a name from its text': ({ slug, number }) => {
    const {
      name: _name,
      description: _description,
      ...record
    } = JSON.parse(readFileSync(recordOf(slug), 'utf8')) as Record<string, unknown>
    const source = { ...UPSTREAM_RECORD.source, status: 'gone', seen: '2025-05-05' }
    writeFileSync(recordOf(slug), JSON.stringify({ ...record, source }))
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd(`gone-${number}`))
  },
  counters: ({ slug, dice }) => {
    const counters = { [idOf(slug)]: { views: dice(5_000), installs: dice(3) * dice(4_000) } }
    writeFileSync(countersFile(), JSON.stringify(counters))
  },
  'one counter': ({ slug, dice }) => {
    const counters = JSON.parse(readFileSync(countersFile(), 'utf8')) as object
    const count = { views: dice(5_000), installs: dice(4_000) }
    writeFileSync(countersFile(), JSON.stringify({ ...counters, [idOf(slug)]: count }))
  },
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
    write(join(skillsFolder(), slug, `references/${number}.md`), `# ${number}\n`),
  'a file for a folder': ({ slug }) => {
    rmSync(join(skillsFolder(), slug, 'references'), { recursive: true, force: true })
    writeFileSync(join(skillsFolder(), slug, 'references'), 'text')
  },
  'a folder for a file': ({ slug, number }) => {
    rmSync(join(skillsFolder(), slug, 'references'), { recursive: true, force: true })
    write(join(skillsFolder(), slug, `references/${number}.md`), `# ${number}\n`)
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
    write(
      join(root, `content/blog/post-${number % 3}.md`),
      `---\ntitle: T${number}\ndescription: D\ndate: 2026-01-01\n---\nText ${number}.\n`,
    ),
}

const FIRST_CONTENT = {
  ...SMALL_CONTENT,
  'counters.json': {},
  ...Object.fromEntries(
    Array.from({ length: SKILLS }, (_, index) => [
      [`skills/first-${index}/skill.json`, { ...OWN_RECORD, id: 100 + index }],
      [`skills/first-${index}/SKILL.md`, skillMd(`first-${index}`)],
    ]).flat(),
  ),
}

describe('an incremental build equals a clean one', () => {
  test(`${EDITS} edits`, async () => {
    writeFiles(join(root, 'content'), FIRST_CONTENT)
    await build('dist')
    const dice = createDice(7)
    const names = Object.keys(EDITS_BY_NAME)
    for (let number = 0; number < EDITS; number += 1) {
      const name = number < names.length ? (names[number] ?? '') : pick(names, dice)
      // Do not add a file below a path that is already a file.
      const fit = listSkills().filter(
        (one) =>
          name !== 'a new file' ||
          !statSync(join(skillsFolder(), one, 'references'), { throwIfNoEntry: false })?.isFile(),
      )
      EDITS_BY_NAME[name]?.({ dice, slug: pick(fit, dice), number })
      await build('dist')
      // Check after each kind of edit, then after every third edit: a clean build is slower than an incremental build.
      if (number < names.length || number % 3 === 0)
        await expectEqualToCleanBuild(`edit ${number}: ${name}`)
    }
    await expectEqualToCleanBuild('the last edit')
  })

  test('the unpublished text of a gone skill changes its name -> its page shows the new name', async () => {
    const slug = 'first-0'
    rmSync(skillsFolder(), { recursive: true, force: true })
    writeFiles(join(root, 'content'), FIRST_CONTENT)
    const source = { ...UPSTREAM_RECORD.source, status: 'gone', seen: '2025-05-05' }
    writeFileSync(recordOf(slug), JSON.stringify({ ...OWN_RECORD, id: 100, source }))
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd('before'))
    await build('dist')
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd('after'))
    await build('dist')
    expect(readTree('dist').get(`public/skills/${slug}.md`)).toContain('Does after.')
    await expectEqualToCleanBuild()
  })

  test('a skill is edited during a build and the edit is undone -> the next build is correct', async () => {
    rmSync(skillsFolder(), { recursive: true, force: true })
    writeFiles(join(root, 'content'), FIRST_CONTENT)
    await build('dist')
    const text = join(skillsFolder(), 'first-0/SKILL.md')
    writeFileSync(text, skillMd('first-0', 'Kept.'))
    const stage = (name: string): void => {
      if (name === 'Printing skills') writeFileSync(text, skillMd('first-0', 'Undone.'))
    }
    await buildSite(settingsOf('dist'), { ...quiet, stage })
    expect(readTree('dist').get('public/skills/first-0/SKILL.md')).toContain('Undone.')
    writeFileSync(text, skillMd('first-0', 'Kept.'))
    await build('dist')
    await expectEqualToCleanBuild()
  })

  test('nothing changed -> nothing is written; a folder with a new fingerprint is only read', async () => {
    await buildLater()
    expect(await buildLater()).toMatchObject({ written: 0, removed: 0 })
    utimesSync(recordOf(listSkills()[0] ?? ''), 1e9, 1e9)
    expect(await buildLater()).toMatchObject({ written: 0, removed: 0 })
  })

  test('a day passed -> the post of that day is published, without other changes of the content', async () => {
    writeFiles(join(root, 'content'), {
      'blog/launch.md': '---\ntitle: L\ndescription: D\ndate: 2027-03-01\n---\nText\n',
    })
    const page = join(root, 'dist/public/blog/launch.md')
    await build('dist', { today: '2027-02-28' })
    expect(existsSync(page)).toBe(false)
    expect(await build('dist', { today: '2027-02-28' })).toMatchObject({ written: 0 })
    await build('dist', { today: '2027-03-01' })
    expect(existsSync(page)).toBe(true)
    rmSync(join(root, 'content/blog/launch.md'))
  })

  test.each<[string, (folder: string) => void]>([
    ['a broken link', (folder) => symlinkSync('nowhere', join(folder, 'x.md'))],
    ['a link out of the skill', (folder) => symlinkSync('/etc/hostname', join(folder, 'x.md'))],
    ['an odd name', (folder) => writeFileSync(join(folder, 'x\r'), '')],
    ['a large file', (folder) => writeFileSync(join(folder, 'x'), Buffer.alloc(FILE_LIMIT + 1))],
    ['a long path', (folder) => mkdirSync(join(folder, 'x/'.repeat(66)), { recursive: true })],
    ['a pipe', (folder) => execFileSync('mkfifo', [join(folder, 'x')])],
    [
      'many files',
      (folder) => {
        for (let at = 0; at <= UNPACK_LIMITS.files; at += 1)
          writeFileSync(join(folder, `${at}`), '')
      },
    ],
  ])('%s beside the files of a built skill -> refused, as by a clean build', async (_, change) => {
    rmSync(skillsFolder(), { recursive: true, force: true })
    writeFiles(join(root, 'content'), FIRST_CONTENT)
    await build('dist')
    change(join(skillsFolder(), 'first-0'))
    await expect(build('dist')).rejects.toThrow(ContentError)
    await expect(build('clean', { isClean: true })).rejects.toThrow(ContentError)
    rmSync(skillsFolder(), { recursive: true, force: true })
  })

  test('no skills, one skill, none again -> equals a clean build, and nothing is written twice', async () => {
    rmSync(skillsFolder(), { recursive: true, force: true })
    for (const files of [{}, SMALL_CONTENT, {}]) {
      rmSync(skillsFolder(), { recursive: true, force: true })
      writeFiles(join(root, 'content'), files)
      await buildLater()
      await expectEqualToCleanBuild()
      expect(await buildLater()).toMatchObject({ written: 0, removed: 0 })
    }
  })

  test('a text changed -> writes its page, twin, JSON, raw file, zip and index, three tables of zips and three lists', async () => {
    writeFiles(join(root, 'content'), FIRST_CONTENT)
    const slug = 'first-0'
    changeRecord(slug, { ...OWN_RECORD, id: idOf(slug) })
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd(slug, 'One.'))
    await buildLater()
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd(slug, 'Two.'))
    expect(await buildLater()).toMatchObject({ written: 12, removed: 0 })
    await expectEqualToCleanBuild()
  })

  test('a text changed in its frequent words -> the search index is also written', async () => {
    const slug = 'first-0'
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd(slug, 'Tables by ledger.'))
    await buildLater()
    writeFileSync(join(skillsFolder(), slug, 'SKILL.md'), skillMd(slug, 'Ledger by ledger.'))
    expect(await buildLater()).toMatchObject({ written: 13, removed: 0 })
    await expectEqualToCleanBuild()
  })

  test('asks of a record -> the search finds them, and the page shows them; those of an author’s files are neither', async () => {
    rmSync(join(root, 'content'), { recursive: true })
    writeFiles(join(root, 'content'), FIRST_CONTENT)
    const unread = ['more', 'more', 'more', 'more', 'more', 'more', 'quagga']
    const examples = ['my zebra is late', `${'long '.repeat(20)}gnu`, ...unread]
    changeRecord('first-1', { parts: { examples } })
    const stuffed = `---\nname: first-2\ndescription: Stuffed.\nexamples: [okapi]\nasks: [okapi]\nparts: {examples: [okapi]}\n---\n`
    writeFileSync(join(skillsFolder(), 'first-2/SKILL.md'), stuffed)
    await buildLater()
    const index = openIndex(new Uint8Array(read('dist', INDEX_NAME)))
    const find = (q: string) => index.findPage(askFor({ q })).rows.map(({ slug }) => slug)
    expect(find('late zebra')).toEqual(['first-1'])
    expect(['okapi', 'quagga', 'gnu'].flatMap(find)).toEqual([])
    const pages = ['first-1', 'first-2'].map((slug) => read('dist', `public/skills/${slug}.md`))
    expect(pages.map((page) => page.includes('## Example prompts\n\n- my zebra is late'))).toEqual([
      true,
      false,
    ])
    await expectEqualToCleanBuild()
  })

  test('an executable bit in git that the disk does not store -> page and zip have it, and follow its changes', async () => {
    const file = join(skillsFolder(), 'first-0/SKILL.md')
    const zip = `public/api/skills/download/${idOf('first-0')}`
    const plain = readTree('dist').get(zip)
    runGitFor(root, ['init', '--quiet'])
    runGitFor(root, ['config', 'core.fileMode', 'false'])
    runGitFor(root, ['add', 'content'])
    try {
      for (const [change, isPlain] of [
        ['--chmod=+x', false],
        ['--chmod=-x', true],
        ['--chmod=+x', false],
        // Without an entry in the index, the bit on the disk counts again.
        ['--force-remove', true],
      ] as const) {
        runGitFor(root, ['update-index', change, file])
        const { written } = await buildLater()
        expect(written).toBeGreaterThan(0)
        expect(readTree('dist').get(zip) === plain).toBe(isPlain)
        await expectEqualToCleanBuild(change)
        expect(await buildLater()).toMatchObject({ written: 0, removed: 0 })
      }
      writeFileSync(join(root, '.git/HEAD'), 'none')
      const { warnings } = await build('clean', { isClean: true })
      expect(warnings.map(renderProblem)).toEqual([
        expect.stringContaining('executable bits were read from this disk, not from git'),
      ])
    } finally {
      rmSync(join(root, '.git'), { recursive: true })
    }
  })

  test('a starter set is added, edited and removed -> the root index follows', async () => {
    const index = 'public/.well-known/agent-skills/index.json'
    rmSync(skillsFolder(), { recursive: true, force: true })
    writeFiles(join(root, 'content'), FIRST_CONTENT)
    const setStarter = (...starter: string[]): void =>
      writeFiles(join(root, 'content'), {
        'site.json': { ...SITE, ...(starter.length > 0 ? { starter } : {}) },
      })
    const rebuild = async (): Promise<string | undefined> => {
      await buildLater()
      await expectEqualToCleanBuild()
      return readTree('dist').get(index)
    }
    setStarter()
    expect(await rebuild()).toBeUndefined()
    setStarter('first-3', 'first-1')
    const first = await rebuild()
    expect(first).toMatch(/"name":"first-3".*"name":"first-1"/)
    writeFileSync(join(skillsFolder(), 'first-1/SKILL.md'), skillMd('first-1', 'Other.'))
    const second = await rebuild()
    expect(second).not.toBe(first)
    setStarter('first-1')
    expect(await rebuild()).not.toContain('first-3')
    setStarter()
    expect(await rebuild()).toBeUndefined()
  })

  test('a large counter grows a little -> no page is written', async () => {
    const id = idOf(listSkills()[0] ?? '')
    const count = (installs: number): void =>
      writeFileSync(
        join(root, 'content/counters.json'),
        JSON.stringify({ [id]: { views: 9, installs } }),
      )
    count(12_000)
    await buildLater()
    count(12_700)
    // Only the search index and the skill's JSON, which have the exact number, are written.
    expect(await buildLater()).toMatchObject({ written: 2, removed: 0 })
    await expectEqualToCleanBuild()
  })
})
