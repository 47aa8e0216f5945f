import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
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

/** Runs the client, and tells what it asked the server for. */
const runSkills = async (...args: string[]): Promise<{ output: string; requests: string[] }> => {
  await site.takeRequests()
  const { status, output } = await home.run('skills', args)
  expect(status, output).toBe(0)
  return { output, requests: await site.takeRequests() }
}

test.each(['csv-clean', 'contrast-audit', 'premortem', 'readme-writing', 'ab-test-readout'])(
  'skills add {page of %s} -g: the folder is the zip, by five requests',
  async (slug) => {
    const zip = await zipPathOf(slug)
    const page = `/skills/${slug}`
    const { requests } = await runSkills('add', site.origin + page, '-y', '-g', '-a', 'claude-code')
    expect(requests).toEqual([
      `GET ${page}${INDEX} 200`,
      expect.stringContaining(`GET ${INDEX} `),
      `GET ${page}${OLDER_INDEX} 404`,
      `GET ${OLDER_INDEX} 404`,
      `GET ${zip} 200`,
    ])
    expect(home.read(`.claude/skills/${slug}`)).toEqual(await fetchZip(site.origin + zip))
    const lock = JSON.parse(readFileSync(home.path('.agents/.skill-lock.json'), 'utf8')) as unknown
    expect(lock).toMatchObject({
      skills: {
        [slug]: {
          sourceType: 'well-known',
          sourceBaseUrl: site.origin + page,
          wellKnownDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        },
      },
    })
  },
)

test('skills add {bundle}: each folder is its zip, and the address is in the lock of the project', async () => {
  const project = home.makeProject('tools')
  const address = `${site.origin}/b/csv-clean+premortem`
  await site.takeRequests()
  const added = await home.run('skills', ['add', address, '-y', '-a', 'claude-code'], {
    cwd: project,
  })
  expect(added.status, added.output).toBe(0)
  const requests = await site.takeRequests()
  const zips = await Promise.all(['csv-clean', 'premortem'].map(zipPathOf))
  expect(requests).toContain(`GET /b/csv-clean+premortem${INDEX} 200`)
  expect(requests.filter((one) => one.includes('/download/')).toSorted()).toEqual(
    zips.map((zip) => `GET ${zip} 200`).toSorted(),
  )
  const expectInstalled = async (): Promise<void> => {
    for (const [at, slug] of ['csv-clean', 'premortem'].entries())
      expect(home.read(`tools/.claude/skills/${slug}`)).toEqual(
        await fetchZip(site.origin + zips[at]!),
      )
  }
  await expectInstalled()
  const lock = JSON.parse(readFileSync(home.path('tools/skills-lock.json'), 'utf8')) as unknown
  expect(lock).toMatchObject({
    skills: { 'csv-clean': { sourceUrl: address }, premortem: { sourceUrl: address } },
  })
  const updated = await home.run('skills', ['update', '-y'], { cwd: project })
  expect(updated.status, updated.output).toBe(0)
  expect((await site.takeRequests()).join('\n')).not.toMatch(/ 5\d\d$/m)
  await expectInstalled()
  const removed = await home.run('skills', ['remove', 'csv-clean', 'premortem', '-y'], {
    cwd: project,
  })
  expect(removed.status, removed.output).toBe(0)
  expect(() => home.read('tools/.claude/skills/csv-clean')).toThrow('ENOENT')
})
