import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { takeFingerprint } from '../../src/catalog/fingerprint.ts'
import { findStrayCopies, findStarter } from '../../src/catalog/references.ts'
import { findClashes } from '../../src/catalog/load.ts'
import { ContentError } from '../../src/catalog/problems.ts'
import { listSkillFiles, readSkillFile } from '../../src/catalog/skill-folder.ts'
import { RECORD_FILE } from '../../src/catalog/skill.ts'
import { NO_TRAITS } from '../../src/documents/stats.ts'
import { digestFiles } from './digests.ts'
import type { Inputs } from './inputs.ts'
import type { Pool } from './pool.ts'
import type { Progress } from './progress.ts'
import type { SkillReading } from './skill-files.ts'
import type { SkillJobs } from './skill-worker.ts'
import type { BuildRecord, BuildState, SkillChange, SkillLine, SkillRow } from './state.ts'

/** The skills of the content folder, and how they differ from those of the last build. */
export interface Changes {
  /** All skills by slug, in order; if `isLocal`, only those that changed. */
  rows: ReadonlyMap<string, SkillLine>
  /** Skills whose files or counters changed, new ones and removed ones. */
  changed: readonly SkillChange[]
  /** The encoded analyses of the skills that were read, by id. */
  analyses: ReadonlyMap<number, Uint8Array>
  /** Skills whose fingerprint changed but whose files did not. */
  touched: readonly SkillRow[]
  /** Whether the changes affect only the pages of the changed skills. */
  isLocal: boolean
  /** What cannot be read: such skills have their last row, or none. */
  lost: BuildRecord['lost']
}

/** Why skills could not be read or printed, by slug. */
export type Losses = Map<string, string>

/** Digests the files of a skill without reading them as text; returns nothing if they changed since the build began. */
const digestFolder = ({ contentFolder, began }: Inputs, slug: string): string => {
  const folder = join(contentFolder, 'skills', slug)
  const listed = listSkillFiles(folder, slug).files.map(({ path }) => path)
  const paths = [RECORD_FILE, ...listed].filter((path) => existsSync(join(folder, path)))
  const isChanging = paths.some((path) => (takeFingerprint(folder, path)?.changed ?? 0) > began)
  return isChanging ? '' : digestFiles(paths.map((path) => [path, readSkillFile({ folder }, path)]))
}

const readSkills = async (
  slugs: readonly string[],
  pool: Pool<SkillJobs>,
  progress: Progress,
  losses: Losses,
) => {
  progress.stage('Reading skills', slugs.length)
  const readings = new Map<string, SkillReading>()
  await pool.run('read', slugs, {
    keyOf: (slug) => slug,
    onDone: ({ analysis, ...one }) => {
      // A copy: the bytes that a worker sends are part of a larger buffer.
      readings.set(one.slug, analysis ? { ...one, analysis: new Uint8Array(analysis) } : one)
      progress.step()
    },
    onLost: (slug, reason) => losses.set(slug, reason),
  })
  // Workers finish in any order; problems are reported in slug order.
  return slugs.flatMap((slug) => readings.get(slug) ?? [])
}

const NO_COUNTERS = { views: 0, installs: 0 }

const countersOf = (id: number, { counters }: Inputs['content']) =>
  (Object.hasOwn(counters, id) && counters[id]) || NO_COUNTERS

// Neighbours stay valid until names, words or categories change.
const toRow = (
  { facts, words, ...reading }: SkillReading,
  before: SkillRow | undefined,
  content: Inputs['content'],
): SkillRow | undefined => {
  if (!facts || words === undefined) return undefined
  const { slug, fingerprint, filesDigest, factsDigest, files } = reading
  const { hasFindings, mentions } = reading
  const isSame = before?.filesDigest === filesDigest
  const { pageKey, zipDigest, zipSize, traits } = isSame
    ? before
    : { pageKey: '', zipDigest: '', zipSize: 0, traits: NO_TRAITS }
  return {
    slug,
    fingerprint,
    filesDigest,
    factsDigest,
    words,
    files,
    hasFindings,
    mentions,
    id: facts.id,
    facts: { ...facts, ...countersOf(facts.id, content) },
    nearest: before?.id === facts.id ? before.nearest : [],
    pageKey,
    zipDigest,
    zipSize,
    traits,
  }
}

const hasSameFacts = (reading: SkillReading, before: SkillRow | undefined): boolean =>
  reading.factsDigest !== '' &&
  reading.factsDigest === before?.factsDigest &&
  reading.words === before.words &&
  (reading.files.length === 0) === (before.files.length === 0)

