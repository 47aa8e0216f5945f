import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, runCatalog, startSite } from './site.ts'
import type { RunningSite } from './site.ts'

const SLUGS = ['csv-clean', 'chart-choice', 'premortem', 'readme-writing'] as const
const [MOVED, REPLACED, RETIRED, UNCHANGED] = SLUGS

let content = ''
let site: RunningSite

const ask = async (path: string) => {
  const { status, headers } = await fetch(site.origin + path, { redirect: 'manual' })
  return { status, location: headers.get('location') }
}

const idOf = async (slug: string): Promise<number | undefined> => {
  const response = await fetch(`${site.origin}/api/v1/skills?limit=100`)
  const { skills } = (await response.json()) as { skills: { id: number; slug: string }[] }
  return skills.find((skill) => skill.slug === slug)?.id
}

beforeAll(async () => {
  content = mkdtempSync(join(tmpdir(), 'skill-registry-moves-'))
  mkdirSync(join(content, 'skills'))
  const record = JSON.parse(readFileSync(join(ROOT, 'content/site.json'), 'utf8')) as object
  const starter = [UNCHANGED, MOVED, REPLACED]
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...record, starter }))
  for (const slug of SLUGS) {
    cpSync(join(ROOT, 'content/skills', slug), join(content, 'skills', slug), { recursive: true })
  }
  runCatalog(content, ['move', MOVED, 'between'])
  runCatalog(content, ['move', 'between', 'renamed'])
  for (const retired of [REPLACED, RETIRED]) runCatalog(content, ['retire', retired])
  // By hand, a curator can redirect the addresses of a retired skill to another skill.
  const file = join(content, 'retired.json')
  const slug = `"slug": "${REPLACED}"`
  writeFileSync(file, readFileSync(file, 'utf8').replace(slug, `${slug}, "movedTo": "renamed"`))
  site = await startSite({ CONTENT_DIR: content })
})
afterAll(async () => {
  await site?.stop()
  rmSync(content, { recursive: true, force: true })
})

test('every former address of a skill answers 308 with its current address, in one step', async () => {
  for (const slug of [MOVED, REPLACED, 'between']) {
    expect(await ask(`/skills/${slug}?from=x`)).toEqual({
      status: 308,
      location: '/skills/renamed?from=x',
    })
  }
})

test('a starter set with former slugs contains the current skill, once', async () => {
  const index = await fetch(`${site.origin}/.well-known/agent-skills/index.json`)
  const { skills } = (await index.json()) as { skills: { name: string }[] }
  expect(skills.map(({ name }) => name)).toEqual([UNCHANGED, 'renamed'])
})

test('the zip address of a replaced skill answers 308 with the address of the other skill’s zip', async () => {
  const now = await idOf('renamed')
  const record = join(ROOT, 'content/skills', REPLACED, 'skill.json')
  const { id } = JSON.parse(readFileSync(record, 'utf8')) as { id: number }
  expect(id).not.toBe(now)
  expect(await ask(`/api/skills/download/${id}`)).toEqual({
    status: 308,
    location: `/api/skills/download/${now}`,
  })
  expect((await fetch(`${site.origin}/api/skills/download/${id}`)).status).toBe(200)
})

test('a retired skill answers 404, and no list contains it or a former slug', async () => {
  expect((await ask(`/skills/${RETIRED}`)).status).toBe(404)
  for (const path of ['/api/v1/skills?limit=100', '/skills', '/sitemap.xml', '/llms.txt']) {
    const text = await (await fetch(site.origin + path)).text()
    expect(text).not.toMatch(new RegExp(`skills/(?:${SLUGS.slice(0, 3).join('|')}|between)\\b`))
    expect(text).not.toMatch(new RegExp(`"slug":"(?:${SLUGS.slice(0, 3).join('|')}|between)"`))
  }
})
