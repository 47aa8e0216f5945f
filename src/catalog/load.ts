import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import {
  ADVISORIES_FILE,
  COPIES_FILE,
  SOURCE_STATE_FILE,
  findStrayCopies,
  findLostMoves,
  resolveMoves,
  findStarter,
} from './references.ts'
import { nameCategories } from './categories.ts'
import { findNearest, listNearest } from './nearest-name.ts'
import { findPolicyBreaches } from './policy.ts'
import type { JudgedSkill } from './policy.ts'
import { FrontMatterError, parseTextFields, splitSkillMd } from './front-matter.ts'
import { ContentError, listProblems, readPlainFile, readRecord } from './problems.ts'
import type { Problem } from './problems.ts'
import {
  advisoryRecords,
  copyRecords,
  counterRecords,
  proseRecord,
  retiredRecords,
  siteRecord,
  sourceState,
} from './schema.ts'
import { SLUG_RULE, isSlug } from './text.ts'
import type { Copies, Retired } from './schema.ts'
import type { Skill, SkillFacts } from './skill.ts'
import { loadSkill } from './skill-folder.ts'

/** One of the registry's own blog posts or pages, in Markdown. */
export interface Prose {
  slug: string
  title: string
  description: string
  author?: string | undefined
  /** Day it was published, YYYY-MM-DD. */
  date: string
  /** Day of its last change, YYYY-MM-DD. */
  updated: string
  markdown: string
}

/** Which posts and pages a site has. */
export interface Publication {
  /** The day of the build, YYYY-MM-DD in UTC; later posts and pages wait. */
  today: string
  /** Whether drafts and later ones are there too, with a mark in their title. */
  hasDrafts: boolean
}

/** A content folder, read and checked. */
export interface Catalog {
  site: z.infer<typeof siteRecord>
  /** Every skill that has a page, by id. */
  skills: Skill[]
  /** Slugs of skills whose source was never seen; they are not shown anywhere. */
  untraced: string[]
  retired: Retired[]
  /** The original of each copy, by id. */
  copies: Copies
  /** Whether it has counters. */
  isCounted: boolean
  /** Newest first. */
  posts: Prose[]
  pages: Prose[]
}

/** Reads an optional JSON file; adds its problems to `problems`. */
export const readOptional = <Schema extends z.ZodType>(
  folder: string,
  file: string,
  schema: Schema,
  problems: Problem[],
): z.infer<Schema> | undefined => {
  const path = join(folder, file)
  return existsSync(path)
    ? readRecord(file, () => readPlainFile(path).toString('utf8'), schema, problems)
    : undefined
}

/** Finds duplicate ids or slugs; each problem names the skill that has them, and `advice` what to take. */
const findTaken = (
  skills: readonly Named[],
  taken: ReadonlyMap<string | number, string>,
  field: 'id' | 'slug',
  advice: string,
): Problem[] => {
  const users = new Map(taken)
  return skills.flatMap((skill) => {
    const key = skill[field]
    const user = users.get(key)
    if (user === undefined) {
      users.set(key, `skills/${skill.slug}`)
      return []
    }
    const remedy = `is taken by ${user}; ${advice}`
    return [{ file: `skills/${skill.slug}/skill.json`, field, value: key, remedy }]
  })
}

const PROSE_FIELDS = Object.keys(proseRecord.shape)

/** Why a text is not published on a day; undefined if it is. */
const describeWait = (
  { draft, date }: z.infer<typeof proseRecord>,
  today: string,
): string | undefined => {
  if (draft === 'true') return 'draft'
  return date > today ? `from ${date}` : undefined
}

