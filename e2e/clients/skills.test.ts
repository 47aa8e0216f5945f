import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Home, fetchZip, startClientSite } from './client.ts'
import type { ClientSite } from './client.ts'

const INDEX = '/.well-known/agent-skills/index.json'
const OLDER_INDEX = '/.well-known/skills/index.json'

let site: ClientSite
let home: Home

beforeAll(async () => {
  site = await startClientSite()
})
afterAll(() => site?.stop())
beforeEach(() => {
  home = new Home()
})
afterEach(() => home.remove())

interface Row {
  id: number
  slug: string
}

const zipPathOf = async (slug: string): Promise<string> => {
  const response = await fetch(`${site.origin}/api/v1/skills?limit=100`)
  const { skills } = (await response.json()) as { skills: Row[] }
  return `/api/skills/download/${skills.find((skill) => skill.slug === slug)?.id}`
}

/** Runs the client, and returns its output and its requests to the server. */
const runSkills = async (
  args: readonly string[],
  options: { cwd?: string } = {},
): Promise<{ output: string; requests: string[] }> => {
  await site.takeRequests()
  const { status, output } = await home.run('skills', args, options)
  expect(status, output).toBe(0)
  return { output, requests: await site.takeRequests() }
}

const FOR_USER = ['-y', '-g', '-a', 'claude-code']

/** The four addresses at which the client looks for an index. */
const indexRequests = (scope: string): string[] => [
  `GET ${scope}${INDEX} 200`,
  `GET ${INDEX} 200`,
  `GET ${scope}${OLDER_INDEX} 404`,
  `GET ${OLDER_INDEX} 404`,
]

const zipsOf = (requests: readonly string[]): string[] =>
  requests.filter((request) => request.includes('/api/skills/download/'))

interface Lock {
  skills: Record<string, Record<string, string>>
}

const readLock = (): Lock =>
  JSON.parse(readFileSync(home.path('.agents/.skill-lock.json'), 'utf8')) as Lock

const edit = (slug: string, text: string): Promise<void> =>
  site.edit(`skills/${slug}/SKILL.md`, (before) => before + text)

describe('skills add', () => {
  test.each(['csv-clean', 'contrast-audit', 'find-skills-here'])(
    '{page of %s} -g: five requests, and the installed folder is valid and equals the zip',
    async (slug) => {
      const zip = await zipPathOf(slug)
      const page = `/skills/${slug}`
      const { requests } = await runSkills(['add', site.origin + page, ...FOR_USER])
      expect(requests).toEqual([...indexRequests(page), `GET ${zip} 200`])
      const installed = `.claude/skills/${slug}`
      expect(home.read(installed)).toEqual(await fetchZip(site.origin + zip))
      expect(readLock().skills[slug]).toMatchObject({
        sourceType: 'well-known',
        sourceBaseUrl: site.origin + page,
        wellKnownDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      })
      const { status, output } = await home.run('skills-ref', ['validate', home.path(installed)])
      expect(status, output).toBe(0)
    },
  )

  test('{page} -a codex in a project', async () => {
    const project = home.makeProject('project')
    const page = `${site.origin}/skills/csv-clean`
    await runSkills(['add', page, '-y', '-a', 'codex'], { cwd: project })
    expect(home.read('project/.agents/skills/csv-clean')).toEqual(
      await fetchZip(site.origin + (await zipPathOf('csv-clean'))),
    )
    const lock = JSON.parse(readFileSync(join(project, 'skills-lock.json'), 'utf8')) as Lock
    expect(lock.skills['csv-clean']).toMatchObject({ sourceType: 'well-known', sourceUrl: page })
  })

  test.each(['zip', '.md', '/SKILL.md'])(
    '{another address of a skill: %s}, with an index at the root: installs the same folder',
    async (address) => {
      const zip = await zipPathOf('csv-clean')
      const scope = address === 'zip' ? zip : `/skills/csv-clean${address}`
      const { requests } = await runSkills(['add', site.origin + scope, ...FOR_USER])
      expect(requests).toEqual([...indexRequests(scope), `GET ${zip} 200`])
      expect(home.read('.claude/skills/csv-clean')).toEqual(await fetchZip(site.origin + zip))
    },
  )

  test.each([
    ['/categories/coding', ['api-error-design', 'flaky-test-triage', 'regression-bisect']],
    ['/authors/registry', ['csv-clean', 'premortem']],
    ['', ['find-skills-here', 'csv-clean', 'premortem']],
  ])('{site}%s --list: lists its skills, with at most 30 requests', async (path, slugs) => {
    const { output, requests } = await runSkills(['add', site.origin + path, '--list'])
    for (const slug of slugs) expect(output).toContain(slug)
    expect(requests.length).toBeLessThanOrEqual(30)
    expect(requests.filter((request) => !/ (?:200|404)$/.test(request))).toEqual([])
  })

  test('{site} -s find-skills-here: its text names this site', async () => {
    await runSkills(['add', site.origin, '-s', 'find-skills-here', ...FOR_USER])
    expect(Object.keys(home.read('.claude/skills'))).toEqual(['find-skills-here/SKILL.md'])
    const text = readFileSync(home.path('.claude/skills/find-skills-here/SKILL.md'), 'utf8')
    expect(text).toContain(`curl -fsS "${site.origin}/api/v1/skills?q=`)
    expect(text).not.toContain('{registry')
  })

  test('{page}: a zip with an additional byte is refused', async () => {
    const path = await zipPathOf('translation-review')
    const file = join(site.outputFolder, 'current/public', path)
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]))
    await site.takeRequests()
    const page = `${site.origin}/skills/translation-review`
    const { status, output } = await home.run('skills', ['add', page, ...FOR_USER])
    const requests = await site.takeRequests()
    writeFileSync(file, bytes)
    expect(status, output).not.toBe(0)
    expect(zipsOf(requests)).toEqual([`GET ${path} 200`])
    expect(readdirSync(home.folder)).not.toContain('.claude')
  })
})

