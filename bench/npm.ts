import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'yaml'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { readOptions } from './options.ts'

// Publishes, installs and updates a skill by way of Verdaccio, an npm registry with a login.

const { port } = readOptions('Publishes the catalog to Verdaccio, and installs it from there.', {
  port: { type: 'string', default: '4391', about: 'a free port' },
})

const HOST = `//127.0.0.1:${port}/`
const ADDRESS = `http:${HOST}`
const root = mkdtempSync(join(tmpdir(), 'npm-'))
const [content, dist, project, home] = ['content', 'dist', 'project', 'home'].map((name) =>
  join(root, name),
) as [string, string, string, string]

const WORKFLOW = 'build/cli/template/.github/workflows/registry.yml'
const { jobs } = parse(readFileSync(join(PROJECT_ROOT, WORKFLOW), 'utf8'))

/** The shell lines with which the workflow of `init` publishes. */
const PUBLISH: string = jobs.npm.steps.at(-1).run

let token = ''

const CONFIG = `storage: ${root}/storage
auth:
  htpasswd:
    file: ${root}/htpasswd
packages:
  '@acme/*':
    access: $authenticated
    publish: $authenticated
log: { type: file, path: ${root}/log, level: warn }
`

const run = (cwd: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      HOME: home,
      PATH: [
        join(PROJECT_ROOT, 'node_modules/.bin'),
        dirname(process.execPath),
        process.env['PATH'],
      ].join(':'),
      CONTENT_DIR: content,
      OUT_DIR: dist,
      SITE_URL: 'https://skills.acme.example',
      REGISTRY: ADDRESS,
      TOKEN: token,
      DISABLE_TELEMETRY: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  })

const failureOf = (...call: Parameters<typeof run>): string => {
  try {
    run(...call)
    return 'it succeeded'
  } catch (error) {
    const { stderr } = error as { stderr: string }
    return /npm error (.+)/.exec(stderr)?.[1] ?? stderr
  }
}

const measure = (step: string, ...call: Parameters<typeof run>): string => {
  const start = performance.now()
  const output = run(...call)
  console.log(`${step} | ${((performance.now() - start) / 1_000).toFixed(1)} s`)
  return output
}

const git = (...args: string[]): string =>
  run(root, 'git', '-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example', ...args)

const commit = (): void => {
  git('add', '--force', 'content')
  git('commit', '--quiet', '--message', 'Change a skill')
}

const publish = (): void => {
  const output = measure('build --npm', PROJECT_ROOT, 'node', 'build/site/main.ts', '--npm')
  console.log(output.trim().split('\n').at(-1))
  measure('publish, as the workflow does', root, 'bash', '-ec', PUBLISH)
}

/** Installs the package's skills into the project, and prints the entry of one in the lock of `skills`. */
const sync = (): void => {
  measure(
    'skills experimental_sync',
    project,
    'skills',
    'experimental_sync',
    '-y',
    '-a',
    'claude-code',
  )
  const lock = JSON.parse(readFileSync(join(project, 'skills-lock.json'), 'utf8'))
  console.log(`skills-lock.json: ${JSON.stringify(lock.skills['csv-clean'])}`)
  const text = readFileSync(join(project, '.claude/skills/csv-clean/SKILL.md'), 'utf8')
  console.log(`csv-clean installed, ${text.length} characters`)
}

for (const folder of [project, home]) mkdirSync(folder)
cpSync(join(PROJECT_ROOT, 'content'), content, { recursive: true })
const { versions: _, ...site } = JSON.parse(readFileSync(join(content, 'site.json'), 'utf8'))
writeFileSync(join(content, 'site.json'), JSON.stringify({ ...site, npm: '@acme/skills' }))
git('init', '--quiet', '--initial-branch=main')
commit()

writeFileSync(join(root, 'config.yaml'), CONFIG)
const server = spawn(
  join(PROJECT_ROOT, 'bench/node_modules/.bin/verdaccio'),
  ['--config', join(root, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
  { stdio: 'ignore' },
)
try {
  while (
    !(await fetch(`${ADDRESS}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause(100)
  const user = { name: 'ci', password: 'long-enough' }
  const answer = await fetch(`${ADDRESS}-/user/org.couchdb.user:ci`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(user),
  })
  token = ((await answer.json()) as { token: string }).token
  writeFileSync(join(project, '.npmrc'), `@acme:registry=${ADDRESS}\n`)
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'project', skills: ['npm:@acme/skills'] }),
  )
  const install = ['install', '--save-dev', '--no-audit', '--no-fund', '@acme/skills'] as const
  console.log(`without a login: ${failureOf(project, 'npm', ...install)}`)
  publish()
  measure('the same version again', root, 'bash', '-ec', PUBLISH)
  measure('npm install', project, 'npm', ...install)
  sync()
  const text = join(content, 'skills/csv-clean/SKILL.md')
  writeFileSync(text, `${readFileSync(text, 'utf8')}\nAsk before you delete a column.\n`)
  commit()
  publish()
  measure('npm update', project, 'npm', 'update', '--no-audit', '--no-fund')
  sync()
} finally {
  server.kill()
  rmSync(root, { recursive: true, force: true })
}
