import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import {
  ADVISORIES_FILE,
  findLostMoves,
  findStarter,
  mapMoves,
  resolveMoves,
} from './references.ts'
import { nameCategories } from './categories.ts'
import { findLeftOut } from './left-out.ts'
import { listNearest, suggestNearest } from './nearest-name.ts'
import { findPolicyBreaches } from './policy.ts'
import type { JudgedSkill } from './policy.ts'
import type { Identified } from './references.ts'
import { FrontMatterError, parseTextFields, splitSkillMd } from './front-matter.ts'
import {
  ContentError,
  listProblems,
  quoteAll,
  readPlainFile,
  readRecord,
  refuseField,
  refuseFile,
} from './problems.ts'
import type { Problem } from './problems.ts'
import {
  advisoryRecords,
  counterRecords,
  proseRecord,
  retiredRecords,
  siteRecord,
} from './schema.ts'
import { SLUG_RULE, isSlug } from './text.ts'
import type { Retired } from './schema.ts'
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

/** Decides which posts and pages a site has. */
export interface Publication {
  /** The day of the build, YYYY-MM-DD in UTC; posts and pages with a later date are left out. */
  today: string
  /** Whether to include drafts, and texts with a later date, with a mark in their title. */
  hasDrafts: boolean
}

/** A content folder, read and checked. */
export interface Catalog {
  site: z.infer<typeof siteRecord>
  /** All skills that have a page, sorted by id. */
  skills: Skill[]
  retired: Retired[]
  /** Whether the folder has counters. */
  isCounted: boolean
  /** Newest first. */
  posts: Prose[]
  pages: Prose[]
}

/** Reads an optional JSON file, and adds its problems to `problems`. */
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

/** Finds ids or slugs with more than one user, at each of them. The remedy names another user, and how to mend it. */
const findTaken = (
  skills: readonly Identified[],
  retired: ReadonlySet<string | number>,
  field: 'id' | 'slug',
  adviseOn: (slug: string) => string,
): Problem[] => {
  const users = Map.groupBy(skills, (skill) => skill[field])
  return skills.flatMap((skill) => {
    const key = skill[field]
    const other = users.get(key)!.find(({ slug }) => slug !== skill.slug)
    if (!other && !retired.has(key)) return []
    const remedy = `is taken by ${other ? `skills/${other.slug}` : 'a retired skill'}; ${adviseOn(skill.slug)}`
    return [refuseField(`skills/${skill.slug}/skill.json`, field, key, remedy)]
  })
}

const PROSE_FIELDS = Object.keys(proseRecord.shape)

/** Why a text is not yet published on a day; undefined if it is published. */
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
    problems.push(refuseFile(file, `cannot be read: ${(error as Error).message}`, 'correct it'))
    return []
  }
  let fields: object
  try {
    fields = parseTextFields(text, PROSE_FIELDS)
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    const { line, reason, remedy = 'correct the lines between the --- lines' } = error
    problems.push({ ...refuseFile(file, `line ${line}: ${reason}`, remedy), line })
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

/** First path segments of the registry's own addresses. */
const TAKEN_NAMES: ReadonlySet<string> = new Set(
  '404 answered api authors blog categories feeds files healthz mcp previews readyz skills'.split(
    ' ',
  ),
)

/** Names in `pages/` that generated pages below /docs already have. */
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
    .filter((name) => !name.startsWith('.') && findLeftOut(name) === undefined)
    .sort()
  const found = names.flatMap((name) => {
    const slug = name.replace(/\.md$/, '')
    const file = `${kind}/${name}`
    if (!name.endsWith('.md') || !isSlug(slug)) {
      const remedy = `the name must be a slug and .md: ${SLUG_RULE}`
      problems.push(refuseField(file, 'slug', undefined, remedy))
      return []
    }
    if (kind === 'pages' && isTakenPage(slug)) {
      const address = `/${slug.replace(/^docs-/, 'docs/')}`
      const remedy = `${address} is a page of the registry itself; give the file another name, such as about-${slug}.md`
      problems.push(refuseField(file, 'slug', slug, remedy))
      return []
    }
    return loadPage(join(folder, name), file, slug, publication, problems)
  })
  return found.sort((a, b) =>
    a.date < b.date ? 1 : a.date > b.date ? -1 : a.slug < b.slug ? -1 : 1,
  )
}

/** Largest logo or favicon, in bytes; every reader of the site loads them. */
const PICTURE_LIMIT = 64 * 1024

