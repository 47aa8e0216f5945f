import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { makeSampleFolder } from '../../../testing/sample-folders.ts'

/** A file to commit: its text, and its mode unless it is an ordinary file. */
export type GivenFile = string | { mode: '100755' | '120000' | '160000'; text: string }

/** A commit: all its files by path, and its time in seconds since 1970. */
export interface GivenCommit {
  files: ReadonlyMap<string, GivenFile>
  at: number
  /** Indexes of its parents in the list of commits; empty for a root commit. */
  parents: readonly number[]
}

export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOME: devNull,
      GIT_CONFIG_GLOBAL: devNull,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  }).trim()

/** Makes an empty repository, which is removed when the test ends. */
export const makeGitFolder = (...options: string[]): string => {
  const folder = makeSampleFolder()
  git(folder, 'init', '--quiet', '--initial-branch=main', ...options)
  return folder
}

const dataOf = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

const quote = (path: string): string =>
  `"${path.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`

const renderFile = ([path, file]: [string, GivenFile]): string => {
  const { mode, text } = typeof file === 'string' ? { mode: '100644', text: file } : file
  return mode === '160000'
    ? `M ${mode} ${text} ${quote(path)}\n`
    : `M ${mode} inline ${quote(path)}\n${dataOf(text)}`
}

/** Adds commits to a repository with one `git fast-import`; returns their names, in order. */
export const addCommits = (folder: string, commits: readonly GivenCommit[]): string[] => {
  const stream = commits.map(({ files, at, parents }, place) => {
    const [first, ...others] = parents.map((one) => `:${one + 1}`)
    return [
      'reset refs/made\n',
      `commit refs/made\nmark :${place + 1}\n`,
      `committer Ada <ada@example.org> ${at} +0000\n${dataOf('A commit')}`,
      first === undefined ? '' : `from ${first}\n`,
      ...others.map((one) => `merge ${one}\n`),
      'deleteall\n',
      ...Array.from(files, renderFile),
    ].join('')
  })
  const marks = join(folder, '.git/marks')
  const { status, stderr } = spawnSync(
    'git',
    ['fast-import', '--force', `--export-marks=${marks}`],
    {
      cwd: folder,
      input: stream.join(''),
      maxBuffer: 2 ** 28,
    },
  )
  if (status !== 0) throw new Error(String(stderr))
  const names = new Map(
    readFileSync(marks, 'utf8')
      .split('\n')
      .map((row) => row.split(' ') as [mark: string, name: string]),
  )
  return commits.map((_, place) => names.get(`:${place + 1}`)!)
}

/** Makes a commit the newest of the main line, and checks it out. */
export const checkOut = (folder: string, commit: string): void => {
  git(folder, 'update-ref', 'refs/heads/main', commit)
  git(folder, 'reset', '--quiet', '--hard', 'main')
  git(folder, 'clean', '-fdxq')
}
