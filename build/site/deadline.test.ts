import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderProblem } from '../../src/catalog/problems.ts'
import {
  OWN_RECORD,
  SITE,
  SMALL_CONTENT,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { createProgress } from './progress.ts'
import { PROJECT_ROOT } from './settings.ts'

const ORIGIN = 'https://registry.example'
const quiet = createProgress({ write: () => true })

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-deadline-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const WORDS = { read: 'Wait when read.', printed: 'Wait when printed.', fine: 'Be quick.' }

test.each([1, 2])(
  'skills that take too long, %d workers -> reported, the others are built, and the next build does not wait',
  async (workers) => {
    const [content, out] = [join(root, `content-${workers}`), join(root, `dist-${workers}`)]
    const write = (texts: Record<string, string>): void => {
      for (const [slug, text] of Object.entries(texts))
        writeFiles(content, { [`skills/${slug}/SKILL.md`]: skillMd(slug, text) })
    }
    const build = async (): Promise<string[]> => {
      const file = new URL('./testing/slow-worker.ts', import.meta.url)
      const { lost } = await buildSite(
        {
          contentFolder: content,
          outputFolder: out,
          siteUrl: ORIGIN,
          workers,
          pool: { file, deadline: 3_000, many: 1 },
        },
        quiet,
      )
      return lost.map(renderProblem).sort()
    }
    const page = (slug: string): string => join(out, `current/public/skills/${slug}.md`)
    const slugs = ['reads', 'prints', 'other']
    writeFiles(content, {
      ...SMALL_CONTENT,
      'site.json': { ...SITE, starter: ['near', 'reads', 'prints'] },
      ...Object.fromEntries(
        slugs.map((slug, at) => [`skills/${slug}/skill.json`, { ...OWN_RECORD, id: 50 + at }]),
      ),
    })
    const remedy = 'simplify its SKILL.md and the files beside it, or retire it'

    write({ reads: WORDS.read, prints: WORDS.printed, other: 'One.' })
    expect(await build()).toEqual([
      `skills/prints — takes longer than 3 s, so it is left out of the site; ${remedy}`,
      `skills/reads — takes longer than 3 s, so it is left out of the site; ${remedy}`,
    ])
    expect(slugs.map((slug) => existsSync(page(slug)))).toEqual([false, false, true])
    expect(globSync('**/prints*', { cwd: join(out, 'current') })).toEqual([])

    write({ reads: WORDS.fine, prints: WORDS.fine })
    expect(await build()).toEqual([])
    expect(slugs.map((slug) => existsSync(page(slug)))).toEqual([true, true, true])

    write({ reads: WORDS.read, prints: WORDS.printed, other: 'Two.' })
    const kept = [
      `skills/prints — takes longer than 3 s, so its last version stays on the site; ${remedy}`,
      `skills/reads — takes longer than 3 s, so its last version stays on the site; ${remedy}`,
    ]
    expect(await build()).toEqual(kept)
    expect(slugs.map((slug) => readFileSync(page(slug), 'utf8'))).toEqual([
      expect.stringContaining(WORDS.fine),
      expect.stringContaining(WORDS.fine),
      expect.stringContaining('Two.'),
    ])

    // The command's own worker waits at no text, so a skill that it read again would be built.
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(PROJECT_ROOT, 'build/site/main.ts')],
      {
        env: { ...process.env, CONTENT_DIR: content, OUT_DIR: out, SITE_URL: ORIGIN },
        encoding: 'utf8',
      },
    )
    expect(kept.filter((line) => !stderr.includes(line))).toEqual([])
    expect(status).toBe(1)
    expect(readFileSync(page('reads'), 'utf8')).toContain(WORDS.fine)

    write({ reads: 'Three.', prints: 'Three.' })
    expect(await build()).toEqual([])
    expect(readFileSync(page('prints'), 'utf8')).toContain('Three.')
  },
  120_000,
)

const told = (slug: string, fault: string) =>
  expect.stringContaining(`skills/${slug}/SKILL.md — ${fault}, so it is shown as code`)

test('a SKILL.md that takes too long to read as Markdown -> code, remembered until its files change', async () => {
  const [content, out] = [join(root, 'content-slow'), join(root, 'dist-slow')]
  const file = new URL('./testing/slow-worker.ts', import.meta.url)
  const build = async (views: number): Promise<string[]> => {
    const counters = { 50: { views, installs: 0 }, 51: { views, installs: 0 } }
    writeFiles(content, { 'counters.json': counters })
    // Files that are newer than the clock of a file system is exact are read again.
    await pause(30)
    const settings = { contentFolder: content, outputFolder: out, siteUrl: ORIGIN, pool: { file } }
    const { warnings } = await buildSite(settings, quiet)
    return warnings.map(renderProblem)
  }
  const isCode = (slug: string): boolean =>
    readFileSync(join(out, `current/public/skills/${slug}.html`), 'utf8').includes(
      '<pre tabindex="0" data-language="markdown">',
    )
  writeFiles(content, {
    ...SMALL_CONTENT,
    'skills/slow/skill.json': { ...OWN_RECORD, id: 50 },
    'skills/slow/SKILL.md': skillMd('slow', '_a'.repeat(200_000)),
    'skills/late/skill.json': { ...OWN_RECORD, id: 51 },
    'skills/late/SKILL.md': skillMd('late', 'Late when printed.'),
  })
  expect(await build(10)).toEqual([told('slow', 'takes longer than 2 s to read')])
  expect([isCode('slow'), isCode('late')]).toEqual([true, false])

  // What printing could not read in time, the next printing does not try.
  const both = [told('late', 'is late'), told('slow', 'takes longer than 2 s to read')]
  expect(await build(20)).toEqual(both)
  expect([isCode('slow'), isCode('late')]).toEqual([true, true])

  writeFiles(content, { 'skills/late/SKILL.md': skillMd('late', 'Early.') })
  await build(30)
  expect([isCode('slow'), isCode('late')]).toEqual([true, false])
}, 120_000)
