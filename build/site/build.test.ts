import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DiscoveryEntry } from '../../src/api/discovery.ts'
import { DOWNLOADS_NAME, findDownload } from '../../src/catalog/downloads.ts'
import { ContentError } from '../../src/catalog/problems.ts'
import {
  OWN_RECORD,
  SITE,
  SMALL_CONTENT,
  UPSTREAM_RECORD,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import type { ContentFiles } from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import type { BuildSummary } from './build.ts'
import { OutputError } from '../machine/folders.ts'
import { lockFile } from '../machine/lock.ts'
import { readInputs } from './inputs.ts'
import { createProgress } from '../machine/progress.ts'

const ORIGIN = 'https://registry.example'
const quiet = createProgress({ write: () => true })

const HOSTILE_BODY = [
  '# A <script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1)) ![i](data:image/png;base64,AA)',
  '```sh\nnever closed',
].join('\n\n')

/** The names of files and folders that other users cannot read. */
const listHidden = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => {
      const { mode } = statSync(join(folder, name))
      return (mode & 0o004) === 0
    })
    .sort()

test.each([
  ['public', SITE, ['state', 'state/build.lock', 'state/state.db']],
  ['private', { ...SITE, private: true }, expect.arrayContaining(['generations', 'state'])],
])('umask 077 -> other users can read what a %s registry publishes', async (_, site, hidden) => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-umask-'))
  const [contentFolder, outputFolder] = [join(folder, 'content'), join(folder, 'dist')]
  writeFiles(contentFolder, { ...SMALL_CONTENT, 'site.json': site })
  const umask = process.umask(0o077)
  await buildSite({ contentFolder, outputFolder, siteUrl: ORIGIN }, quiet)
  expect(process.umask(umask)).toBe(0o077)
  expect(listHidden(outputFolder)).toEqual(hidden)
  rmSync(folder, { recursive: true })
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Skills of every visibility, some with names and texts that try to break out of their context. */
const CONTENT: ContentFiles = {
  ...SMALL_CONTENT,
  'site.json': {
    name: `Tom & "Ann" <'s> Registry`,
    tagline: 'A & <b>',
    description: 'For <tests> & "more".',
  },
  'skills/near/references/a b.md': '# Reference\n',
  'skills/near/scripts/run.sh': 'echo hi\n',
  'skills/far/skill.json': {
    ...UPSTREAM_RECORD,
    name: `<b>"far"</b> & 'co' | # $1`,
    category: 'Data & Analytics',
  },
  'skills/far/SKILL.md': skillMd('Far', HOSTILE_BODY),
  'skills/gone/skill.json': {
    ...UPSTREAM_RECORD,
    id: 3,
    name: 'gone-skill',
    source: {
      ...UPSTREAM_RECORD.source,
      url: 'https://github.com/ann/skills/tree/main/gone',
      status: 'gone',
      checked: '2025-05-05',
    },
  },
  'skills/bare/skill.json': { ...UPSTREAM_RECORD, id: 4, name: 'bare', description: 'No copy.' },
  ...Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      [`skills/many-${index}/skill.json`, { ...OWN_RECORD, id: 100 + index }],
      [`skills/many-${index}/SKILL.md`, skillMd(`many-${index}`)],
    ]).flat(),
  ),
  'blog/first.md':
    '---\ntitle: First & last\ndescription: About <things>\ndate: 2026-01-01\n---\n## Why\n\nBecause.\n',
  'pages/about.md': '---\ntitle: About\ndescription: Who\ndate: 2026-01-01\n---\nUs.\n',
}