const loadPage = (
  path: string,
  file: string,
  slug: string,
  publication: Publication | undefined,
  problems: Problem[],
): Prose[] => {
  let text = ''
  try {
    text = readPlainFile(path).toString('utf8')
  } catch (error) {
    problems.push({ file, field: '', remedy: `cannot be read: ${(error as Error).message}` })
    return []
  }
  let fields: object
  try {
    fields = parseTextFields(text, PROSE_FIELDS)
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    problems.push({ file, field: '', remedy: `line ${error.line}: ${error.message}` })
    return []
  }
  const checked = proseRecord.safeParse(fields)
  if (!checked.success) {
    problems.push(...listProblems(file, fields, checked.error, proseRecord))
    return []
  }
  const { updated = checked.data.date, draft: _, ...rest } = checked.data
  const wait = publication && describeWait(checked.data, publication.today)
  if (wait !== undefined && !publication?.hasDrafts) return []
  const title = wait === undefined ? rest.title : `${rest.title} (${wait})`
  return [{ slug, ...rest, title, updated, markdown: splitSkillMd(text).body }]
}

/** First path segments that the registry itself uses. */
const TAKEN_NAMES: ReadonlySet<string> = new Set(
  '404 answered api authors b blog bundles categories feeds files healthz mcp previews readyz skills stats'.split(
    ' ',
  ),
)

/** Names of `pages/` below /docs that generated pages use. */
const TAKEN_DOCS: ReadonlySet<string> = new Set(['docs-api', 'docs-directories', 'docs-safety'])

const isTakenPage = (slug: string): boolean => TAKEN_NAMES.has(slug) || TAKEN_DOCS.has(slug)

/** Reads the Markdown files of `blog/` or `pages/` that are published, newest first. */
const loadProse = (
  content: string,
  kind: 'blog' | 'pages',
  publication: Publication | undefined,
  problems: Problem[],
): Prose[] => {
  const folder = join(content, kind)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
  const found = names.flatMap((name) => {
    const slug = name.replace(/\.md$/, '')
    const file = `${kind}/${name}`
    if (!name.endsWith('.md') || !isSlug(slug)) {
      problems.push({ file, field: 'slug', remedy: `the name is the slug and .md: ${SLUG_RULE}` })
      return []
    }
    if (kind === 'pages' && isTakenPage(slug)) {
      const address = `/${slug.replace(/^docs-/, 'docs/')}`
      const remedy = `${address} is a page of the registry itself; give the file another name, such as about-${slug}.md`
      problems.push({ file, field: 'slug', value: slug, remedy })
      return []
    }
    return loadPage(join(folder, name), file, slug, publication, problems)
  })
  return found.sort((a, b) =>
    a.date < b.date ? 1 : a.date > b.date ? -1 : a.slug < b.slug ? -1 : 1,
  )
}

/** Largest picture of a site, which each of its readers loads. */
const PICTURE_LIMIT = 64 * 1024

const isPicture = (text: string, isPng: boolean): boolean =>
  isPng ? text.startsWith('\x89PNG\r\n\x1A\n') && text.includes('IEND') : text.includes('<svg')

