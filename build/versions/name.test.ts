import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { skillMd } from '../../src/catalog/testing/content.ts'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { readZip } from '../../testing/unzip.ts'
import { packZip } from '../machine/zip.ts'
import { openMainLine } from './git.ts'
import { nameVersion } from './name.ts'
import { readHistory } from './read.ts'
import { addCommits, checkOut, makeGitFolder } from './testing/repository.ts'
import type { GivenFile } from './testing/repository.ts'

const PAGE = readFileSync(new URL('../../content/pages/docs-versions.md', import.meta.url), 'utf8')

/** The shell line in /docs/versions that computes a name. */
const LINE = /^\{ find .*$/m.exec(PAGE)![0]

/** Paths whose order differs by bytes, UTF-16 and language, and names that a shell could split or expand. */
const PATHS = [
  'SKILL.md',
  'scripts/run.sh',
  'scripts/run',
  'scripts-old',
  'a b/ c.txt',
  'Z',
  'a',
  'é.md',
  '\u{ff5e}',
  '\u{1f600}',
  "it's $(id) & `x`.md",
  '--help',
  '-rf',
  '*',
  'b/x./.y',
  '.env.example',
  '.github/ci.yml',
]

test('the shell line in /docs/versions prints the name of an unzipped download', async () => {
  const entries = PATHS.map((path, at) => {
    const text = path === 'SKILL.md' ? skillMd('near') : `${path}\r\n`
    return { path, isExecutable: at % 3 === 1, bytes: Buffer.from(text) }
  })
  const files = new Map<string, GivenFile>([['skills/near/skill.json', '{ "id": 1 }']])
  for (const { path, isExecutable, bytes } of entries) {
    const text = String(bytes)
    files.set(`skills/near/${path}`, isExecutable ? { mode: '100755', text } : text)
  }
  // Versions leave these out.
  files.set('skills/near/.env', 'SECRET=1')
  files.set('skills/near/.DS_Store', 'x')
  const folder = makeGitFolder()
  const [commit] = addCommits(folder, [{ files, at: 1_780_000_000, parents: [] }])
  checkOut(folder, commit!)
  const [version] = readHistory(openMainLine(folder, commit!), undefined).versions
  const download = makeSampleFolder()
  for (const { path, bytes, isExecutable } of readZip(await packZip(entries))) {
    mkdirSync(dirname(join(download, path)), { recursive: true })
    writeFileSync(join(download, path), bytes)
    if (isExecutable) chmodSync(join(download, path), 0o755)
  }
  const printed = execFileSync('sh', ['-c', LINE], { cwd: download, encoding: 'utf8' })
  expect(printed).toBe(`${nameVersion(version!.digest!)}\n`)
})
