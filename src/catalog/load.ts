import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Catalog } from './catalog.ts'
import { COPIES_FILE, findStrayCopies } from './copies.ts'
import { loadProse } from './load-prose.ts'
import { loadSkill } from './load-skill.ts'
import { findLostMoves, resolveMoves } from './moves.ts'
import { ContentError, problemsOf } from './problems.ts'
import type { Problem } from './problems.ts'
import { copyRecords, counterRecords, retiredRecords, siteRecord } from './schema.ts'
import type { Skill } from './skill.ts'

const readRecord = <Schema extends z.ZodType>(
  folder: string,
  file: string,
  schema: Schema,
  problems: Problem[],
): z.infer<Schema> | undefined => {
  const path = join(folder, file)
  if (!existsSync(path)) return undefined
  let input: unknown
  try {
    input = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    problems.push({ file, field: '', remedy: `is not JSON: ${(error as Error).message}` })
    return undefined
  }
  const checked = schema.safeParse(input)
  if (checked.success) return checked.data
  problems.push(...problemsOf(file, input, checked.error))
  return undefined
}

const listFolders = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
        .map((entry) => entry.name)
        .sort()
    : []

/** Finds values that two or more records share; each sharer is a problem that names the first. */
const findDuplicates = (
  skills: readonly Named[],
  taken: ReadonlyMap<string | number, string>,
  keyOf: (skill: Named) => string | number,
  field: string,
): Problem[] => {
  // That there are none is known sooner than which ones there are, and asked at every build.
  if (taken.size === 0 && new Set(skills.map(keyOf)).size === skills.length) return []
  const holders = new Map(taken)
  return skills.flatMap((skill) => {
    const key = keyOf(skill)
    const holder = holders.get(key)
    if (holder === undefined) {
      holders.set(key, `skills/${skill.slug}`)
      return []
    }
    const remedy = `is already given to ${holder}; ids and slugs are never given twice`
    return [{ file: `skills/${skill.slug}/skill.json`, field, value: String(key), remedy }]
  })
}

const EMPTY_SITE = { name: '', tagline: '', description: '' }

/** What a content folder says beside its skills, and what is wrong with it. */
export interface ContentFrame extends Omit<Catalog, 'skills' | 'untraced'> {
  counters: Counters
  problems: Problem[]
}

type Counters = z.infer<typeof counterRecords>

/** Lists the folders of `skills/`, each named after its slug. */
export const listSlugs = (content: string): string[] => listFolders(join(content, 'skills'))

/** Reads what a content folder says beside its skills. Throws ContentError where there is no folder. */
export const loadFrame = (folder: string): ContentFrame => {
  const problems: Problem[] = []
  if (!existsSync(folder)) {
    const remedy = 'no such content folder; set CONTENT_DIR to one that has site.json and skills/'
    throw new ContentError([{ file: folder, field: '', remedy }])
  }
  const site = readRecord(folder, 'site.json', siteRecord, problems) ?? EMPTY_SITE
  if (!existsSync(join(folder, 'site.json'))) {
    problems.push({ file: 'site.json', field: '', remedy: 'is missing; it names the registry' })
  }
  const counters = readRecord(folder, 'counters.json', counterRecords, problems) ?? {}
  const retired = readRecord(folder, 'retired.json', retiredRecords, problems) ?? []
  const copies = readRecord(folder, COPIES_FILE, copyRecords, problems) ?? {}
  const posts = loadProse(folder, 'blog', problems)
  const pages = loadProse(folder, 'pages', problems)
  return { site, counters, retired, copies, posts, pages, problems }
}

type Named = Pick<Skill, 'id' | 'slug'>

const findTwiceRetired = (retired: Catalog['retired']): Problem[] => {
  const seen = new Set<string>()
  return retired.flatMap(({ slug }, at) => {
    if (!seen.has(slug)) {
      seen.add(slug)
      return []
    }
    const remedy = 'is retired twice; keep one of the two'
    return [{ file: 'retired.json', field: `${at}.slug`, value: slug, remedy }]
  })
}

/** Finds ids and slugs that are given twice, or again, and moves that lead to no skill. */
export const findClashes = (skills: readonly Named[], retired: Catalog['retired']): Problem[] => {
  // A skill that moved keeps its id, so the rows of its former slugs have it too.
  const own = new Set(
    resolveMoves(retired, skills)
      .filter(({ id, to }) => id === to.id)
      .map(({ slug }) => slug),
  )
  const others = retired.filter(({ slug }) => !own.has(slug))
  const retiredIds = new Map(others.map((one) => [one.id, 'a retired skill']))
  const retiredSlugs = new Map(retired.map((one) => [one.slug, 'a retired skill']))
  return [
    ...findDuplicates(skills, retiredIds, (skill) => skill.id, 'id'),
    ...findDuplicates(skills, retiredSlugs, (skill) => skill.slug, 'slug'),
    ...findTwiceRetired(retired),
    ...findLostMoves(retired, skills),
  ]
}

/**
 * Reads and checks a content folder.
 * Throws ContentError with every problem at once: file, field, value and remedy.
 */
export const loadCatalog = (folder: string): Catalog => {
  const { counters, problems, ...frame } = loadFrame(folder)
  const loaded = listSlugs(folder).map((slug) => loadSkill(folder, slug, counters))
  const skills = loaded.flatMap((result) => (result.skill ? [result.skill] : []))
  problems.push(
    ...loaded.flatMap((result) => result.problems),
    ...findClashes(skills, frame.retired),
    ...findStrayCopies(frame.copies),
  )
  if (problems.length > 0) throw new ContentError(problems)
  return {
    ...frame,
    skills: skills.filter((skill) => !isUntraced(skill)).sort((a, b) => a.id - b.id),
    untraced: skills.filter(isUntraced).map((skill) => skill.slug),
  }
}

/** Says whether a skill's source was never seen: it appears nowhere (decisions, "Visibility"). */
export const isUntraced = ({ source }: Pick<Skill, 'source'>): boolean =>
  source.kind === 'upstream' && source.status === 'untraced'
