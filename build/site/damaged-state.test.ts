import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  OWN_RECORD,
  SMALL_CONTENT,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { createProgress } from './progress.ts'

const quiet = createProgress({ write: () => true })

const SKILLS = ['cat', 'dog', 'elk', 'fox', 'gnu']

const CONTENT = {
  ...SMALL_CONTENT,
  ...Object.fromEntries(
    SKILLS.flatMap((slug, at) => [
      [`skills/${slug}/skill.json`, { ...OWN_RECORD, id: 10 + at, author: slug }],
      [`skills/${slug}/SKILL.md`, skillMd(slug)],
    ]),
  ),
}

let root = ''
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-damaged-'))
  writeFiles(join(root, 'content'), CONTENT)
  await build('built')
  // Appended, so that a part of the details is of another build.
  writeFiles(join(root, 'content'), { 'skills/cat/SKILL.md': skillMd('tiger') })
  await build('built')
  writeFiles(join(root, 'content'), { 'skills/dog/SKILL.md': skillMd('wolf') })
  rmSync(join(root, 'content/skills/gnu'), { recursive: true })
  await build('clean')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const build = (out: string) =>
  buildSite(
    {
      contentFolder: join(root, 'content'),
      outputFolder: join(root, out),
      siteUrl: 'https://registry.example',
    },
    quiet,
  )

const readTree = (out: string): string[][] => {
  const folder = join(root, out, 'current')
  return globSync('**/*', { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'latin1')])
}

const flipAt = (bytes: Buffer, part: number): Buffer => {
  const flipped = Buffer.from(bytes)
  const at = Math.floor((bytes.length - 1) * part)
  flipped[at] = flipped[at]! ^ 1
  return flipped
}

const DAMAGES: Record<string, (bytes: Buffer) => Buffer> = {
  'is empty': () => Buffer.alloc(0),
  'lost its end': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'lost its last byte': (bytes) => bytes.subarray(0, -1),
  'lost a line': (bytes) =>
    Buffer.from(
      bytes
        .toString('latin1')
        .split('\n')
        .filter((_, at) => at !== 3)
        .join('\n'),
      'latin1',
    ),
  'ends in zeros': (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 1),
  'has another bit at its begin': (bytes) => flipAt(bytes, 0),
  'has another bit early': (bytes) => flipAt(bytes, 0.2),
  'has another bit late': (bytes) => flipAt(bytes, 0.8),
  'has another bit at its end': (bytes) => flipAt(bytes, 1),
}

describe.each(['.txt', '.details', '.words'])('a file of the state, %s, that', (ending) => {
  test.each(Object.keys(DAMAGES))('%s -> the next build is that of what is there', async (how) => {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    cpSync(join(root, 'built'), join(root, 'dist'), { recursive: true, verbatimSymlinks: true })
    const state = join(root, 'dist/state')
    const path = join(state, readdirSync(state).find((name) => name.endsWith(ending)) ?? '')
    const damaged = DAMAGES[how]!(readFileSync(path))
    writeFileSync(path, damaged)
    await build('dist')
    expect(readTree('dist')).toEqual(readTree('clean'))
  })
})

test.each(['public/skills/cat.md', 'private/search.index', 'public/skills/cat'])(
  'a part of the served site, %s, that is gone -> the next build is whole, and so is the one after it',
  async (name) => {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    cpSync(join(root, 'built'), join(root, 'dist'), { recursive: true, verbatimSymlinks: true })
    rmSync(join(root, 'dist/current', name), { recursive: true })
    await build('dist')
    expect(readTree('dist')).toEqual(readTree('clean'))
  },
)
