import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { addFiles, makeOnce, makeSampleFolder } from '../../testing/sample-folders.ts'
import { git } from '../versions/testing/repository.ts'

const TEMPLATE = fileURLToPath(new URL('template/', import.meta.url))

const readTemplate = (file: string) => parse(readFileSync(join(TEMPLATE, file), 'utf8'))

/** The shell script of the job that proposes updates from the sources. */
const SCRIPTS: readonly [string, string][] = [
  ['GitHub', readTemplate('.github/workflows/registry.yml').jobs.update.steps.at(-1).run],
  ['GitLab', readTemplate('.gitlab-ci.yml').update.script.join('\n')],
]

/** Replaces npm: writes one skill per day and the commit that was read, and stages both, as `catalog update` does. */
const NPM = `mkdir -p "content/skills/$DAY"
echo "$DAY" > "content/skills/$DAY/SKILL.md"
echo '{"address":"x","commit":"'"$DAY"'"}' > content/sources.lock
[ "$DAY" = none ] || git add --all --force "content/skills/$DAY" content/sources.lock
echo "changed by something else" > package.json
printf 'Report of %s' "$DAY"
exit "\${STATUS:-0}"`

/** A change request on a host. */
interface ChangeRequest {
  id: number
  branch: string
  /** The repository of the branch: the registry, or a fork. */
  from: string
  isOpen: boolean
  body: string
  reviews: number
  comments: number
}

/** A host with an API for change requests, as GitHub and GitLab have it. */
class Host {
  requests: ChangeRequest[] = []
  /** The status with which it refuses a call of this method, if any. */
  refuses: Partial<Record<string, number>> = {}
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    onTestFinished(() => void this.#server.close())
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  propose(branch: string, from: string, body = ''): void {
    const id = this.requests.length + 7
    this.requests.push({ id, branch, from, isOpen: true, body, reviews: 0, comments: 0 })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const sent = await readText(request)
    const refusal = this.refuses[method]
    const { pathname, searchParams } = new URL(url, 'http://host')
    const isGitHub = pathname.startsWith('/repos/ada/registry/')
    const fields =
      isGitHub && sent ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent))
    const value = refusal === undefined ? this.#respond(method, pathname, searchParams, fields) : {}
    response.writeHead(refusal ?? 200).end(JSON.stringify(value))
  }

  #respond(
    method: string,
    path: string,
    query: URLSearchParams,
    fields: Readonly<Record<string, string>>,
  ): unknown {
    const [, number, rest] = /(?:pulls|merge_requests)(?:\/(\d+))?(?:\/(\w+))?$/.exec(path)!
    const one = this.requests.find(({ id }) => id === Number(number))
    if (method === 'POST')
      return this.propose(
        (fields['head'] ?? fields['source_branch'])!,
        'ada/registry',
        fields['body'] ?? fields['description'],
      )
    if (one && method !== 'GET')
      one.isOpen = (fields['state'] ?? fields['state_event']) === 'reopen'
    if (rest === 'reviews') return Array.from({ length: one!.reviews }, () => ({}))
    if (rest === 'approvals') return { approved_by: Array.from({ length: one!.reviews }) }
    if (one) return { comments: one.comments, user_notes_count: one.comments }
    const branch = query.get('source_branch') ?? query.get('head')!.split(':')[1]
    const open = this.requests.filter((each) => each.isOpen && each.branch === branch)
    return open.map(({ id, from }) => ({
      number: id,
      head: { repo: { full_name: from } },
      iid: id,
      source_project_id: from === 'ada/registry' ? 1 : 2,
    }))
  }
}

/** The repository of a registry, and an npm that is replaced. */
const makeRoot = () =>
  makeOnce('host', async () => {
    const root = makeSampleFolder({
      'bin/npm': `#!/bin/sh\n${NPM}\n`,
      'first/package.json': '{"name":"main"}\n',
      'first/content/sources.lock': '{"address":"x","commit":"sunday"}\n',
      'first/content/skills/held/SKILL.md': 'old\n',
    })
    chmodSync(join(root, 'bin/npm'), 0o755)
    const first = join(root, 'first')
    git(first, 'init', '--quiet', '--initial-branch', 'main')
    git(first, 'add', '--all')
    git(first, 'commit', '--quiet', '-m', 'By a curator')
    git(root, 'clone', '--quiet', '--bare', first, 'origin.git')
    return root
  })

/** Sets up a registry on a host, and returns functions that run its scheduled job and inspect the result. */
const startHost = async (script: string) => {
  const host = new Host()
  const api = await host.start()
  const root = await makeRoot()
  const [origin, bin] = [join(root, 'origin.git'), join(root, 'bin')]
  const commit = (branch: string, files: Readonly<Record<string, string>>): void => {
    const clone = makeSampleFolder()
    git(clone, 'clone', '--quiet', origin, '.')
    git(clone, 'switch', '--quiet', branch)
    addFiles(clone, files)
    git(clone, 'add', '--all')
    git(clone, 'commit', '--quiet', '-m', 'By a curator')
    git(clone, 'push', '--quiet', 'origin', branch)
  }
  let runs = 0
  const runJob = async (day: string, exit = '0') => {
    runs += 1
    const clone = makeSampleFolder()
    git(clone, 'clone', '--quiet', origin, '.')
    const sha = git(clone, 'rev-parse', 'HEAD')
    const child = spawn('bash', ['-e', '-c', script], {
      cwd: clone,
      stdio: 'ignore',
      env: {
        ...process.env,
        PATH: `${bin}:${process.env['PATH']}`,
        DAY: day,
        STATUS: exit,
        RUNNER_TEMP: root,
        GITHUB_RUN_ID: String(runs),
        GITHUB_RUN_ATTEMPT: '1',
        CI_JOB_ID: `${runs}-1`,
        GITHUB_SHA: sha,
        CI_COMMIT_SHA: sha,
        CI_SERVER_HOST: 'git.example',
        CI_PROJECT_PATH: 'ada/registry',
        CI_PROJECT_ID: '1',
        GH_TOKEN: 'token',
        GITHUB_API_URL: api,
        GITHUB_REPOSITORY: 'ada/registry',
        GITHUB_REPOSITORY_OWNER: 'ada',
        CI_API_V4_URL: api,
        CI_DEFAULT_BRANCH: 'main',
        REGISTRY_TOKEN: 'token',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
        GIT_CONFIG_VALUE_0: 'https://registry:token@git.example/ada/registry.git',
      },
    })
    const [status] = (await once(child, 'close')) as [number | null]
    return status
  }
  const listAt = (branch: string): string[] =>
    git(origin, 'ls-tree', '-r', '--name-only', branch, 'content/skills').split('\n')
  const branches = (): string[] =>
    git(origin, 'for-each-ref', '--format=%(refname:short)').split('\n')
  const head = (branch: string): string => git(origin, 'rev-parse', branch)
  return { runJob, commit, listAt, branches, head, host }
}

