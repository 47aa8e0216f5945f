import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copySkills, runCatalog, startSite } from '../site.ts'
import type { RunningSite } from '../site.ts'
import { Home, fetchZip, listLines } from './client.ts'

// A registry with versions, of which `skills` installs and updates skills.

const INDEX = '/.well-known/agent-skills/index.json'
const OLDER_INDEX = '/.well-known/skills/index.json'

const CODING = ['flaky-test-triage', 'regression-bisect']
const UPDATED = ['estimate-review', 'weekly-review', 'decision-record'] as const
const PINNED = 'plain-language-edit'

let content: string
let site: RunningSite
let home: Home

const git = (...args: string[]): string => {
  const who = ['user.name=Ada', 'user.email=ada@example.org', 'commit.gpgSign=false']
  const options = who.flatMap((one) => ['-c', one])
  const { status, stdout, stderr } = spawnSync('git', [...options, ...args], {
    cwd: content,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

const commit = (): void => {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Change it')
}

/** Adds a line to the SKILL.md of a skill. */
const edit = (slug: string, line: string): void => {
  appendFileSync(join(content, 'skills', slug, 'SKILL.md'), `\n${line}\n`)
  commit()
}

beforeAll(async () => {
  const starter = ['find-skills-here', 'csv-clean', 'premortem']
  content = copySkills([...starter, ...CODING, ...UPDATED, PINNED])
  writeFileSync(join(content, '.gitattributes'), 'skills/** -text\n')
  git('init', '--quiet', '--initial-branch=main')
  commit()
  const record = JSON.parse(readFileSync(join(content, 'site.json'), 'utf8')) as object
  const versions = { since: git('rev-parse', 'HEAD'), keep: 3 }
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...record, starter, versions }))
  site = await startSite({ LOG: 'on', CONTENT_DIR: content })
})
afterAll(async () => {
  await site?.stop()
  rmSync(content, { recursive: true, force: true })
})
beforeEach(() => {
  home = new Home()
})
afterEach(() => home.remove())

const zipPathOf = async (slug: string): Promise<string> => {
  const response = await fetch(`${site.origin}/api/v1/skills?limit=100`)
  const { skills } = (await response.json()) as { skills: { id: number; slug: string }[] }
  return `/api/skills/download/${skills.find((skill) => skill.slug === slug)?.id}`
}

/** Runs the client, and returns its output and its requests to the server. */
const runSkills = async (
  args: readonly string[],
  cwd = home.folder,
): Promise<{ output: string; requests: string[] }> => {
  await site.takeRequests()
  const { status, output } = await home.run('skills', args, { cwd })
  expect(status, output).toBe(0)
  return { output, requests: await site.takeRequests() }
}

const add = (path: string) =>
  runSkills(['add', site.origin + path, '-y', '-g', '-a', 'claude-code'])

const update = () => runSkills(['update', '-g', '-y'])

/** The four addresses at which the client looks for an index. */
const indexRequests = (scope: string): string[] => [
  `GET ${scope}${INDEX} 200`,
  `GET ${INDEX} 200`,
  `GET ${scope}${OLDER_INDEX} 404`,
  `GET ${OLDER_INDEX} 404`,
]

const zipsOf = (requests: readonly string[]): string[] =>
  requests.filter((request) => request.includes('/api/skills/download/'))

const readLock = (path: string) =>
  JSON.parse(readFileSync(home.path(path), 'utf8')) as {
    skills: Record<string, Record<string, string>>
  }

test('the lines of a page check the zip and install the skill', async () => {
  const lines = await listLines(site.origin, 'csv-clean')
  const zip = await zipPathOf('csv-clean')
  const bytes = await (await fetch(site.origin + zip)).arrayBuffer()
  writeFileSync(home.path('csv-clean.zip'), Buffer.from(bytes))
  const check = lines.find((line) => line.endsWith('sha256sum -c'))
  expect(await home.run('sh', ['-c', check ?? ''])).toEqual({
    status: 0,
    output: 'csv-clean.zip: OK\n',
  })
  const install = lines.find((line) => line.startsWith('curl '))
  expect(await home.run('sh', ['-c', install ?? ''])).toMatchObject({ status: 0 })
  expect(home.read('.claude/skills/csv-clean')).toEqual(await fetchZip(site.origin + zip))
  expect(readdirSync(home.path('.claude/skills'))).toEqual(['csv-clean'])
})