const isPicture = (text: string, isPng: boolean): boolean =>
  isPng ? text.startsWith('\x89PNG\r\n\x1A\n') && text.includes('IEND') : text.includes('<svg')

/** Reads a picture beside site.json and wraps it in an SVG `<image>`, where scripts cannot run. */
const loadPicture = (
  folder: string,
  field: 'logo' | 'favicon',
  file: string | undefined,
  problems: Problem[],
): string | undefined => {
  if (file === undefined) return undefined
  const isPng = file.endsWith('.png')
  const stats = statSync(join(folder, file), { throwIfNoEntry: false })
  const isSmall = stats?.isFile() === true && stats.size <= PICTURE_LIMIT
  const bytes = isSmall ? readFileSync(join(folder, file)) : Buffer.alloc(0)
  if (isPicture(bytes.toString('latin1'), isPng)) {
    const data = `data:image/${isPng ? 'png' : 'svg+xml'};base64,${bytes.toString('base64')}`
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><image width="32" height="32" href="${data}"/></svg>\n`
  }
  const remedy = `must be ${isPng ? 'a PNG' : 'an SVG'} file of at most ${PICTURE_LIMIT / 1024} KiB beside site.json`
  problems.push(refuseField('site.json', field, file, remedy))
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
    .filter((name) => isSlug(name) || findLeftOut(name) === undefined)
    .sort()
}

/**
 * Reads a content folder without its skills, and finds its problems. Without a `publication`, includes all posts and
 * pages. Throws ContentError if the folder does not exist.
 */
export const loadSiteContent = (folder: string, publication?: Publication) => {
  const problems: Problem[] = []
  if (!existsSync(folder)) {
    const remedy = 'set CONTENT_DIR to a folder with site.json and skills/'
    throw new ContentError([refuseFile(folder, 'no such content folder', remedy)])
  }
  const site = readOptional(folder, 'site.json', siteRecord, problems) ?? EMPTY_SITE
  if (!existsSync(join(folder, 'site.json'))) {
    problems.push(refuseFile('site.json', 'is missing', 'it names the registry'))
  }
  const logo = loadPicture(folder, 'logo', site.logo, problems)
  const favicon = loadPicture(folder, 'favicon', site.favicon, problems) ?? logo
  const pictures = { logo, favicon }
  const counters = readOptional(folder, 'counters.json', counterRecords, problems) ?? {}
  const retired = readOptional(folder, 'retired.json', retiredRecords, problems) ?? []
  const advisories = readOptional(folder, ADVISORIES_FILE, advisoryRecords, problems) ?? []
  if (advisories.length > 0 && site !== EMPTY_SITE && !site.versions) {
    const message = 'site.json has no "versions", so nothing would be withdrawn'
    const remedy = 'restore the field (npm run versions), or remove this file'
    problems.push(refuseFile(ADVISORIES_FILE, message, remedy))
  }
  const posts = loadProse(folder, 'blog', publication, problems)
  const pages = loadProse(folder, 'pages', publication, problems)
  const isCounted = Object.keys(counters).length > 0
  return {
    site,
    pictures,
    counters,
    isCounted,
    retired,
    advisories,
    posts,
    pages,
    problems,
  }
}

const findTwiceRetired = (retired: Catalog['retired']): Problem[] => {
  const seen = new Set<string>()
  return retired.flatMap(({ slug }, at) => {
    if (!seen.has(slug)) {
      seen.add(slug)
      return []
    }
    const remedy = 'is retired twice; remove one of the two rows'
    return [refuseField('retired.json', `${at}.slug`, slug, remedy)]
  })
}

const adviseNewId = (slug: string): string =>
  `"npm run catalog -- move --new-id ${slug}" gives it another`

/** Finds duplicate and retired ids and slugs, and moves that do not lead to a skill. */
const findClashes = (skills: readonly Identified[], rows: Catalog['retired']): Problem[] => {
  const ids = new Map(skills.map(({ slug, id }) => [slug, id]))
  // An interrupted `retire` or `move` leaves a row whose skill still exists.
  const retired = rows.filter(({ slug, id }) => ids.get(slug) !== id)
  // A moved skill keeps its id, so the rows of its former slugs have the same id.
  const former = new Set(
    resolveMoves(retired, skills)
      .filter(({ id, to }) => id === to.id)
      .map(({ slug }) => slug),
  )
  const others = retired.filter(({ slug }) => !former.has(slug))
  const retiredIds = new Set(others.map(({ id }) => id))
  const retiredSlugs = new Set(retired.map(({ slug }) => slug))
  return [
    ...findTaken(skills, retiredIds, 'id', adviseNewId),
    ...findTaken(
      skills,
      retiredSlugs,
      'slug',
      () => 'slugs are never reused, so rename the folder',
    ),
    ...findTwiceRetired(rows),
    ...findLostMoves(rows, skills),
  ]
}

/** Finds skills in categories that the registry does not have. */
const findUnknownCategories = (
  names: readonly string[],
  skills: readonly SkillFacts[],
): Problem[] =>
  skills
    .filter(({ category }) => !names.includes(category))
    .map(({ slug, category: value }) => {
      const remedy = `must be one of ${quoteAll(names)}${suggestNearest(value, names)}`
      return refuseField(`skills/${slug}/skill.json`, 'category', value, remedy)
    })

const NAME_ANOTHER = 'name another skill, or remove the field'

/** The fields of a skill's record that concern other skills. */
type RelatedSkill = Pick<Skill, 'id' | 'slug' | 'source' | 'deprecated' | 'copyOf'>

/** The fields of a record that name another skill, which must not have the field itself. */
const REFERENCES: readonly {
  field: string
  read: (skill: RelatedSkill) => string | false | undefined
  /** Returns why the named skill is the wrong one. */
  refuse: (named: RelatedSkill) => string | false | undefined
}[] = [
  {
    field: 'deprecated.use',
    read: ({ deprecated }) => deprecated?.use,
    refuse: ({ deprecated }) => deprecated && 'is deprecated itself',
  },
  {
    field: 'copyOf',
    read: ({ copyOf }) => copyOf,
    refuse: ({ copyOf }) => copyOf && `is a copy of "${copyOf}" itself`,
  },
]

/** Finds fields that name a missing skill, the skill itself, or a skill that names another one in its turn. */
const findLostReferences = (
  skills: readonly RelatedSkill[],
  retired: Catalog['retired'],
): Problem[] => {
  const bySlug = new Map(skills.map((skill) => [skill.slug, skill]))
  const moves = mapMoves(retired, skills)
  const explain = (
    slug: string,
    value: string,
    refuse: (typeof REFERENCES)[number]['refuse'],
  ): string | undefined => {
    const named = bySlug.get(moves.get(value) ?? value)
    if (!named) {
      const [nearest] = listNearest(value, [...bySlug.keys()])
      const advice = nearest === undefined ? NAME_ANOTHER : `did you mean "${nearest}"?`
      return `is not a skill with a page; ${advice}`
    }
    const reason = named.slug === slug ? 'is the skill itself' : refuse(named)
    return reason ? `${reason}; ${NAME_ANOTHER}` : undefined
  }
  return skills.flatMap((skill) =>
    REFERENCES.flatMap(({ field, read, refuse }) => {
      const value = read(skill)
      const remedy = value ? explain(skill.slug, value, refuse) : undefined
      return remedy === undefined
        ? []
        : [refuseField(`skills/${skill.slug}/skill.json`, field, value, remedy)]
    }),
  )
}

/**
 * Finds problems between the records of a catalog, after each skill has been read by itself. If only some skills were
 * read, `others` are the records of the rest, and only the problems of the read skills count.
 */
export const findMisfits = (
  { site, retired }: Pick<Catalog, 'site' | 'retired'>,
  skills: readonly JudgedSkill[],
  others: readonly RelatedSkill[] = [],
): Problem[] => {
  const all = [...skills, ...others]
  return [
    // If site.json cannot be read, its categories are unknown.
    ...(site === EMPTY_SITE ? [] : findUnknownCategories(nameCategories(site), skills)),
    ...findPolicyBreaches(site.policy, skills),
    ...findLostReferences(all, retired),
    ...findClashes(all, retired),
    // Of a skill that was not read, nobody knows whether it can be installed.
    ...(others.length > 0 ? [] : findStarter(site.starter ?? [], skills, retired).problems),
  ]
}

/**
 * Reads and checks a content folder.
 * Throws ContentError with every problem at once.
 */
export const loadCatalog = (folder: string): Catalog => {
  const { counters, problems, ...content } = loadSiteContent(folder)
  const loaded = listSlugs(folder).map((slug) => loadSkill(folder, slug, counters))
  const skills = loaded.flatMap((result) => (result.skill ? [result.skill] : []))
  problems.push(...loaded.flatMap((result) => result.problems), ...findMisfits(content, skills))
  if (problems.length > 0) throw new ContentError(problems)
  return {
    ...content,
    skills: skills.sort((a, b) => a.id - b.id),
  }
}