test('.gitignore of a new registry -> does not ignore files of skills named like build output', () => {
  const folder = makeSampleFolder()
  git(folder, 'init', '--quiet')
  cpSync(join(TEMPLATE, 'gitignore'), join(folder, '.gitignore'))
  const names = ['dist/a.js', 'x.log', 'node_modules/b.js']
  const isIgnored = (path: string): boolean =>
    spawnSync('git', ['check-ignore', '--quiet', path], { cwd: folder }).status === 0
  expect(names.filter((name) => !isIgnored(name))).toEqual([])
  const ofSkills = names.map((name) => `content/skills/a/${name}`)
  expect(ofSkills.filter(isIgnored)).toEqual([])
  expect(isIgnored('content/skills/a/.DS_Store')).toBe(true)
})

describe.each(SCRIPTS)('the scheduled update on %s', (_, script) => {
  test('what a run staged -> a branch of this run and a request, which replaces an untouched one and names it', async () => {
    const registry = await startHost(script)
    expect(await registry.runJob('none')).toBe(0)
    expect([registry.branches(), registry.host.requests]).toEqual([['main'], []])
    // Status 3: something needs a look.
    expect(await registry.runJob('monday', '3')).toBe(0)
    expect(registry.host.requests).toMatchObject([
      { branch: 'update-sources-2-1', body: 'Report of monday' },
    ])
    expect(registry.branches()).toEqual(['main', 'update-sources-2-1'])
    expect(registry.listAt('update-sources-2-1')).toEqual(
      ['held', 'monday'].map((slug) => `content/skills/${slug}/SKILL.md`),
    )
    expect(registry.listAt('main')).toEqual(['content/skills/held/SKILL.md'])
    registry.commit('main', { 'content/pages/about.md': 'About.\n' })
    // Status 1: a source failed.
    expect(await registry.runJob('tuesday', '1')).toBe(1)
    expect(registry.host.requests).toMatchObject([
      { isOpen: false },
      { isOpen: true, body: expect.stringMatching(/^Report of tuesday\n\nReplaces [#!]7\.\n$/) },
    ])
    expect(registry.branches()).toEqual(['main', 'update-sources-3-1'])
    expect(registry.listAt('update-sources-3-1')).toContain('content/skills/tuesday/SKILL.md')
  })

  test('a request that somebody reviewed, commented on or committed to -> stays; its versions are not proposed again', async () => {
    const registry = await startHost(script)
    const { requests } = registry.host
    const branches = [1, 2, 3, 4].map((run) => `update-sources-${run}-1`)
    await registry.runJob('monday')
    requests[0]!.reviews = 1
    expect(await registry.runJob('tuesday')).toBe(0)
    requests[1]!.comments = 1
    expect(await registry.runJob('wednesday')).toBe(0)
    registry.commit(branches[2]!, { 'content/skills/held/SKILL.md': 'better\n' })
    const before = registry.head(branches[2]!)
    expect(await registry.runJob('thursday')).toBe(0)
    const bodies = ['monday', 'tuesday', 'wednesday', 'thursday'].map((day) => `Report of ${day}`)
    expect(requests).toMatchObject(bodies.map((body) => ({ isOpen: true, body })))
    expect(registry.head(branches[2]!)).toBe(before)
    // A rejection beside the versions does not count.
    registry.commit(branches[3]!, {
      'content/sources.lock':
        '{"address":"x","commit":"friday"}\n{"address":"x","rejected":"1","slug":"a"}\n',
    })
    expect(await registry.runJob('friday')).toBe(0)
    expect(requests).toHaveLength(4)
    expect(registry.branches()).toEqual(['main', ...branches])
  })

  test('the host refuses a search or a request -> the job fails and leaves no branch; closed requests and those of forks are not looked at', async () => {
    const registry = await startHost(script)
    await registry.runJob('monday')
    for (const method of ['GET', 'POST']) {
      registry.host.refuses = { [method]: 403 }
      expect(await registry.runJob('tuesday')).not.toBe(0)
      expect(registry.branches()).toEqual(['main', 'update-sources-1-1'])
      expect(registry.host.requests).toMatchObject([{ isOpen: true }])
    }
    registry.host.refuses = {}
    registry.host.requests[0]!.isOpen = false
    registry.host.propose('update-sources-1-1', 'eve/registry')
    expect(await registry.runJob('monday')).toBe(0)
    expect(registry.host.requests.map(({ isOpen }) => isOpen)).toEqual([false, true, true])
    expect(registry.branches()).toEqual(['main', 'update-sources-1-1', 'update-sources-4-1'])
  })
})