test('skills add {category} -s: only these are installed, each equals its zip, and the lock of the project has the address', async () => {
  const project = home.makeProject('tools')
  const address = `${site.origin}/categories/coding`
  const slugs = ['flaky-test-triage', 'regression-bisect']
  await site.takeRequests()
  const added = await home.run(
    'skills',
    ['add', address, '-s', ...slugs, '-y', '-a', 'claude-code'],
    {
      cwd: project,
    },
  )
  expect(added.status, added.output).toBe(0)
  const requests = await site.takeRequests()
  const zips = await Promise.all(slugs.map(zipPathOf))
  expect(requests).toContain(`GET /categories/coding${INDEX} 200`)
  expect(readdirSync(home.path('tools/.claude/skills')).toSorted()).toEqual(slugs)
  const expectInstalled = async (): Promise<void> => {
    for (const [at, slug] of slugs.entries())
      expect(home.read(`tools/.claude/skills/${slug}`)).toEqual(
        await fetchZip(site.origin + zips[at]!),
      )
  }
  await expectInstalled()
  const lock = JSON.parse(readFileSync(home.path('tools/skills-lock.json'), 'utf8')) as unknown
  expect(lock).toMatchObject({
    skills: Object.fromEntries(slugs.map((slug) => [slug, { sourceUrl: address }])),
  })
  const updated = await home.run('skills', ['update', '-y'], { cwd: project })
  expect(updated.status, updated.output).toBe(0)
  expect((await site.takeRequests()).join('\n')).not.toMatch(/ 5\d\d$/m)
  await expectInstalled()
  const removed = await home.run('skills', ['remove', ...slugs, '-y'], {
    cwd: project,
  })
  expect(removed.status, removed.output).toBe(0)
  expect(() => home.read('tools/.claude/skills/regression-bisect')).toThrow('ENOENT')
})

test('skills use {page}: prints a prompt with the text of the skill', async () => {
  const { output } = await runSkills(['use', `${site.origin}/skills/premortem`])
  expect(output).toContain('# ')
  expect(output).toContain('premortem')
})

describe('skills update -g', () => {
  test('replaces only changed files; a removed or moved skill stays', async () => {
    const slugs = ['estimate-review', 'weekly-review', 'decision-record']
    for (const slug of slugs) await runSkills(['add', `${site.origin}/skills/${slug}`, ...FOR_USER])
    const first = home.read('.claude/skills')

    expect(zipsOf((await runSkills(['update', '-g', '-y'])).requests)).toEqual([])
    expect(home.read('.claude/skills')).toEqual(first)

    const [changed = '', gone = '', moved = ''] = slugs
    await edit(changed, '\nOne line more.\n')
    const zip = await zipPathOf(changed)
    const update = await runSkills(['update', '-g', '-y'])
    expect(zipsOf(update.requests)).toEqual([`GET ${zip} 200`])
    const second = home.read('.claude/skills')
    expect(second).toEqual({
      ...first,
      [`${changed}/SKILL.md`]: (await fetchZip(site.origin + zip))['SKILL.md'],
    })
    expect(second).not.toEqual(first)

    await site.curate('retire', gone)
    await site.curate('move', moved, 'moved-away')
    const last = await runSkills(['update', '-g', '-y'])
    expect(zipsOf(last.requests)).toEqual([])
    expect(last.requests).toContain(`GET /skills/${gone}${INDEX} 404`)
    expect(last.requests).toContain(`GET /skills/${moved}${INDEX} 308`)
    expect(home.read('.claude/skills')).toEqual(second)
  })
})
