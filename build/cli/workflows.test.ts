import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const TEMPLATE = fileURLToPath(new URL('template/', import.meta.url))

const made: string[] = []
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'))
  made.push(folder)
  return folder
}

const readTemplate = (file: string) => parse(readFileSync(join(TEMPLATE, file), 'utf8'))

/** The shell script of the job that proposes updates from the sources. */
const SCRIPTS: readonly [string, string][] = [
  ['GitHub', readTemplate('.github/workflows/registry.yml').jobs.update.steps.at(-1).run],
  ['GitLab', readTemplate('.gitlab-ci.yml').update.script.join('\n')],
]

/** Replaces npm: writes one skill per day, and records the package.json and sources.json that it ran with. */
const NPM = `cat package.json content/sources.json > "$LOG.ran"
mkdir -p "content/skills/$DAY"
echo "$DAY" > "content/skills/$DAY/SKILL.md"
if [ "$DAY" = sunday ]; then
  mkdir content/skills/sunday/dist
  echo 'x.txt' > content/skills/sunday/.gitignore
  for file in dist/run.js x.txt y.log; do echo x > "content/skills/sunday/$file"; done
fi
echo "$DAY" > content/sources.state.json
exit "\${STATUS:-0}"`

/** Replacements for the clients of the hosts. They record their arguments and the change requests they created. */
const GH = `if [ "$2" = list ]; then
  grep -x "$4" "$LOG.known" 2> /dev/null
  exit 0
fi
echo "gh $*" >> "$LOG"
[ "$2" = comment ] && exit
grep -qx "$4" "$LOG.known" 2> /dev/null && exit 1
echo "$4" >> "$LOG.known"`
const CURL = `echo "curl $*" >> "$LOG"
case "$*" in
*state=opened*) cat "$LOG.known" 2>/dev/null || echo '[]' ;;
*notes*) ;;
*) echo '[{"iid":7}]' > "$LOG.known" ;;
esac`

const IDENTITY = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@skills.example' }

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      ...IDENTITY,
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@skills.example',
    },
  }).trim()

