import { join } from 'node:path'
import { isUnchanged, printFingerprints, takeFingerprint } from '../../src/catalog/fingerprint.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { listSkillFiles, readSkillFile } from '../../src/catalog/folder-files.ts'
import { RECORD_FILE } from '../../src/catalog/skill.ts'
import type { Inputs } from './inputs.ts'
import type { Pool } from './pool.ts'
import type { Progress } from './progress.ts'
import { digestFolder } from './skill-files.ts'
import type { SkillJobs } from './skill-worker.ts'
import type { BuildState, Loss, SkillRow } from './state.ts'

/** How the folders of skills differ from what the state knows. */
export interface FolderChanges {
  /** Slugs of new skills and of those whose files differ. */
  toRead: readonly string[]
  /** New fingerprints of skills whose files are the same. */
  touched: ReadonlyMap<string, string>
  /** Slugs of skills without a folder. */
  gone: readonly string[]
  /** The files that could not be read or printed last time and are still the same. */
  lost: ReadonlyMap<string, Loss>
}

/** Looks at the files of a skill without reading them as text. */
const lookAt = ({ contentFolder, began }: Inputs, slug: string) => {
  const folder = join(contentFolder, 'skills', slug)
  const record = takeFingerprint(folder, RECORD_FILE)
  const { fingerprints: listed } = listSkillFiles(folder, slug)
  const fingerprints = record ? [record, ...listed] : listed
  // A file that changed since the build began may not be what was read.
  const isSettled = fingerprints.every(({ changed }) => changed <= began)
  const digest = digestFolder(slug, fingerprints, (path) => readSkillFile({ folder }, path))
  const fingerprint = printFingerprints(fingerprints, Date.now())
  return { fingerprint, digest: isSettled ? digest : '' }
}

/** Compares folders with the state: first by file sizes and times, then by contents. */
export const findChanges = (inputs: Inputs, state: BuildState): FolderChanges => {
  const { contentFolder, slugs } = inputs
  const known = state.readFingerprints()
  const toRead: string[] = []
  const touched = new Map<string, string>()
  const lost = new Map<string, Loss>()
  for (const slug of slugs) {
    const row = known.get(slug)
    const loss = state.last?.lost[slug]
    if (row && isUnchanged(`${contentFolder}/skills/${slug}`, row.fingerprint)) continue
    const now = row || loss ? lookAt(inputs, slug) : { digest: '', fingerprint: '' }
    if (now.digest !== '' && now.digest === row?.digest) touched.set(slug, now.fingerprint)
    else if (loss && now.digest !== '' && now.digest === loss.digest) lost.set(slug, loss)
    else toRead.push(slug)
  }
  const wanted = new Set(slugs)
  const gone = [...known.keys()].filter((slug) => !wanted.has(slug))
  return { toRead, touched, gone, lost }
}

/** Every skill of the content folder, as it is read or was read before. */
export class SkillSet {
  /** By slug. */
  readonly rows: Map<string, SkillRow>
  readonly lost: Map<string, Loss>
  readonly problems: readonly Problem[]
  readonly #before: ReadonlyMap<string, SkillRow>
  readonly #changed = new Set<string>()
  readonly #inputs: Inputs

  constructor(
    inputs: Inputs,
    before: ReadonlyMap<string, SkillRow>,
    { toRead, touched, lost }: FolderChanges,
    read: { rows: ReadonlyMap<string, SkillRow>; problems: readonly Problem[] },
  ) {
    this.#inputs = inputs
    this.#before = before
    this.lost = new Map(lost)
    this.problems = read.problems
    this.rows = new Map()
    const isRead = new Set(toRead)
    for (const slug of inputs.slugs) {
      const row = (isRead.has(slug) ? read.rows : before).get(slug)
      const fingerprint = touched.get(slug) ?? row?.fingerprint
      if (!row || fingerprint === undefined) continue
      this.rows.set(slug, { ...row, fingerprint })
      if (read.rows.has(slug) || touched.has(slug)) this.#changed.add(slug)
    }
  }

  /** Whether the site has the last version of a skill that is lost. */
  isKept(slug: string): boolean {
    return this.lost.get(slug)?.isKept === true
  }

  /** Takes the last version of a skill instead of one that cannot be read or printed, or none. */
  lose(slug: string, reason: string): void {
    const before = this.isKept(slug) ? undefined : this.#before.get(slug)
    const { digest } = lookAt(this.#inputs, slug)
    this.lost.set(slug, { digest, reason, isKept: before !== undefined })
    this.#changed.delete(slug)
    if (before) this.rows.set(slug, before)
    else this.rows.delete(slug)
  }

  /** Gives a skill whose files changed while they were printed a digest that no files have, so that it is read again. */
  distrust(slug: string): string {
    const row = this.rows.get(slug)!
    row.digest = `changed after ${this.#inputs.began}`
    this.#changed.add(slug)
    return row.digest
  }

  /** What the state has to be told. */
  listChanges() {
    const removed = [...this.#before.keys()].filter((slug) => !this.rows.has(slug))
    const changed = [...this.rows.values()].filter(({ slug }) => this.#changed.has(slug))
    return { removed, changed }
  }
}

/** Reads what changed. */
export const readSkills = async (
  inputs: Inputs,
  state: BuildState,
  changes: FolderChanges,
  pool: Pool<SkillJobs>,
  progress: Progress,
): Promise<SkillSet> => {
  const { toRead } = changes
  progress.stage('Reading skills', toRead.length)
  const rows = new Map<string, SkillRow>()
  const problems = new Map<string, readonly Problem[]>()
  const losses = new Map<string, string>()
  const reading = pool.run('read', toRead, {
    onDone: ({ row, problems: found }, slug) => {
      if (row) rows.set(slug, row)
      problems.set(slug, found)
      progress.step()
    },
    onLost: (slug, reason) => losses.set(slug, reason),
  })
  // While the workers start.
  const readBefore = async () => state.readSkills()
  const [before] = await Promise.all([readBefore(), reading])
  // Workers finish in any order; problems are reported in slug order.
  const ordered = toRead.flatMap((slug) => problems.get(slug) ?? [])
  const catalog = new SkillSet(inputs, before, changes, { rows, problems: ordered })
  for (const [slug, reason] of losses) catalog.lose(slug, reason)
  return catalog
}
