import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addFiles, addLinks, makeSampleFolder } from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'

/** The text of the MIT licence: that of this project. */
export const MIT_TEXT = readFileSync(new URL('../../../../LICENSE', import.meta.url), 'utf8')

/** The web address that tests give to the repository `ada/tools`. */
export const WEB = 'https://github.com/ada/tools'

/** A git repository made by a test. */
interface SampleRepository {
  folder: string
  /** Its file:// address. */
  address: string
  /** Writes and removes files and commits them at noon of the day. Returns the commit. */
  commit: (files: SampleFiles, day: string, removed?: readonly string[]) => string
  git: (...args: string[]) => string
}

/** Ignores the user's git settings, so that commits are the same on every machine. */
const environment = (day: string): NodeJS.ProcessEnv => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@skills.example',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@skills.example',
  GIT_AUTHOR_DATE: `${day}T12:00:00Z`,
  GIT_COMMITTER_DATE: `${day}T12:00:00Z`,
})

/** Runs git in a test's folder and returns its output. */
export const runGitFor = (
  folder: string,
  args: readonly string[],
  day = '2026-01-01',
  input = '',
): string => {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: environment(day),
    input,
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

const readFiles = (folder: string): SampleFiles =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path)]),
  )

/** The files of repositories already made, `.git` included: many tests start with the same repository. */
const prepared = new Map<string, SampleFiles>()

/** Makes a repository `<owner>/<name>` in a temporary folder, with a first commit, and one more if it has links. */
export const makeRepository = (
  files: SampleFiles,
  { day = '2026-01-01', path = 'ada/tools', links = {} as Readonly<Record<string, string>> } = {},
): SampleRepository => {
  const folder = join(makeSampleFolder({ [`${path}/.keep`]: '' }), path)
  const commit = (changed: SampleFiles, on: string, removed: readonly string[] = []): string => {
    for (const name of removed) rmSync(join(folder, name), { recursive: true })
    addFiles(folder, changed)
    runGitFor(folder, ['add', '--all', '--force'], on)
    runGitFor(folder, ['commit', '--quiet', '--allow-empty', '--message', on], on)
    const head = readFileSync(join(folder, '.git/HEAD'), 'utf8').trim()
    return readFileSync(join(folder, '.git', head.replace('ref: ', '')), 'utf8').trim()
  }
  const key = JSON.stringify([files, day])
  const known = prepared.get(key)
  if (known) addFiles(folder, known)
  else {
    runGitFor(folder, ['init', '--quiet', '--initial-branch', 'main', '--template='])
    commit(files, day)
    prepared.set(key, readFiles(folder))
  }
  addLinks(folder, links)
  if (Object.keys(links).length > 0) commit({}, '2026-01-02')
  const git = (...args: string[]): string => runGitFor(folder, args)
  return { folder, address: pathToFileURL(folder).href, commit, git }
}