describe('skills add', () => {
  test('{page} -g: five requests, and the installed folder is valid and equals the zip', async () => {
    const zip = await zipPathOf('csv-clean')
    const page = '/skills/csv-clean'
    expect((await add(page)).requests).toEqual([...indexRequests(page), `GET ${zip} 200`])
    const installed = `.claude/skills/csv-clean`
    expect(home.read(installed)).toEqual(await fetchZip(site.origin + zip))
    expect(readLock('.agents/.skill-lock.json').skills['csv-clean']).toMatchObject({
      sourceType: 'well-known',
      sourceBaseUrl: site.origin + page,
      wellKnownDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
    })
    const { status, output } = await home.run('skills-ref', ['validate', home.path(installed)])
    expect(status, output).toBe(0)
  })

  test('{another address of a skill} -g, with an index at the root: installs the same folder', async () => {
    const zip = await zipPathOf('csv-clean')
    const { requests } = await add('/skills/csv-clean.md')
    expect(requests).toEqual([...indexRequests('/skills/csv-clean.md'), `GET ${zip} 200`])
    expect(home.read('.claude/skills/csv-clean')).toEqual(await fetchZip(site.origin + zip))
  })

  test('{site} --list: lists its starter set; -s: installs one, whose text names this site', async () => {
    const { output, requests } = await runSkills(['add', site.origin, '--list'])
    for (const slug of ['find-skills-here', 'csv-clean', 'premortem'])
      expect(output).toContain(slug)
    expect(requests.filter((request) => !/ (?:200|404)$/.test(request))).toEqual([])
    await runSkills(['add', site.origin, '-s', 'find-skills-here', '-y', '-g', '-a', 'claude-code'])
    expect(Object.keys(home.read('.claude/skills'))).toEqual(['find-skills-here/SKILL.md'])
    const text = readFileSync(home.path('.claude/skills/find-skills-here/SKILL.md'), 'utf8')
    expect(text).toContain(`curl -fsS "${site.origin}/api/v1/skills?q=`)
    expect(text).not.toContain('{registry')
  })

  test('{page}: a zip with an additional byte is refused', async () => {
    const path = await zipPathOf('premortem')
    const file = join(site.outputFolder, 'current/public', path)
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]))
    await site.takeRequests()
    const page = `${site.origin}/skills/premortem`
    const { status, output } = await home.run('skills', ['add', page, '-y', '-g'])
    const requests = await site.takeRequests()
    writeFileSync(file, bytes)
    expect(status, output).not.toBe(0)
    expect(zipsOf(requests)).toEqual([`GET ${path} 200`])
    expect(readdirSync(home.folder)).not.toContain('.claude')
  })

  test('{category} -s in a project: only these are installed, updated and removed, and the lock has the address', async () => {
    const project = home.makeProject('tools')
    const address = `${site.origin}/categories/coding`
    const { requests } = await runSkills(
      ['add', address, '-s', ...CODING, '-y', '-a', 'claude-code'],
      project,
    )
    expect(requests).toContain(`GET /categories/coding${INDEX} 200`)
    expect(readdirSync(home.path('tools/.claude/skills')).toSorted()).toEqual(CODING)
    const installed = home.read('tools/.claude/skills/regression-bisect')
    expect(installed).toEqual(await fetchZip(site.origin + (await zipPathOf('regression-bisect'))))
    expect(readLock('tools/skills-lock.json')).toMatchObject({
      skills: Object.fromEntries(CODING.map((slug) => [slug, { sourceUrl: address }])),
    })
    const updated = await runSkills(['update', '-y'], project)
    expect(updated.requests.join('\n')).not.toMatch(/ 5\d\d$/m)
    expect(home.read('tools/.claude/skills/regression-bisect')).toEqual(installed)
    await runSkills(['remove', ...CODING, '-y'], project)
    expect(existsSync(home.path('tools/.claude/skills/regression-bisect'))).toBe(false)
  })
})

test('skills use {page}: prints a prompt with the text of the skill', async () => {
  const { output } = await runSkills(['use', `${site.origin}/skills/premortem`])
  expect(output).toContain('# ')
  expect(output).toContain('premortem')
})

test('skills update -g: replaces only changed files; a removed, moved or pinned skill stays', async () => {
  for (const slug of UPDATED) await add(`/skills/${slug}`)
  const { pin } = (await (await fetch(`${site.origin}/skills/${PINNED}.json`)).json()) as {
    pin: { name: string }
  }
  const pinned = `/skills/${PINNED}@${pin.name}`
  await add(pinned)
  const first = home.read('.claude/skills')
  expect(zipsOf((await update()).requests)).toEqual([])
  expect(home.read('.claude/skills')).toEqual(first)

  const [changed, gone, moved] = UPDATED
  const zip = await zipPathOf(changed)
  edit(changed, 'One line more.')
  edit(PINNED, 'One line more.')
  runCatalog(content, ['retire', gone])
  runCatalog(content, ['move', moved, 'moved-away'])
  commit()
  await site.rebuild()
  const { requests } = await update()
  expect(zipsOf(requests)).toEqual([`GET ${zip} 200`])
  expect(requests).toContain(`GET /skills/${gone}${INDEX} 404`)
  expect(requests).toContain(`GET /skills/${moved}${INDEX} 308`)
  const second = home.read('.claude/skills')
  expect(second).toEqual({
    ...first,
    [`${changed}/SKILL.md`]: (await fetchZip(site.origin + zip))['SKILL.md'],
  })
  expect(second).not.toEqual(first)

  const other = new Home()
  await other.run('skills', ['add', site.origin + pinned, '-y', '-g', '-a', 'claude-code'])
  expect(other.read(`.claude/skills/${PINNED}`)).toEqual(home.read(`.claude/skills/${PINNED}`))
  other.remove()
  expect(await (await fetch(site.origin + pinned)).text()).toContain('A newer version is current')

  for (const line of ['2', '3', '4']) edit(PINNED, `Line ${line}.`)
  await site.rebuild()
  const answer = await fetch(`${site.origin}${pinned}.zip`)
  expect([answer.status, await answer.text()]).toEqual([
    410,
    expect.stringContaining('no longer kept'),
  ])
  await update()
  expect(home.read('.claude/skills')).toEqual(second)
})
