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

/** A file with which a client installs from a list: an index, or the marketplace of a category. */
interface ClientList {
  /** Address of the file. */
  path: string
  skills: readonly SkillFacts[]
}

/** Most skills of an index: a client downloads every zip before it asks which are wanted. */
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

/** Plans the lists of a site, the most popular skills first; `starter` are those of the root, in their order. */
export function* planLists(site: Site, starter: readonly SkillFacts[]): Generator<ClientList> {
  yield* listOf(DISCOVERY_PATH, starter)
  for (const category of CATEGORIES) {
    const skills = site.byCategory.get(category) ?? []
    yield* listOf(categoryPath(category) + DISCOVERY_PATH, takeDiscovered(skills))
    yield* listOf(marketplacePath(category), listPlugins(skills, site.origin))
  }
  for (const { name, skills } of site.byAuthor.values()) {
    // Most authors have one skill, whose own index says the same: the function answers with that.
    const listed = takeDiscovered(skills)
    if (listed.length > 1) yield* listOf(authorPath(name) + DISCOVERY_PATH, listed)
  }
}

/** The addresses of the lists that may hold a skill. */
const listPathsOf = ({ category, author }: SkillFacts): string[] => [
  DISCOVERY_PATH,
  categoryPath(category) + DISCOVERY_PATH,
  marketplacePath(category),
  authorPath(author) + DISCOVERY_PATH,
]

/** What lists are rendered with. */
export interface ListSource {
  siteName: string
  origin: string
  /** Reads the printed index of a skill. */
  readIndex: (slug: string) => string
}

/** Renders a list. */
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

/** Prints the lists of other skills than before, and those of a skill that changed; returns the rows of all. */
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

/** Prints the lists that hold one of some skills, where no list got other skills. */
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

/** Looks up what the last build knew of a list, and a skill as it is now. */
interface ListLookup {
  findList: (path: string) => ListRow | undefined
  find: (id: number) => SkillLine | undefined
}
