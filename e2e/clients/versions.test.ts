import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, startSite } from '../site.ts'
import type { RunningSite } from '../site.ts'
import { Home, fetchZip } from './client.ts'

let content = ''
let site: RunningSite
const homes: Home[] = []

const git = (...args: string[]): string => {
  const who = [
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.org',
    '-c',
    'commit.gpgSign=false',
  ]
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], {
    cwd: content,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

const commit = (slug: string, line: string): void => {
  const path = join(content, 'skills', slug, 'SKILL.md')
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${line}\n`)
  git('commit', '--quiet', '--all', '--message', line)
}

beforeAll(async () => {
  content = mkdtempSync(join(tmpdir(), 'skill-registry-versions-'))
  mkdirSync(join(content, 'skills'))
  for (const slug of ['csv-clean', 'premortem'])
    cpSync(join(ROOT, 'content/skills', slug), join(content, 'skills', slug), { recursive: true })
  writeFileSync(join(content, '.gitattributes'), 'skills/** -text\n')
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  const record = JSON.parse(readFileSync(join(ROOT, 'content/site.json'), 'utf8')) as object
  const versions = { since: git('rev-parse', 'HEAD'), keep: 3 }
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...record, starter: [], versions }))
  site = await startSite({ CONTENT_DIR: content })
})
afterAll(async () => {
  await site?.stop()
  for (const home of homes) home.remove()
  rmSync(content, { recursive: true, force: true })
})

const makeHome = (): Home => {
  const home = new Home()
  homes.push(home)
  return home
}

const runSkills = async (home: Home, ...args: string[]): Promise<void> => {
  const { status, output } = await home.run('skills', args)
  expect(status, output).toBe(0)
}

const add = (home: Home, page: string): Promise<void> =>
  runSkills(home, 'add', site.origin + page, '-y', '-g', '-a', 'claude-code')

/** Reads the name of the current version from the JSON of its skill. */
const nameOf = async (slug: string): Promise<string> => {
  const { pin } = (await (await fetch(`${site.origin}/skills/${slug}.json`)).json()) as {
    pin: { name: string }
  }
  return pin.name
}

test('an update leaves a pinned version as it is, also on another machine, and replaces an unpinned one', async () => {
  const [first, second] = [makeHome(), makeHome()]
  const name = await nameOf('csv-clean')
  const pin = `/skills/csv-clean@${name}`
  await add(first, pin)
  await add(first, '/skills/premortem')
  const before = first.read('.claude/skills')
  const zip = await fetchZip(`${site.origin}${pin}.zip`)
  expect(first.read('.claude/skills/csv-clean')).toEqual(zip)

  commit('csv-clean', 'One line more.')
  commit('premortem', 'One line more here, too.')
  await site.rebuild()
  expect(await nameOf('csv-clean')).not.toBe(name)
  await runSkills(first, 'update', '-g', '-y')
  const after = first.read('.claude/skills')
  expect(after['csv-clean/SKILL.md']).toEqual(before['csv-clean/SKILL.md'])
  expect(after['premortem/SKILL.md']).not.toEqual(before['premortem/SKILL.md'])

  await add(second, pin)
  expect(second.read('.claude/skills/csv-clean')).toEqual(zip)
  const page = await (await fetch(`${site.origin}${pin}`)).text()
  expect(page).toContain('A newer version is current')
})

test('a version that is no longer kept answers 410, and an update leaves the installed files as they are', async () => {
  const home = makeHome()
  const name = await nameOf('csv-clean')
  await add(home, `/skills/csv-clean@${name}`)
  const before = home.read('.claude/skills')
  for (const line of ['2', '3', '4']) commit('csv-clean', `Line ${line}.`)
  await site.rebuild()
  const answer = await fetch(`${site.origin}/skills/csv-clean@${name}.zip`)
  expect([answer.status, await answer.text()]).toEqual([
    410,
    expect.stringContaining('no longer kept'),
  ])
  await runSkills(home, 'update', '-g', '-y')
  expect(home.read('.claude/skills')).toEqual(before)
})
