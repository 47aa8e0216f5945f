import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATEGORIES } from '../src/catalog/categories.ts'
import { foldLine, SLUG_LIMIT, isSlug } from '../src/catalog/text.ts'
import { readBigRows } from './big-rows.ts'

/** A skill that is written for a measurement. */
export interface BenchSkill {
  id: number
  slug: string
  name: string
  author: string
  category: string
  description: string
  url: string
  updated: string
  body: string
}

const slugOf = (name: string, id: number): string => {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LIMIT - 10)
    .replace(/^-+|-+$/g, '')
  const slug = `${words || 'skill'}-${id}`
  return isSlug(slug) ? slug : `skill-${id}`
}

const authorOf = (author: string): string =>
  author
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 63) || 'unknown'

const DAYS = 700
const dayOf = (id: number): string =>
  new Date(Date.UTC(2025, 0, 1) + (id % DAYS) * 86_400_000).toISOString().slice(0, 10)

/** Reads the SKILL.md files in a folder, without front matter, shortest first. An empty `folder` means no files. */
export const readBodies = (folder: string): string[] =>
  (folder === '' ? [] : globSync('**/SKILL.md', { cwd: folder }))
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/^---\r?\n[^]*?\n---\r?\n/, ''))
    .filter((body) => body.trim() !== '')
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))

/** Makes a function that picks a text of about the given size, a different text for neighbouring ids. */
const createPicker = (bodies: readonly string[]) => {
  const NEAR = 8
  return (bytes: number, id: number): string => {
    let low = 0
    let high = bodies.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((bodies[middle]?.length ?? 0) < bytes) low = middle + 1
      else high = middle
    }
    return bodies[Math.min(bodies.length - 1, Math.max(0, low - NEAR / 2 + (id % NEAR)))] ?? ''
  }
}

/** Median size of a published SKILL.md, used for rows without a size. */
const USUAL_BYTES = 5_600

/** Reads the first rows of a catalog (gzipped JSON rows), each with a text of its size. */
export const readSkills = (
  catalog: string,
  bodies: readonly string[],
  count: number,
): BenchSkill[] => {
  const pick = createPicker(bodies)
  return readBigRows(catalog)
    .slice(0, count)
    .map((row, at) => {
      const id = at + 1
      const name = foldLine(row.name).slice(0, 100).trim() || `skill ${id}`
      return {
        id,
        slug: slugOf(name, id),
        name,
        author: authorOf(row.author),
        category: CATEGORIES[id % CATEGORIES.length] ?? 'Coding',
        description: foldLine(row.description).slice(0, 1_000).toWellFormed().trim() || name,
        url: `https://github.com/bench/skills/tree/main/${id}`,
        updated: dayOf(id),
        body: `${pick(row.bytes ?? USUAL_BYTES, id)}\n\nText ${id}.\n`,
      }
    })
}

export const writeSkill = (folder: string, { slug, body, url, ...fields }: BenchSkill): void => {
  const home = join(folder, 'skills', slug)
  mkdirSync(home)
  const day = '2026-01-01'
  const source = { kind: 'upstream', url, status: 'alive', checked: day, seen: day }
  writeFileSync(join(home, 'skill.json'), JSON.stringify({ ...fields, source }))
  const front = `---\nname: ${slug.slice(0, 64)}\ndescription: ${JSON.stringify(fields.description)}\n---\n`
  writeFileSync(join(home, 'SKILL.md'), `${front}${body}`)
}

/** Invents counters that are distributed like real ones. */
const countersOf = ({ id }: BenchSkill): [number, object] => [
  id,
  { views: Math.floor(900_000 / id), installs: Math.floor(50_000 / id) },
]

export const writeContent = (folder: string, skills: readonly BenchSkill[]): void => {
  mkdirSync(join(folder, 'skills'), { recursive: true })
  const site = { name: 'Bench', tagline: 'A catalog to measure with', description: 'Measured.' }
  writeFileSync(join(folder, 'site.json'), JSON.stringify(site))
  const counters = Object.fromEntries(skills.map(countersOf))
  writeFileSync(join(folder, 'counters.json'), JSON.stringify(counters))
  for (const skill of skills) writeSkill(folder, skill)
}