let root = ''
let summary: BuildSummary
const settings = () => ({
  contentFolder: join(root, 'content'),
  outputFolder: join(root, 'dist'),
  siteUrl: ORIGIN,
})
const read = (name: string): string => readFileSync(join(root, 'dist/current', name), 'utf8')
const listTree = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-build-'))
  mkdirSync(join(root, 'content'))
  writeFiles(join(root, 'content'), CONTENT)
  summary = await buildSite(settings(), quiet)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a build', () => {
  test('reports what it wrote, and how many break the specification', () => {
    expect(summary).toMatchObject({ skills: 54, broken: 1, removed: 0 })
    expect(summary.written).toBe(summary.files)
    expect(listTree(join(root, 'dist/current')).size).toBe(summary.files)
  })

  test('writes every page and its Markdown twin', () => {
    const pages = globSync('public/**/*.html', { cwd: join(root, 'dist/current') })
    expect(pages).toHaveLength(summary.pages)
    for (const page of pages) expect(read(page)).toMatch(/<\/html>$/)
    for (const page of pages) expect(read(page.replace(/html$/, 'md'))).toMatch(/^# .+\n[^]*\n$/)
  })

  test('lists exactly the indexable pages in the sitemap, with their dates', () => {
    const sitemap = read('public/sitemap.xml')
    const rows = [...sitemap.matchAll(/<loc>(.*?)<\/loc><lastmod>(\d{4}-\d\d-\d\d)<\/lastmod>/g)]
    const pages = globSync('public/**/*.html', { cwd: join(root, 'dist/current') })
    const hidden = pages.filter((page) => read(page).includes('content="noindex"'))
    expect(rows).toHaveLength(pages.length - hidden.length)
    const own = hidden.filter((page) => !page.startsWith('public/categories/'))
    expect(own.sort()).toEqual(['public/404.html', 'public/skills/gone.html'])
    expect(sitemap).toContain(`${ORIGIN}/categories/data-and-analytics<`)
    expect(sitemap).not.toContain('/skills/gone<')
  })

  test('omits a gone skill from every list and serves its page with noindex', () => {
    const others = globSync('public/**/*.{html,md,txt,xml,json}', {
      cwd: join(root, 'dist/current'),
    })
      .filter((name) => !name.startsWith('public/skills/gone'))
      .filter((name) => /\/skills\/gone\b|gone-skill/.test(read(name)))
    expect(others).toEqual([])
    expect(read('private/search.index')).not.toContain('gone-skill')
    expect(read('public/skills/gone.html')).toContain('<meta name="robots" content="noindex"')
    expect(read('public/skills/gone.md')).toContain('missing on 2025-05-05')
    expect(read('public/skills/gone/SKILL.md')).toContain('synthesized from catalog metadata')
  })

  test('packs SKILL.md unchanged at the root of each zip, with its files beside it', async () => {
    const zip = await JSZip.loadAsync(
      readFileSync(join(root, 'dist/current/public/api/skills/download/1')),
      { checkCRC32: true },
    )
    expect(Object.keys(zip.files)).toEqual(['SKILL.md', 'references/a b.md', 'scripts/run.sh'])
    expect(await zip.file('SKILL.md')?.async('string')).toBe(skillMd('near'))
    expect(read('public/skills/near/SKILL.md')).toBe(skillMd('near'))
    expect(read('public/skills/near/references/a b.md')).toBe('# Reference\n')
  })

  test('writes an index for each skill whose own text is in its zip', () => {
    const folder = join(root, 'dist/current/public/skills')
    const indexes = globSync('*/.well-known/agent-skills/index.json', { cwd: folder })
    expect(indexes).toContain('near/.well-known/agent-skills/index.json')
    expect(indexes.join()).not.toMatch(/gone\/|bare\//)
    expect(indexes).toHaveLength(summary.skills - 2)
    for (const index of indexes) {
      const [slug = ''] = index.split('/')
      const { skills } = JSON.parse(read(`public/skills/${index}`)) as { skills: DiscoveryEntry[] }
      expect(skills.map(({ name }) => name)).toEqual([slug])
      const { url, digest, size, files } = skills[0]!
      const zip = readFileSync(join(root, 'dist/current/public', url))
      expect([digest, size]).toEqual([`sha256:${sha256(zip)}`, zip.length])
      expect(files[0]!.path).toBe('SKILL.md')
      for (const file of files) {
        const bytes = readFileSync(join(folder, slug, file.path))
        expect([file.size, file.sha256]).toEqual([bytes.length, sha256(bytes)])
      }
    }
  })

  test('writes the digest of each zip', () => {
    const table = readFileSync(join(root, 'dist/current', DOWNLOADS_NAME), 'utf8')
    expect(table.split('\n')).toHaveLength(56)
    expect(findDownload(table, 33)).toBeUndefined()
    expect(findDownload(table, 3)).toEqual({
      slug: 'gone',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
  })

  test('never turns an author’s text into markup or script', () => {
    const html = read('public/skills/far.html')
    const scripts = Array.from(html.matchAll(/<script[^>]*>/g), ([tag]) => tag)
    const others = scripts.filter((tag) => tag !== '<script type="application/ld+json">')
    expect(scripts.length - others.length).toBe(1)
    for (const tag of others)
      expect(tag).toMatch(/^<script(?: type="module")? src="\/_astro\/[\w.-]+\.js">$/)
    expect(html).not.toMatch(/<img|href="(?:javascript|data):| on\w+="/i)
    expect(html.replace(/<\/?span[^>]*>/g, '')).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  test('uses no inline script or style, as the content security policy requires', () => {
    for (const name of globSync('public/**/*.html', { cwd: join(root, 'dist/current') })) {
      expect(read(name)).not.toMatch(
        /<style|<script(?![^>]* src=| type="application\/ld\+json">)|\sstyle="/,
      )
    }
  })

  test('writes the same bytes again', async () => {
    const before = listTree(join(root, 'dist/current'))
    await buildSite(settings(), quiet)
    expect(listTree(join(root, 'dist/current'))).toEqual(before)
  })
})

const before = (): [string, Map<string, string>] => [
  readlinkSync(join(root, 'dist/current')),
  listTree(join(root, 'dist/current')),
]

describe('the layouts of a site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-layouts-'))
  const outputFolder = join(folder, 'dist')
  const buildWith = async (site: object, files: ContentFiles = {}): Promise<BuildSummary> => {
    const contentFolder = join(folder, 'content')
    writeFiles(contentFolder, { ...SMALL_CONTENT, ...files, 'site.json': { ...SITE, ...site } })
    return buildSite({ contentFolder, outputFolder }, quiet)
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('show its name and preload our fonts', async () => {
    await buildWith({ name: 'A & B' })
    const page = readFileSync(join(outputFolder, 'public/index.html'), 'utf8')
    expect(page).toMatch(/<link rel="preload" href="\/_astro\/text\.\w+\.woff2"/)
    expect(page).toContain('<span>A &amp; B</span>')
  })

  test('offer only the example searches that site.json has', async () => {
    const text = '---\nname: near\ndescription: Clean csv files.\n---\n# Title\n'
    const home = async (site: object): Promise<string> => {
      await buildWith(site, { 'skills/near/SKILL.md': text })
      return readFileSync(join(outputFolder, 'public/index.md'), 'utf8')
    }
    expect(await home({})).not.toContain('Try')
    const twin = await home({ examples: ['csv', 'zzzz'] })
    expect(twin).toContain('Try: [csv](/skills?q=csv)\n')
    expect(twin).toContain('Try: [zzzz](/skills?q=zzzz)\n')
  })

  test.each(['# Heading', '- item', '```code', '***'])(
    'reject a footer such as %s',
    async (footer) => {
      await expect(buildWith({ footer })).rejects.toMatchObject({
        problems: [{ file: 'site.json', field: 'footer', value: footer }],
      })
    },
  )
})

describe('a later build', () => {
  test('is not blocked by the lock of a killed build', async () => {
    const program = `
      import { DatabaseSync } from 'node:sqlite'
      new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE')
      process.kill(process.pid, 'SIGKILL')`
    const path = join(root, 'dist/state/build.lock')
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program, path])
    expect(signal).toBe('SIGKILL')
    await buildSite(settings(), quiet)
  })

  test('prints everything again for a different origin', () => {
    const [one, other] = [ORIGIN, 'https://other.example'].map((siteUrl) =>
      readInputs({ ...settings(), siteUrl }),
    )
    expect(other?.keys.code).not.toBe(one?.keys.code)
  })

  test('keeps two folders: the served folder and the previous folder', async () => {
    await buildSite({ ...settings(), siteUrl: 'https://other.example' }, quiet)
    await buildSite(settings(), quiet)
    expect(globSync('generations/*', { cwd: join(root, 'dist') })).toHaveLength(2)
  })
})

describe('a build that fails leaves the served site unchanged', () => {
  test('bad content', async () => {
    const served = before()
    const bad = { ...settings(), contentFolder: join(root, 'missing') }
    await expect(buildSite(bad, quiet)).rejects.toThrow(ContentError)
    expect(before()).toEqual(served)
  })

  test('another build is running', async () => {
    const served = before()
    const lock = lockFile(join(root, 'dist/state/build.lock'))
    await expect(buildSite(settings(), quiet)).rejects.toThrow(OutputError)
    lock?.release()
    expect(before()).toEqual(served)
  })

  test('a folder in place of a shortcut', async () => {
    const served = before()
    const shortcut = join(root, 'dist/public')
    rmSync(shortcut)
    mkdirSync(join(shortcut, 'kept'), { recursive: true })
    await expect(
      buildSite({ ...settings(), siteUrl: 'https://other.example' }, quiet),
    ).rejects.toThrow(
      new OutputError(
        `${shortcut}: this is a folder, but the build needs a link there; move it or set OUT_DIR`,
      ),
    )
    expect(before()).toEqual(served)
    expect(globSync('generations/*', { cwd: join(root, 'dist') })).toHaveLength(2)
    rmSync(shortcut, { recursive: true })
  })
})