/** Sets up a registry on a host, and returns functions that run its scheduled job and inspect the result. */
const startHost = (script: string) => {
  const root = makeFolder()
  const [origin, bin, log] = ['origin.git', 'bin', 'log'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(bin)
  for (const [name, text] of Object.entries({ npm: NPM, gh: GH, curl: CURL })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  git(root, 'init', '--quiet', '--bare', '--initial-branch', 'main', origin)
  const commit = (branch: string, files: Readonly<Record<string, string>>): void => {
    const clone = makeFolder()
    git(clone, 'clone', '--quiet', origin, '.')
    git(clone, 'switch', '--quiet', ...(git(origin, 'branch') === '' ? ['-c'] : []), branch)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(clone, path)), { recursive: true })
      writeFileSync(join(clone, path), text)
    }
    git(clone, 'add', '--all')
    git(clone, 'commit', '--quiet', '-m', 'By a curator')
    git(clone, 'push', '--quiet', 'origin', branch)
  }
  const seed = makeFolder()
  cpSync(join(TEMPLATE, 'content'), join(seed, 'content'), { recursive: true })
  commit('main', {
    'package.json': '{"name":"main"}\n',
    'content/sources.json': '["main"]\n',
    'content/site.json': '{"name":"main"}\n',
    'content/skills/held/SKILL.md': 'old\n',
  })
  const runJob = (day: string, status = '0') => {
    const clone = makeFolder()
    git(clone, 'clone', '--quiet', origin, '.')
    const sha = git(clone, 'rev-parse', 'HEAD')
    const result = spawnSync('bash', ['-e', '-c', script], {
      cwd: clone,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${bin}:${process.env['PATH']}`,
        DAY: day,
        STATUS: status,
        LOG: log,
        RUNNER_TEMP: root,
        GITHUB_SHA: sha,
        CI_COMMIT_SHA: sha,
        CI_SERVER_HOST: 'git.example',
        CI_PROJECT_PATH: 'ada/registry',
        CI_PROJECT_ID: '1',
        CI_API_V4_URL: 'https://git.example/api/v4',
        CI_DEFAULT_BRANCH: 'main',
        REGISTRY_TOKEN: 'token',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
        GIT_CONFIG_VALUE_0: 'https://registry:token@git.example/ada/registry.git',
      },
    })
    return result
  }
  const readAt = (branch: string, path: string): string => git(origin, 'show', `${branch}:${path}`)
  const listAt = (branch: string): string[] =>
    git(origin, 'ls-tree', '-r', '--name-only', branch, 'content/skills').split('\n')
  const branches = (): string[] =>
    git(origin, 'for-each-ref', '--format=%(refname:short)').split('\n')
  const takeLog = (): string => {
    const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
    rmSync(log, { force: true })
    return text
  }
  return { runJob, commit, readAt, listAt, branches, takeLog, root }
}

test('.gitignore of a new registry -> does not ignore files of skills named like build output', () => {
  const folder = makeFolder()
  git(folder, 'init', '--quiet')
  cpSync(join(TEMPLATE, 'gitignore'), join(folder, '.gitignore'))
  const names = ['dist/a.js', 'x.log', 'node_modules/b.js']
  const isIgnored = (path: string): boolean =>
    spawnSync('git', ['check-ignore', '--quiet', path], { cwd: folder }).status === 0
  expect(names.filter((name) => !isIgnored(name))).toEqual([])
  const ofSkills = ['skills', 'pending/skills'].flatMap((place) =>
    names.map((name) => `content/${place}/a/${name}`),
  )
  expect(ofSkills.filter(isIgnored)).toEqual([])
  expect(isIgnored('content/skills/a/.DS_Store')).toBe(true)
})

describe.each(SCRIPTS)('the scheduled update on %s', (name, script) => {
  test('an existing branch -> gets the next commit, and keeps a curator’s commits', () => {
    const host = startHost(script)
    expect(host.runJob('monday')).toMatchObject({ status: 0 })
    expect(host.takeLog()).toMatch(
      name === 'GitHub' ? 'pr create --head update-sources' : 'source_branch=update-sources',
    )
    host.commit('update-sources', { 'content/skills/held/SKILL.md': 'accepted\n' })
    host.commit('main', { 'content/pages/about.md': 'About.\n' })
    expect(host.runJob('tuesday')).toMatchObject({ status: 0 })
    expect(host.branches()).toEqual(['main', 'update-sources'])
    expect(host.listAt('update-sources')).toEqual(
      ['held', 'monday', 'tuesday'].map((slug) => `content/skills/${slug}/SKILL.md`),
    )
    expect(host.readAt('update-sources', 'content/skills/held/SKILL.md')).toBe('accepted')
    expect(host.readAt('update-sources', 'content/pages/about.md')).toBe('About.')
    expect(host.takeLog()).toMatch(
      name === 'GitHub' ? 'pr comment update-sources' : 'merge_requests/7/notes',
    )
    expect(host.listAt('main')).toEqual(['content/skills/held/SKILL.md'])
  })

  test('a branch that conflicts with main -> stays, and a new branch is started', () => {
    const host = startHost(script)
    host.runJob('monday')
    host.commit('update-sources', { 'content/skills/held/SKILL.md': 'accepted\n' })
    host.commit('main', { 'content/skills/held/SKILL.md': 'by hand\n' })
    for (const day of ['tuesday', 'wednesday'])
      expect(host.runJob(day)).toMatchObject({ status: 0 })
    expect(host.branches()).toEqual(['main', 'update-sources', 'update-sources-2'])
    expect(host.readAt('update-sources', 'content/skills/held/SKILL.md')).toBe('accepted')
    expect(host.listAt('update-sources-2')).toEqual(
      ['held', 'tuesday', 'wednesday'].map((slug) => `content/skills/${slug}/SKILL.md`),
    )
  })

  test('a branch whose request was merged or closed -> stays, and its skills do not come back', () => {
    const host = startHost(script)
    host.runJob('monday')
    rmSync(join(host.root, 'log.known'))
    expect(host.runJob('tuesday')).toMatchObject({ status: 0 })
    expect(host.branches()).toEqual(['main', 'update-sources', 'update-sources-2'])
    expect(host.listAt('update-sources-2')).toEqual(
      ['held', 'tuesday'].map((slug) => `content/skills/${slug}/SKILL.md`),
    )
  })

  test('a branch with other code and sources -> the job uses those of main; the branch keeps its own', () => {
    const host = startHost(script)
    host.runJob('monday')
    host.commit('update-sources', {
      'package.json': '{"name":"branch"}\n',
      'content/sources.json': '["branch"]\n',
    })
    host.runJob('tuesday')
    expect(readFileSync(join(host.root, 'log.ran'), 'utf8')).toBe('{"name":"main"}\n["main"]\n')
    expect(host.readAt('update-sources', 'content/sources.json')).toBe('["branch"]')
    expect(host.readAt('update-sources', 'package.json')).toBe('{"name":"branch"}')
    expect(host.listAt('update-sources')).toContain('content/skills/tuesday/SKILL.md')
  })

  test('files that .gitignore of a skill or of the registry names -> committed with the skill', () => {
    const host = startHost(script)
    host.commit('main', { '.gitignore': readFileSync(join(TEMPLATE, 'gitignore'), 'utf8') })
    expect(host.runJob('sunday')).toMatchObject({ status: 0 })
    const files = ['.gitignore', 'SKILL.md', 'dist/run.js', 'x.txt', 'y.log']
    expect(host.listAt('update-sources')).toEqual([
      'content/skills/held/SKILL.md',
      ...files.map((file) => `content/skills/sunday/${file}`),
    ])
  })

  test('new versions that wait for a curator -> proposed, and the job succeeds', () => {
    const host = startHost(script)
    expect(host.runJob('monday', '3')).toMatchObject({ status: 0 })
    expect(host.branches()).toEqual(['main', 'update-sources'])
  })

  test('an update that partly fails -> the rest is proposed, and the job fails', () => {
    const host = startHost(script)
    expect(host.runJob('monday', '1')).toMatchObject({ status: 1 })
    expect(host.branches()).toEqual(['main', 'update-sources'])
  })
})