/** Reads a picture beside site.json into an SVG that shows it: as an image in an image, it can run nothing. */
const loadPicture = (
  folder: string,
  field: 'logo' | 'favicon',
  file: string | undefined,
  problems: Problem[],
): string | undefined => {
  if (file === undefined) return undefined
  const isPng = file.endsWith('.png')
  const stats = statSync(join(folder, file), { throwIfNoEntry: false })
  const isShort = stats?.isFile() === true && stats.size <= PICTURE_LIMIT
  const bytes = isShort ? readFileSync(join(folder, file)) : Buffer.alloc(0)
  if (isPicture(bytes.toString('latin1'), isPng)) {
    const data = `data:image/${isPng ? 'png' : 'svg+xml'};base64,${bytes.toString('base64')}`
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><image width="32" height="32" href="${data}"/></svg>\n`
  }
  const kind = isPng ? 'PNG' : 'SVG'
  const remedy = `is not a ${kind} of at most ${PICTURE_LIMIT / 1024} KiB beside site.json; put one there`
  problems.push({ file: 'site.json', field, value: file, remedy })
  return undefined
}

const EMPTY_SITE: Catalog['site'] = { name: '', tagline: '', description: '' }

/** Lists the folders of `skills/`, each named after its slug. */
export const listSlugs = (content: string): string[] => {
  const folder = join(content, 'skills')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
    .map((entry) => entry.name)
    .sort()
}

/** The registries that have another skill of the name of one of ours, by slug. */
const readNamesakes = (folder: string, problems: Problem[]): ReadonlyMap<string, string[]> => {
  const { read = {} } = readOptional(folder, SOURCE_STATE_FILE, sourceState, problems) ?? {}
  const namesakes = new Map<string, string[]>()
  for (const { address, shadowed = [] } of Object.values(read))
    for (const slug of shadowed) namesakes.set(slug, [...(namesakes.get(slug) ?? []), address])
  return namesakes
}

/**
 * Reads a content folder without its skills, and its problems; without a `publication`, all posts and pages.
 * Throws ContentError if the folder does not exist.
 */
export const loadSiteContent = (folder: string, publication?: Publication) => {
  const problems: Problem[] = []
  if (!existsSync(folder)) {
    const remedy = 'no such content folder; set CONTENT_DIR to one that has site.json and skills/'
    throw new ContentError([{ file: folder, field: '', remedy }])
  }
  const site = readOptional(folder, 'site.json', siteRecord, problems) ?? EMPTY_SITE
  if (!existsSync(join(folder, 'site.json'))) {
    problems.push({ file: 'site.json', field: '', remedy: 'is missing; it names the registry' })
  }
  const logo = loadPicture(folder, 'logo', site.logo, problems)
  const favicon = loadPicture(folder, 'favicon', site.favicon, problems) ?? logo
  const pictures = { logo, favicon }
  const counters = readOptional(folder, 'counters.json', counterRecords, problems) ?? {}
  const retired = readOptional(folder, 'retired.json', retiredRecords, problems) ?? []
  const copies = readOptional(folder, COPIES_FILE, copyRecords, problems) ?? {}
  const advisories = readOptional(folder, ADVISORIES_FILE, advisoryRecords, problems) ?? []
  if (advisories.length > 0 && site !== EMPTY_SITE && !site.versions) {
    const remedy =
      'site.json has no "versions", so nothing would be withdrawn; put them back (npm run versions), or remove this file'
    problems.push({ file: ADVISORIES_FILE, field: '', remedy })
  }
  const namesakes = readNamesakes(folder, problems)
  const posts = loadProse(folder, 'blog', publication, problems)
  const pages = loadProse(folder, 'pages', publication, problems)
  const isCounted = Object.keys(counters).length > 0
  return {
    site,
    pictures,
    counters,
    isCounted,
    retired,
    copies,
    advisories,
    namesakes,
    posts,
    pages,
    problems,
  }
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

/** Finds duplicate and retired ids and slugs, and moves that lead to no skill. */
const findClashes = (skills: readonly Named[], rows: Catalog['retired']): Problem[] => {
  const ids = new Map(skills.map(({ slug, id }) => [slug, id]))
  // A stopped `retire` or `move` leaves a row whose skill is still there.
  const retired = rows.filter(({ slug, id }) => ids.get(slug) !== id)
  // A moved skill keeps its id, so the rows of its former slugs have the same one.
  const own = new Set(
    resolveMoves(retired, skills)
      .filter(({ id, to }) => id === to.id)
      .map(({ slug }) => slug),
  )
  const others = retired.filter(({ slug }) => !own.has(slug))
  const retiredIds = new Map(others.map((row) => [row.id, 'a retired skill']))
  const retiredSlugs = new Map(retired.map((row) => [row.slug, 'a retired skill']))
  const nextId = [...skills, ...retired].reduce((most, { id }) => Math.max(most, id), 0) + 1
  return [
    ...findTaken(skills, retiredIds, 'id', `the next free id is ${nextId}`),
    ...findTaken(skills, retiredSlugs, 'slug', 'slugs are never reused, so rename the folder'),
    ...findTwiceRetired(rows),
    ...findLostMoves(rows, skills),
  ]
}

/** Finds skills in categories that the registry does not have, or no longer. */
const findStrangers = (names: readonly string[], skills: readonly SkillFacts[]): Problem[] =>
  skills
    .filter(({ category }) => !names.includes(category))
    .map(({ slug, category: value }) => {
      const all = names.map((name) => `"${name}"`).join(', ')
      const remedy = `must be one of ${all}; did you mean "${findNearest(value, names)}"?`
      return { file: `skills/${slug}/skill.json`, field: 'category', value, remedy }
    })

/** Finds deprecated skills that send readers to none, to themselves, or to one that is deprecated too. */
const findLostSuccessors = (
  skills: readonly SkillFacts[],
  retired: Catalog['retired'],
): Problem[] => {
  const bySlug = new Map(skills.filter((one) => !isUntraced(one)).map((one) => [one.slug, one]))
  const moves = new Map(resolveMoves(retired, skills).map(({ slug, to }) => [slug, to.slug]))
  const explain = (slug: string, use: string): string | undefined => {
    const next = bySlug.get(moves.get(use) ?? use)
    if (next?.slug === slug) return 'is the skill itself; name another, or leave it out'
    if (next) return next.deprecated && 'is deprecated itself; name another, or leave it out'
    const [nearest] = listNearest(use, [...bySlug.keys()])
    const meant =
      nearest === undefined ? 'name another, or leave it out' : `did you mean "${nearest}"?`
    return `is no skill that has a page; ${meant}`
  }
  return skills.flatMap(({ slug, deprecated }) => {
    const value = deprecated?.use
    const remedy = value === undefined ? undefined : explain(slug, value)
    if (remedy === undefined) return []
    return [{ file: `skills/${slug}/skill.json`, field: 'deprecated.use', value, remedy }]
  })
}

/** Finds what is wrong with a catalog as a whole, each skill of which can be read. */
export const findMisfits = (
  { site, retired, copies }: Pick<Catalog, 'site' | 'retired' | 'copies'>,
  skills: readonly JudgedSkill[],
): Problem[] => [
  // Of a site.json that cannot be read, nobody knows the categories.
  ...(site === EMPTY_SITE ? [] : findStrangers(nameCategories(site), skills)),
  ...findPolicyBreaches(
    site.policy,
    skills.filter((skill) => !isUntraced(skill)),
  ),
  ...findLostSuccessors(skills, retired),
  ...findClashes(skills, retired),
  ...findStrayCopies(copies),
  ...findStarter(
    site.starter ?? [],
    skills.filter((skill) => !isUntraced(skill)),
    retired,
  ).problems,
]

/**
 * Reads and checks a content folder.
 * Throws ContentError with every problem at once: file, field, value and remedy.
 */
export const loadCatalog = (folder: string): Catalog => {
  const { counters, problems, ...content } = loadSiteContent(folder)
  const loaded = listSlugs(folder).map((slug) => loadSkill(folder, slug, counters))
  const skills = loaded.flatMap((result) => (result.skill ? [result.skill] : []))
  problems.push(...loaded.flatMap((result) => result.problems), ...findMisfits(content, skills))
  if (problems.length > 0) throw new ContentError(problems)
  return {
    ...content,
    skills: skills.filter((skill) => !isUntraced(skill)).sort((a, b) => a.id - b.id),
    untraced: skills.filter(isUntraced).map((skill) => skill.slug),
  }
}

/** A skill whose source was never seen is not shown anywhere. */
export const isUntraced = ({ source }: Pick<Skill, 'source'>): boolean =>
  source.kind === 'upstream' && source.status === 'untraced'