const isCountedSame = ({ id, facts }: SkillLine, content: Inputs['content']): boolean => {
  const { views, installs } = countersOf(id, content)
  return facts.views === views && facts.installs === installs
}

type RowsBySlug = ReadonlyMap<string, SkillRow | undefined>

const sortChanges = (fresh: RowsBySlug, old: RowsBySlug) => {
  const all = [...fresh.values()].flatMap((after) =>
    after ? [{ before: old.get(after.slug), after }] : [],
  )
  const isChanged = ({ before, after }: (typeof all)[number]): boolean =>
    after.filesDigest !== before?.filesDigest ||
    after.facts.views !== before.facts.views ||
    after.facts.installs !== before.facts.installs
  const touched = all.flatMap((one) => (isChanged(one) ? [] : one.after))
  return { changed: all.filter(isChanged), touched }
}

/**
 * Finds what changed since the last build: first by file sizes and times, then by contents. Throws
 * ContentError with every problem at once.
 */
export const findChanges = async (
  inputs: Inputs,
  state: BuildState,
  pool: Pool<SkillJobs>,
  progress: Progress,
  losses: Losses,
): Promise<Changes> => {
  const { content, contentFolder, slugs, keys } = inputs
  const { last } = state
  const known = new Set(state.listSkills().map(({ slug }) => slug))
  const modified = state.listModified(contentFolder)
  const fresher = slugs.filter((slug) => !known.has(slug) || modified.has(slug))
  for (const slug of fresher) {
    const loss = last?.lost[slug]
    const isSame = loss?.filesDigest && loss.filesDigest === digestFolder(inputs, slug)
    if (isSame && !losses.has(slug)) losses.set(slug, loss.reason)
  }
  const readable = fresher.filter((slug) => !losses.has(slug))
  const readings = await readSkills(readable, pool, progress, losses)
  const toRead = readings.map(({ slug }) => slug)
  const lost = Object.fromEntries(
    [...losses].map(([slug, reason]) => {
      const filesDigest = digestFolder(inputs, slug)
      return [slug, { filesDigest, reason, isKept: known.has(slug) }]
    }),
  )
  const wanted = new Set(slugs)
  const gone = [...known].filter((slug) => !wanted.has(slug))
  const before = new Map(
    [...toRead, ...gone].map((slug) => [
      slug,
      known.has(slug) ? state.findSkill('slug', slug) : undefined,
    ]),
  )
  const fresh = new Map(
    readings.map((one) => [one.slug, toRow(one, before.get(one.slug), content)]),
  )
  const analyses = new Map(
    readings.flatMap(({ facts, analysis }) => (facts && analysis ? [[facts.id, analysis]] : [])),
  )
  const isLocal =
    content.problems.length === 0 &&
    last?.keys.site === keys.site &&
    last.keys.counters === keys.counters &&
    last.keys.copies === keys.copies &&
    gone.length === 0 &&
    readings.every((one) => hasSameFacts(one, before.get(one.slug)))
  const lines = new Map(isLocal ? [] : state.readLines().map((line) => [line.slug, line]))
  for (const [slug, line] of lines)
    if (wanted.has(slug) && !fresh.has(slug) && !isCountedSame(line, content)) {
      const row = state.complete(line)
      before.set(slug, row)
      fresh.set(slug, { ...row, facts: { ...row.facts, ...countersOf(row.id, content) } })
    }
  const rows = new Map<string, SkillLine>()
  for (const slug of isLocal ? toRead : slugs) {
    const row = fresh.has(slug) ? fresh.get(slug) : lines.get(slug)
    if (row) rows.set(slug, row)
  }
  const sorted = sortChanges(fresh, before)
  if (isLocal) return { rows, analyses, ...sorted, isLocal, lost }
  // What leads to a skill that is left out is no mistake.
  const left = Object.keys(lost).map((slug, at) => ({ slug, id: -1 - at }))
  const absent = left.filter(({ slug }) => !known.has(slug))
  const problems = [
    ...content.problems,
    ...readings.flatMap((one) => one.problems),
    ...findClashes([...rows.values(), ...absent], content.retired),
    ...findStrayCopies(content.copies),
    ...findStarter(
      (content.site.starter ?? []).filter((slug) => !Object.hasOwn(lost, slug)),
      [...rows.values()].flatMap(({ files, facts }) => (files.length > 0 ? facts : [])),
      content.retired,
    ).problems,
  ]
  if (problems.length > 0) throw new ContentError(problems)
  const removed = gone.map((slug) => ({ before: before.get(slug) }))
  return { rows, analyses, ...sorted, changed: [...sorted.changed, ...removed], isLocal, lost }
}
