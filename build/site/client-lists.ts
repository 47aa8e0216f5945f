import { DISCOVERY_PATH, joinDiscovery } from '../../src/api/discovery.ts'
import type { DiscoveryEntry } from '../../src/api/discovery.ts'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import { isInstallable } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { listPlugins, marketplacePath, renderMarketplace } from '../../src/documents/marketplace.ts'
import { authorPath, categoryPath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'
import { publicName } from './skill-files.ts'
import type { ListRow, SkillLine } from './state.ts'
import type { Tree } from './tree.ts'

/** A file that lets a client install several skills: an index, or the marketplace of a category. */
interface ClientList {
  path: string
  skills: readonly SkillFacts[]
}

/** Maximum skills per index: clients download every zip before asking which ones to install. */
const MOST_ENTRIES = 25

const listOf = (path: string, skills: readonly SkillFacts[]): ClientList[] =>
  skills.length === 0 ? [] : [{ path, skills }]

const takeDiscovered = (skills: readonly SkillFacts[]): SkillFacts[] => {
  const first: SkillFacts[] = []
  for (const skill of skills) {
    if (first.length === MOST_ENTRIES) break
    if (isInstallable(skill)) first.push(skill)
  }
  return first
}

/** Plans the lists of a site, most popular skills first; `starter` lists the skills of the root index, in order. */
export function* planLists(site: Site, starter: readonly SkillFacts[]): Generator<ClientList> {
  yield* listOf(DISCOVERY_PATH, starter)
  for (const category of CATEGORIES) {
    const skills = site.byCategory.get(category) ?? []
    yield* listOf(categoryPath(category) + DISCOVERY_PATH, takeDiscovered(skills))
    yield* listOf(marketplacePath(category), listPlugins(skills, site.origin))
  }
  for (const { name, skills } of site.byAuthor.values()) {
    // For an author with one skill, the function answers with that skill's own index.
    const listed = takeDiscovered(skills)
    if (listed.length > 1) yield* listOf(authorPath(name) + DISCOVERY_PATH, listed)
  }
}

/** Paths of the lists that may contain a skill. */
const listPathsOf = ({ category, author }: SkillFacts): string[] => [
  DISCOVERY_PATH,
  categoryPath(category) + DISCOVERY_PATH,
  marketplacePath(category),
  authorPath(author) + DISCOVERY_PATH,
]

export interface ListSource {
  siteName: string
  origin: string
  readIndex: (slug: string) => string
}

export const renderList = (
  { path, skills }: ClientList,
  { siteName, origin, readIndex }: ListSource,
): string => {
  const [first] = skills
  if (!first || path !== marketplacePath(first.category))
    return joinDiscovery(skills.map(({ slug }) => readIndex(slug)))
  const zipDigestOf = ({ slug }: SkillFacts): string => {
    const { skills: entries } = JSON.parse(readIndex(slug)) as { skills: DiscoveryEntry[] }
    return entries[0]!.digest.replace('sha256:', '')
  }
  return renderMarketplace({ siteName, origin, category: first.category, skills, zipDigestOf })
}

/** Prints the lists whose members changed or that contain a changed skill; returns the rows of all lists. */
export const printLists = (
  lists: Iterable<ClientList>,
  source: ListSource,
  tree: Tree,
  { old, changed }: { old: ReadonlyMap<string, ListRow>; changed: ReadonlySet<number> },
): ListRow[] => {
  const rows: ListRow[] = []
  for (const list of lists) {
    const { path, skills } = list
    const before = old.get(path)
    const ids = skills.map(({ id }) => id)
    const row = { path, ids: ids.join() }
    const isSame = before?.ids === row.ids
    if (!isSame || ids.some((id) => changed.has(id)))
      tree.place(publicName(path), renderList(list, source))
    rows.push(isSame ? before : row)
  }
  return rows
}

/** Prints the lists that contain one of the given skills, provided that no list's members changed. */
export const reprintLists = (
  changed: readonly SkillLine[],
  source: ListSource,
  tree: Tree,
  { findList, find }: ListLookup,
): void => {
  const ids = new Set(changed.map(({ id }) => id))
  for (const path of new Set(changed.flatMap(({ facts }) => listPathsOf(facts)))) {
    const listed = findList(path)?.ids.split(',').map(Number) ?? []
    if (!listed.some((id) => ids.has(id))) continue
    const skills = listed.flatMap((id) => find(id)?.facts ?? [])
    tree.place(publicName(path), renderList({ path, skills }, source))
  }
}

/** Looks up a list in the last build and a skill in this one. */
interface ListLookup {
  findList: (path: string) => ListRow | undefined
  find: (id: number) => SkillLine | undefined
}
