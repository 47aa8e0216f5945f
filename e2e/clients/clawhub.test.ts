import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Home, fetchZip, startClientSite } from './client.ts'
import type { ClientSite, Ended } from './client.ts'

const API = '/compat/clawhub/api/v1'

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

const runClawhub = async (...args: string[]): Promise<Ended & { requests: string[] }> => {
  await site.takeRequests()
  const ended = await home.run('clawhub', args, { CLAWHUB_SITE: site.origin })
  return { ...ended, requests: await site.takeRequests() }
}

/** The client makes a file of its own in the folder of a skill. */
const readInstalled = () => {
  const files = Object.entries(home.read('project/skills/csv-clean'))
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.clawhub/')))
}

test('search csv: the skills of the API in its order, with their authors', async () => {
  const { status, output, requests } = await runClawhub('search', 'csv')
  expect(status, output).toBe(0)
  const listing = await fetch(`${site.origin}/api/v1/skills?q=csv`)
  const { skills } = (await listing.json()) as { skills: { slug: string; author: string }[] }
  const lines = output.split('\n').filter((line) => line.includes('@'))
  expect(lines.map((line) => line.trim().split(/\s+/).slice(0, 2))).toEqual(
    skills.map(({ slug, author }) => [slug, `@${author}`]),
  )
  expect(requests).toEqual([
    'GET /.well-known/clawhub.json 200',
    expect.stringMatching(`^GET ${API}/search\\?\\S* 200$|^GET ${API}/search 200$`),
  ])
})

test('explore, and search --prefix, list what can be installed', async () => {
  const explored = await runClawhub('explore')
  expect(explored.status, explored.output).toBe(0)
  expect(explored.output).toMatch(/^csv-clean +v20\d\d\.\d+\.\d+ /m)
  const { output } = await runClawhub('search', 'csv', '--prefix')
  expect(output.match(/^\S+(?= +v20)/gm)).toEqual(expect.arrayContaining(['csv-clean']))
  expect(output).not.toMatch(/^(?!csv)\S+ +v20/m)
})

test('install csv-clean is its zip; update takes a later day, and nothing before', async () => {
  const folders = ['--workdir', home.makeProject('project'), '--dir', 'skills']
  const installed = await runClawhub('install', 'csv-clean', ...folders)
  expect(installed.status, installed.output).toBe(0)
  expect(installed.requests.some((line) => / 404$| 5\d\d$/.test(line))).toBe(false)
  const zip = `${site.origin}/api/skills/download/8`
  expect(readInstalled()).toEqual(await fetchZip(zip))

  const same = await runClawhub('update', 'csv-clean', ...folders)
  expect(same.output).toMatch(/up to date/)
  expect(same.requests.join()).not.toMatch(/download/)

  appendFileSync(join(site.content, 'skills/csv-clean/SKILL.md'), '\nOne line more.\n')
  await site.edit('skills/csv-clean/skill.json', (text) =>
    text.replace(/"updated": "[^"]+"/, '"updated": "2026-12-01"'),
  )
  const updated = await runClawhub('update', 'csv-clean', ...folders)
  expect(updated.status, updated.output).toBe(0)
  expect(updated.output).toContain('2026.12.1')
  expect(String(readInstalled()['SKILL.md'])).toContain('One line more.')
  expect(readInstalled()).toEqual(await fetchZip(zip))
})

test('install no-such-skill says why in one line, without HTML, and leaves nothing', async () => {
  const folders = ['--workdir', home.makeProject('project'), '--dir', 'skills']
  const { status, output, requests } = await runClawhub('install', 'no-such-skill', ...folders)
  expect(status).not.toBe(0)
  // The client prints the body of a failure twice.
  expect(output).toMatch(/^(?:(?:Error: )?There is no skill "no-such-skill"\. [^<\n]+\n){2}$/)
  expect(requests.at(-1)).toBe(`GET ${API}/skills/no-such-skill 404`)
  expect(existsSync(home.path('project/skills/no-such-skill'))).toBe(false)
})

test('skills find csv prints addresses, and skills add installs exactly what it printed', async () => {
  const found = await home.run('skills', ['find', 'csv'], { SKILLS_API_URL: site.origin })
  const [first = ''] = found.output.match(/http:\/\/localhost\S+@\S+/) ?? []
  expect(first).toBe(`${site.origin}/skills/csv-clean@csv-clean`)
  const added = await home.run('skills', ['add', first, '-y', '-g', '-a', 'claude-code'])
  expect(added.status, added.output).toBe(0)
  const zip = await fetchZip(`${site.origin}/api/skills/download/8`)
  expect(home.read('.claude/skills/csv-clean')).toEqual(zip)
  const nobody = ['find', 'csv', '--owner', 'nobody']
  const none = await home.run('skills', nobody, { SKILLS_API_URL: site.origin })
  expect(none.output).toContain('No skills found')
})
