import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
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
echo "$DAY" > content/sources.lock
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
  comments: string[]
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

  propose(branch: string, from: string, body = ''): ChangeRequest {
    const proposed = {
      id: this.requests.length + 7,
      branch,
      from,
      isOpen: true,
      body,
      comments: [],
    }
    this.requests.push(proposed)
    return proposed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const sent = await readText(request)
    const send = (status: number, value: unknown): void =>
      void response.writeHead(status).end(JSON.stringify(value))
    const refusal = this.refuses[method]
    if (refusal !== undefined) return send(refusal, { message: 'refused' })
    const { pathname, searchParams } = new URL(url, 'http://host')
    const isGitHub = pathname.startsWith('/repos/ada/registry/')
    const fields =
      isGitHub && sent ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent))
    if (method === 'GET') {
      const branch = searchParams.get('source_branch') ?? searchParams.get('head')?.split(':')[1]
      const open = this.requests.filter((one) => one.isOpen && one.branch === branch)
      return send(
        200,
        open.map(({ id, from }) =>
          isGitHub
            ? { number: id, head: { ref: branch, repo: { full_name: from } } }
            : { iid: id, source_project_id: from === 'ada/registry' ? 1 : 2 },
        ),
      )
    }
    const [, id] = /\/(\d+)\/(?:comments|notes)$/.exec(pathname) ?? []
    if (id === undefined)
      this.propose(
        fields.head ?? fields.source_branch,
        'ada/registry',
        fields.body ?? fields.description,
      )
    else this.requests.find((one) => one.id === Number(id))!.comments.push(fields.body)
    return send(201, {})
  }
}

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
const startHost = async (script: string) => {
  const host = new Host()
  const api = await host.start()
  const root = makeFolder()
  const [origin, bin, log] = ['origin.git', 'bin', 'log'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(bin)
  for (const [name, text] of Object.entries({ npm: NPM })) {
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
  const runJob = async (day: string, exit = '0') => {
    const clone = makeFolder()
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
        LOG: log,
        RUNNER_TEMP: root,
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
  const readAt = (branch: string, path: string): string => git(origin, 'show', `${branch}:${path}`)
  const listAt = (branch: string): string[] =>
    git(origin, 'ls-tree', '-r', '--name-only', branch, 'content/skills').split('\n')
  const branches = (): string[] =>
    git(origin, 'for-each-ref', '--format=%(refname:short)').split('\n')
  return { runJob, commit, readAt, listAt, branches, root, host }
}

test('.gitignore of a new registry -> does not ignore files of skills named like build output', () => {
  const folder = makeFolder()
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
  test('an existing branch -> gets the next commit, and keeps a curator’s commits', async () => {
    const registry = await startHost(script)
    expect(await registry.runJob('monday')).toBe(0)
    expect(registry.host.requests).toMatchObject([
      { branch: 'update-sources', body: 'Report of monday' },
    ])
    registry.commit('update-sources', { 'content/skills/held/SKILL.md': 'accepted\n' })
    registry.commit('main', { 'content/pages/about.md': 'About.\n' })
    expect(await registry.runJob('tuesday')).toBe(0)
    expect(registry.branches()).toEqual(['main', 'update-sources'])
    expect(registry.listAt('update-sources')).toEqual(
      ['held', 'monday', 'tuesday'].map((slug) => `content/skills/${slug}/SKILL.md`),
    )
    expect(registry.readAt('update-sources', 'content/skills/held/SKILL.md')).toBe('accepted')
    expect(registry.readAt('update-sources', 'content/pages/about.md')).toBe('About.')
    expect(registry.host.requests).toMatchObject([{ comments: ['Report of tuesday'] }])
    expect(registry.listAt('main')).toEqual(['content/skills/held/SKILL.md'])
  })

  test('a branch that conflicts with main -> stays, and a new branch is started', async () => {
    const registry = await startHost(script)
    await registry.runJob('monday')
    registry.commit('update-sources', { 'content/skills/held/SKILL.md': 'accepted\n' })
    registry.commit('main', { 'content/skills/held/SKILL.md': 'by hand\n' })
    for (const day of ['tuesday', 'wednesday']) expect(await registry.runJob(day)).toBe(0)
    expect(registry.branches()).toEqual(['main', 'update-sources', 'update-sources-2'])
    expect(registry.readAt('update-sources', 'content/skills/held/SKILL.md')).toBe('accepted')
    expect(registry.listAt('update-sources-2')).toEqual(
      ['held', 'tuesday', 'wednesday'].map((slug) => `content/skills/${slug}/SKILL.md`),
    )
  })

  test('a branch whose request was merged or closed -> stays, and its skills do not come back', async () => {
    const registry = await startHost(script)
    await registry.runJob('monday')
    registry.host.requests[0]!.isOpen = false
    expect(await registry.runJob('tuesday')).toBe(0)
    expect(registry.branches()).toEqual(['main', 'update-sources', 'update-sources-2'])
    expect(registry.listAt('update-sources-2')).toEqual(
      ['held', 'tuesday'].map((slug) => `content/skills/${slug}/SKILL.md`),
    )
  })

  test('a branch with other code and sources -> the job uses those of main; the branch keeps its own', async () => {
    const registry = await startHost(script)
    await registry.runJob('monday')
    registry.commit('update-sources', {
      'package.json': '{"name":"branch"}\n',
      'content/sources.json': '["branch"]\n',
    })
    await registry.runJob('tuesday')
    expect(readFileSync(join(registry.root, 'log.ran'), 'utf8')).toBe('{"name":"main"}\n["main"]\n')
    expect(registry.readAt('update-sources', 'content/sources.json')).toBe('["branch"]')
    expect(registry.readAt('update-sources', 'package.json')).toBe('{"name":"branch"}')
    expect(registry.listAt('update-sources')).toContain('content/skills/tuesday/SKILL.md')
  })

  test('files that .gitignore of a skill or of the registry names -> committed with the skill', async () => {
    const registry = await startHost(script)
    registry.commit('main', { '.gitignore': readFileSync(join(TEMPLATE, 'gitignore'), 'utf8') })
    expect(await registry.runJob('sunday')).toBe(0)
    const files = ['.gitignore', 'SKILL.md', 'dist/run.js', 'x.txt', 'y.log']
    expect(registry.listAt('update-sources')).toEqual([
      'content/skills/held/SKILL.md',
      ...files.map((file) => `content/skills/sunday/${file}`),
    ])
  })

  test('new versions that wait for a curator -> proposed, and the job succeeds', async () => {
    const registry = await startHost(script)
    expect(await registry.runJob('monday', '3')).toBe(0)
    expect(registry.branches()).toEqual(['main', 'update-sources'])
  })

  test('an update that partly fails -> the rest is proposed, and the job fails', async () => {
    const registry = await startHost(script)
    expect(await registry.runJob('monday', '1')).toBe(1)
    expect(registry.branches()).toEqual(['main', 'update-sources'])
  })

  test('a fork’s request from a branch of the same name -> is not taken for the own one', async () => {
    const registry = await startHost(script)
    const foreign = registry.host.propose('update-sources', 'eve/registry')
    expect(await registry.runJob('monday')).toBe(0)
    const [, own] = registry.host.requests
    expect(own).toMatchObject({ branch: 'update-sources', from: 'ada/registry' })
    expect(await registry.runJob('tuesday')).toBe(0)
    expect(own!.comments).toEqual(['Report of tuesday'])
    own!.isOpen = false
    expect(await registry.runJob('wednesday')).toBe(0)
    expect(registry.branches()).toEqual(['main', 'update-sources', 'update-sources-2'])
    expect(foreign.comments).toEqual([])
  })

  test.each([401, 403, 500])(
    'a host that answers %i to the search -> the job fails, nothing is pushed',
    async (refusal) => {
      const registry = await startHost(script)
      await registry.runJob('monday')
      registry.host.refuses = { GET: refusal }
      expect(await registry.runJob('tuesday')).not.toBe(0)
      expect(registry.branches()).toEqual(['main', 'update-sources'])
      expect(registry.listAt('update-sources')).not.toContain('content/skills/tuesday/SKILL.md')
    },
  )

  test.each([401, 403, 422])(
    'a request that the host refuses with %i -> its branch goes, and the job fails',
    async (refusal) => {
      const registry = await startHost(script)
      registry.host.refuses = { POST: refusal }
      for (const day of ['monday', 'tuesday']) expect(await registry.runJob(day)).not.toBe(0)
      expect(registry.branches()).toEqual(['main'])
      registry.host.refuses = {}
      expect(await registry.runJob('wednesday')).toBe(0)
      expect(registry.host.requests).toMatchObject([{ body: 'Report of wednesday' }])
    },
  )

  test('a comment that the host refuses -> the job fails, and the branch of the request stays', async () => {
    const registry = await startHost(script)
    await registry.runJob('monday')
    registry.host.refuses = { POST: 403 }
    expect(await registry.runJob('tuesday')).not.toBe(0)
    expect(registry.branches()).toEqual(['main', 'update-sources'])
  })
})
