import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isCoded } from '../../src/api/policies.ts'
import { DIGESTS_NAME, ROW_BYTES } from '../../src/catalog/tables.ts'
import { findStarter } from '../../src/catalog/references.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { planSitePages } from '../../src/documents/pages.ts'
import { sitemapRow } from '../../src/documents/llms.ts'
import { planStats, EMPTY_TALLY, countSkills } from '../../src/documents/stats.ts'
import type { Tally } from '../../src/documents/stats.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { updateDigests } from './digests.ts'
import { compareSkills } from './neighbours.ts'
import { printPages, printSkills } from './pages.ts'
import type { FindSkills, PrintedFiles, Run, Staging } from './pages.ts'
import { packEntries, planIndex } from './search-index.ts'
import {
  INDEX_NAME,
  listSiteFiles,
  listZipTables,
  mapSkill,
  renderAnswered,
  warnOfMoves,
  writeSitemaps,
  planLists,
  printLists,
  reprintLists,
} from './site-files.ts'
import { listSkillNames, pageName, publicName, readIndex, twinName } from './skill-files.ts'
import { DamagedStateError } from './state.ts'
import type { BuildRecord, BuildState, PageRow, SkillChange, SkillLine, SkillRow } from './state.ts'
import { Tree, listCodedNames, listFiles, removeNames, writeCoded } from './tree.ts'

/** The files written into the next generation, and what the next build needs to know. */
export interface PrintedSite {
  record: Omit<BuildRecord, 'generation' | 'before'>
  written: string[]
  removed: string[]
  /** Warnings to curators about the printed pages. */
  warnings: readonly Problem[]
}

const listNames = (rows: Iterable<SkillRow | undefined>): string[] =>
  [...rows].flatMap((row) => (row ? listSkillNames(row) : []))

/** Removes files that skills no longer have; returns their names. */
const removeStaleSkills = ({ changes }: Run, folder: string): string[] => {
  const wanted = new Set(listNames(changes.changed.map(({ after }) => after)))
  const stale = listNames(changes.changed.map(({ before }) => before)).filter(
    (name) => !wanted.has(name),
  )
  removeNames(folder, stale)
  return stale
}

const isShown = ({ files }: SkillLine): boolean => files.length > 0

const onlyShown = (row: SkillLine | undefined): SkillLine | undefined =>
  row && isShown(row) ? row : undefined

const writeSkills = ({ state, changes }: Run, others: readonly SkillRow[] = []): void => {
  const { changed, touched } = changes
  const afters = changed.flatMap(({ after }) => after ?? [])
  state.remove(
    'skill',
    changed.flatMap(({ before }) => before?.id ?? []),
  )
  state.write('skill', new Set([...afters, ...touched, ...others]))
}

const openLists = ({ inputs }: Run, folder: string) => ({
  siteName: inputs.content.site.name,
  origin: inputs.origin,
  readIndex: (slug: string) => readIndex(folder, slug),
})

/** Prints the client lists, after the skills' indexes; returns the paths of removed lists. */
const printClientLists = (
  run: Run,
  { site }: Planned,
  { folder }: Staging,
  tree: Tree,
): string[] => {
  const { state, inputs, changes } = run
  const { content } = inputs
  const old = state.readLists()
  const starter = findStarter(content.site.starter ?? [], site.listed, content.retired).skills
  // An empty digest, of files that changed while they were printed, is not that of the last build either.
  const changed = changes.changed.flatMap(({ before, after }) =>
    after && (after.filesDigest === '' || after.filesDigest !== before?.filesDigest)
      ? after.id
      : [],
  )
  const rows = printLists(planLists(site, starter), openLists(run, folder), tree, {
    old,
    changed: new Set(changed),
  })
  return saveRows(state, 'list', old, rows)
}

/** Updates the last tally by the removed and added skills; `traits` is known only after printing. */
const tallyChanges = ({ state: { last } }: Run, changes: readonly SkillChange[]): Tally => {
  const listShown = (key: keyof SkillChange): SkillRow[] =>
    changes.flatMap((change) => {
      const row = change[key]
      return row && isShown(row) ? row : []
    })
  return countSkills(last?.tally ?? EMPTY_TALLY, listShown('after'), listShown('before'))
}

/** The files written and removed, and the record's fields about all files. */
type Finished = Pick<PrintedSite, 'written' | 'removed'> &
  Pick<BuildRecord, 'total' | 'tableDigest'>

/** Precompresses written files, or all if the last build did not, and removes stale compressed files. */
const codeFiles = (
  { inputs, progress, state: { last } }: Run,
  { folder }: Staging,
  written: readonly string[],
  removed: readonly string[],
): PrintedFiles & { removed: string[] } => {
  const wasCompressed = last?.isCompressed === true
  const { isCompressed } = inputs
  const coded: PrintedFiles = { written: [], digests: [] }
  const stale = wasCompressed
    ? listCodedNames(isCompressed ? removed : [...removed, ...listFiles(folder)])
    : []
  removeNames(folder, stale)
  const names = !isCompressed ? [] : wasCompressed ? written : listFiles(folder)
  const pages = names.filter(isCoded)
  if (pages.length > 0) progress.stage('Compressing pages', pages.length)
  for (const name of pages) {
    const one = writeCoded(folder, name)
    coded.written.push(...one.written)
    coded.digests.push(one.digests)
    progress.step()
  }
  return { ...coded, removed: stale }
}

