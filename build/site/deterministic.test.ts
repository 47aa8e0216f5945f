import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  SMALL_CONTENT,
  UPSTREAM_RECORD,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { PROJECT_ROOT } from './settings.ts'

/** Enough skills for lists with several pages, and for threads. */
const SKILLS = 300

/** Sets the clock years ahead and reverses the order of folder listings. */
const ANOTHER = `--import=${new URL('testing/another-machine.ts', import.meta.url).href}`

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-deterministic-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const writeCatalog = (name: string, order: readonly number[]): void => {
  const content = join(root, name)
  mkdirSync(content)
  writeFiles(content, SMALL_CONTENT)
  for (const index of order) {
    writeFiles(content, {
      [`skills/i-${index}/skill.json`]: {
        ...UPSTREAM_RECORD,
        id: 100 + index,
        name: `Item İ ${index % 7}`,
        author: `Author-${index % 5}`,
        source: { ...UPSTREAM_RECORD.source, url: `https://github.com/a/b/tree/main/${index}` },
      },
      [`skills/i-${index}/SKILL.md`]: skillMd(`i-${index}`, `## Steps\n\n1. ${index}\n\n*é* ı`),
      // Only for a few skills, because each adds a file to the output.
      ...(index < 5 ? { [`skills/i-${index}/a.md`]: 'A', [`skills/i-${index}/b.md`]: 'B' } : {}),
      [`blog/post-${index % 3}.md`]:
        '---\ntitle: T\ndescription: D\ndate: 2026-01-01\n---\nText.\n',
    })
  }
}

const build = (
  name: string,
  workers: number,
  environment: NodeJS.ProcessEnv,
): Map<string, string> => {
  const out = join(root, `${name}-${workers}`)
  execFileSync(
    process.execPath,
    [join(PROJECT_ROOT, 'build/site/main.ts'), '--workers', String(workers)],
    {
      env: { ...process.env, ...environment, CONTENT_DIR: join(root, name), OUT_DIR: out },
      stdio: 'pipe',
    },
  )
  const folder = join(out, 'current')
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(folder, file)).isFile())
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), 'latin1')]),
  )
}

/** The environment of another machine. */
const ELSEWHERE: NodeJS.ProcessEnv = {
  TZ: 'Pacific/Chatham',
  LC_ALL: 'tr_TR.UTF-8',
  LANG: 'tr_TR.UTF-8',
  NODE_OPTIONS: ANOTHER,
}

test('clock, time zone, locale, cores and directory order have no effect on the output', () => {
  const order = Array.from({ length: SKILLS }, (_, index) => index)
  writeCatalog('there', order)
  writeCatalog('back', order.toReversed())
  const one = build('there', 1, { TZ: 'UTC', LC_ALL: 'C' })
  expect(one.size).toBeGreaterThan(SKILLS * 4)
  expect(build('back', 2, ELSEWHERE)).toEqual(one)
})