/**
 * Adds what the tree wrote, and updates the table of digests of all files. Throws DamagedStateError if the last table
 * is damaged.
 */
const finishFiles = (
  printed: PrintedFiles,
  removed: string[],
  tree: Tree,
  run: Run,
  staging: Staging,
): Finished => {
  const { last } = run.state
  const { folder } = staging
  const path = join(folder, DIGESTS_NAME)
  const table = last && existsSync(path) ? readFileSync(path) : new Uint8Array()
  if (last && hash('sha256', table) !== last.tableDigest)
    throw new DamagedStateError(`${path} is damaged`)
  const own = tree.takeWritten()
  const written = [...printed.written, ...own.written]
  const coded = codeFiles(run, staging, written, removed)
  const gone = [...removed, ...coded.removed]
  const next = updateDigests(table, gone, [...printed.digests, own.digests, ...coded.digests])
  tree.place(DIGESTS_NAME, next)
  return {
    written: [...written, ...coded.written, ...tree.takeWritten().written],
    removed: gone,
    // The table does not list itself.
    total: next.length / ROW_BYTES + 1,
    tableDigest: hash('sha256', next),
  }
}

/** Prints only the skills whose files changed, the statistics if they changed, and the tables of zips. */
const printLocally = async (
  run: Run,
  staging: Staging,
  last: BuildRecord,
): Promise<PrintedSite> => {
  const { state, changes } = run
  const byId = new Map(Array.from(changes.rows.values(), (row) => [row.id, row]))
  const find: FindSkills['find'] = (id) => onlyShown(byId.get(id) ?? state.findSkill('id', id))
  const findSlug: FindSkills['findSlug'] = (slug) =>
    onlyShown(changes.rows.get(slug) ?? state.findSkill('slug', slug))
  const removed = removeStaleSkills(run, staging.folder)
  const { warnings, ...printed } = await printSkills(
    run,
    staging,
    changes.changed.flatMap(({ after }) => (after && isShown(after) ? after : [])),
    { find, findSlug },
  )
  writeSkills(run)
  const tree = new Tree(staging.folder, false)
  const listed = changes.changed.flatMap(({ after }) => (after && isShown(after) ? after : []))
  reprintLists(listed, openLists(run, staging.folder), tree, {
    findList: (path) => state.findList(path),
    find,
  })
  const tally = tallyChanges(run, changes.changed)
  if (JSON.stringify(tally) !== JSON.stringify(last.tally))
    state.write('page', await printPages([planStats(() => tally)], run, staging, tree))
  for (const { name, make } of listZipTables(() => state.listZips())) tree.place(name, make())
  const { total, tableDigest, ...files } = finishFiles(printed, removed, tree, run, staging)
  return { record: { ...last, tally, total, tableDigest, lost: changes.lost }, ...files, warnings }
}

/** The skills that have a page, and the pages and lists that show them. */
interface Planned {
  site: Site
  /** By id. */
  skills: readonly SkillLine[]
  find: FindSkills['find']
  changes: readonly SkillChange[]
}

const planSite = ({ inputs, changes }: Run): Planned => {
  const skills = [...changes.rows.values()].filter(isShown).sort((a, b) => a.id - b.id)
  const byId = new Map(skills.map((row) => [row.id, row]))
  const facts = skills.map((row) => row.facts)
  return {
    site: createSite(inputs.content, facts, inputs.origin),
    skills,
    find: (id) => byId.get(id),
    changes: changes.changed.map(({ before, after }) => ({
      before: before && isShown(before) ? before : undefined,
      after: after && isShown(after) ? after : undefined,
    })),
  }
}

/** Packs the search index; undefined if the last index is still valid. */
const packSiteIndex = ({
  inputs,
  state,
  lastIndex: last,
  changes,
}: Run): Uint8Array | undefined => {
  const { origin, keys, content } = inputs
  const hasSameCopies = state.last?.keys.copies === keys.copies
  const task = planIndex({ ...changes, last, copies: content.copies, origin, hasSameCopies })
  if (!task) return undefined
  try {
    return packEntries(task)
  } catch (error) {
    throw last ? new DamagedStateError((error as Error).message) : error
  }
}

/** Lists the skills whose pages may have changed. */
const listAffected = (
  { inputs, state, changes }: Run,
  { skills }: Planned,
  moved: readonly SkillLine[],
): readonly SkillLine[] => {
  const { keys, content } = inputs
  const { last } = state
  if (last?.keys.copies !== keys.copies) return skills
  const changed = changes.changed.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
  const ids = new Set([...moved, ...changed].map(({ id }) => id))
  const originals = new Set(changed.map(({ id }) => content.copies[id]))
  const slugs = new Set(changed.map(({ slug }) => slug))
  return skills.filter(
    ({ id, mentions, nearest }) =>
      [id, content.copies[id] ?? 0, ...nearest].some((one) => ids.has(one)) ||
      originals.has(id) ||
      mentions.split(' ').some((slug) => slugs.has(slug)),
  )
}

/** Prints the files that are neither pages nor files of skills, except the index; returns all their names. */
const printSiteFiles = async (
  { inputs, state }: Run,
  { site, skills }: Planned,
  { assets, templates }: Staging,
  { tree, pages }: { tree: Tree; pages: PageRow[] },
): Promise<string[]> => {
  const { api, content, origin } = inputs
  const mapped = [
    ...pages.flatMap((page) => sitemapRow(page, origin)),
    ...skills.flatMap(({ facts }) => mapSkill(facts, origin)),
  ]
  const files = [
    ...(await writeSitemaps(mapped, origin)),
    ...listSiteFiles({
      site,
      api,
      retired: content.retired,
      skills,
      assets,
      makeAnswered: () => renderAnswered(site, templates),
      listZips: () => state.listZips(),
    }),
  ]
  for (const { name, make } of files) tree.place(name, make())
  return [...files.map(({ name }) => name), INDEX_NAME]
}

const printAll = async (run: Run, staging: Staging): Promise<PrintedSite> => {
  const { inputs, progress, state, changes } = run
  const { content, keys } = inputs
  const { last } = state
  progress.stage('Comparing skills')
  const planned = planSite(run)
  const { site, skills, find } = planned
  const bySlug = new Map(skills.map((row) => [row.slug, row]))
  const findSlug: FindSkills['findSlug'] = (slug) => bySlug.get(slug)
  const { moved, key: nearestKey } = compareSkills(
    {
      skills: new Map(skills.map((row) => [row.id, row])),
      copies: content.copies,
      changes: last?.keys.copies === keys.copies ? planned.changes : undefined,
    },
    last?.nearestKey ?? '',
  )
  const removed = removeStaleSkills(run, staging.folder)
  const tree = new Tree(staging.folder, last === undefined)
  const oldPages = state.readPages()
  const known = { last: oldPages, digestOf: (id: number) => find(id)?.factsDigest ?? '' }
  const affected = listAffected(run, planned, moved).map((line) => state.complete(line))
  const printing = printSkills(run, staging, affected, { find, findSlug })
  // Prevents an unhandled rejection if packing fails first.
  printing.catch(() => undefined)
  const index = packSiteIndex(run)
  const otherPages = await printPages(
    [...planSitePages(site, inputs.api)],
    run,
    staging,
    tree,
    known,
  )
  const { warnings, ...printed } = await printing
  const tally = tallyChanges(run, changes.changed)
  const pages = [...otherPages, ...(await printPages([planStats(() => tally)], run, staging, tree))]
  writeSkills(run, affected)
  progress.stage('Writing the index and the files for machines')
  const files = await printSiteFiles(run, planned, staging, { tree, pages })
  const wanted = new Set(files)
  const staleLists = printClientLists(run, planned, staging, tree)
  const stale = [
    ...saveRows(state, 'page', oldPages, pages).flatMap((path) => [pageName(path), twinName(path)]),
    ...staleLists.map(publicName),
    ...(last?.files ?? []).filter((name) => !wanted.has(name)),
  ]
  removeNames(staging.folder, stale)
  if (index) tree.place(INDEX_NAME, index)
  const { total, tableDigest, ...changed } = finishFiles(
    printed,
    [...removed, ...stale],
    tree,
    run,
    staging,
  )
  return {
    record: {
      keys,
      files,
      skills: skills.length,
      pages: skills.length + pages.length,
      total,
      isCompressed: inputs.isCompressed,
      untraced: [...changes.rows.values()].filter((row) => !isShown(row)).map(({ slug }) => slug),
      tally,
      nearestKey,
      tableDigest,
      lost: changes.lost,
    },
    ...changed,
    warnings: [...warnings, ...warnOfMoves(inputs.content.retired, skills)],
  }
}

/** Saves the rows of pages or lists; returns the paths of removed ones. */
const saveRows = <Row extends { path: string }>(
  state: BuildState,
  table: 'page' | 'list',
  old: ReadonlyMap<string, Row>,
  rows: readonly Row[],
): string[] => {
  const paths = new Set(rows.map(({ path }) => path))
  const stale = [...old.keys()].filter((path) => !paths.has(path))
  state.remove(table, stale)
  state.write(
    table,
    rows.filter((row) => row !== old.get(row.path)),
  )
  return stale
}

/** Prints the next generation: renders only what may have changed, writes only what did. */
export const printSite = (run: Run, staging: Staging): Promise<PrintedSite> =>
  run.changes.isLocal && run.state.last
    ? printLocally(run, staging, run.state.last)
    : printAll(run, staging)
