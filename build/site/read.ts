import { isUnchanged, printFingerprints } from '../../src/catalog/fingerprint.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { openSkill } from '../../src/catalog/skill-folder.ts'
import type { Inputs } from './inputs.ts'
import type { Progress } from '../machine/progress.ts'
import { digestFolder } from './skill-files.ts'
import { READ } from './skill-jobs.ts'
import type { BuildState, SkillRow } from './state.ts'
import type { Threads } from '../machine/threads.ts'

/** How the folders of skills differ from the saved state. */
export interface FolderChanges {
  /** Slugs of new skills and of skills whose files changed. */
  toRead: readonly string[]
  /** New fingerprints of skills whose files are the same. */
  touched: ReadonlyMap<string, string>
  /** Slugs of skills without a folder. */
  gone: readonly string[]
}

/** Digests the files of a skill without parsing its text; the digest is empty if the skill must be read. */
const digestSkill = ({ contentFolder, began, bits: { ofSkill } }: Inputs, slug: string) => {
  const { fingerprints, problems, bytes } = openSkill(contentFolder, slug, ofSkill(slug))
  // If a file changed since the build started, its fingerprint may not match the bytes that were read.
  const isStable = fingerprints.every(({ changed }) => changed <= began)
  const fingerprint = printFingerprints(fingerprints, Date.now())
  if (!isStable || problems.length > 0) return { fingerprint, digest: '' }
  return { fingerprint, digest: digestFolder(slug, fingerprints, (path) => bytes.get(path)!) }
}

/** Compares folders with the state, first by file sizes and times, then by contents. */
export const findChanges = (inputs: Inputs, state: BuildState): FolderChanges => {
  const { contentFolder, slugs, bits } = inputs
  const known = state.readFingerprints()
  const toRead: string[] = []
  const touched = new Map<string, string>()
  for (const slug of slugs) {
    const row = known.get(slug)
    const folder = `${contentFolder}/skills/${slug}`
    if (row && isUnchanged(folder, row.fingerprint, bits.ofSkill(slug))) continue
    const now = row && digestSkill(inputs, slug)
    if (now && now.digest !== '' && now.digest === row.digest) touched.set(slug, now.fingerprint)
    else toRead.push(slug)
  }
  const wanted = new Set(slugs)
  const gone = [...known.keys()].filter((slug) => !wanted.has(slug))
  return { toRead, touched, gone }
}

/** All skills of the content folder, read by this build or an earlier one. */
export class SkillSet {
  /** By slug. */
  readonly rows: Map<string, SkillRow>
  readonly problems: readonly Problem[]
  readonly #before: ReadonlyMap<string, SkillRow>
  readonly #changed = new Set<string>()
  readonly #inputs: Inputs

  constructor(
    inputs: Inputs,
    before: ReadonlyMap<string, SkillRow>,
    { toRead, touched }: FolderChanges,
    read: { rows: ReadonlyMap<string, SkillRow>; problems: readonly Problem[] },
  ) {
    this.#inputs = inputs
    this.#before = before
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

  /** Sets a digest that never matches: the skill's files changed during printing, so the next build must read it. */
  distrust(slug: string): string {
    const row = this.rows.get(slug)!
    row.digest = `changed after ${this.#inputs.began}`
    this.#changed.add(slug)
    return row.digest
  }

  /** Records that a skill's text takes too long to parse. The next build tries again only if its files change. */
  noteUnread(slug: string, unread: string): void {
    const row = this.rows.get(slug)!
    row.skill = { ...row.skill, unread }
    this.#changed.add(slug)
  }

  /** The changes to save in the state. */
  listChanges() {
    const removed = [...this.#before.keys()].filter((slug) => !this.rows.has(slug))
    const changed = [...this.rows.values()].filter(({ slug }) => this.#changed.has(slug))
    return { removed, changed }
  }
}

/** Reads the skills that changed. */
export const readSkills = async (
  inputs: Inputs,
  state: BuildState,
  changes: FolderChanges,
  threads: Threads,
  progress: Progress,
): Promise<SkillSet> => {
  const { toRead } = changes
  const { contentFolder, limit, bits } = inputs
  progress.stage('Reading skills', toRead.length)
  const rows = new Map<string, SkillRow>()
  const problems = new Map<string, readonly Problem[]>()
  const tasks = toRead.map((slug) => ({ slug, bits: bits.ofSkill(slug) }))
  const reading = threads.run(READ, tasks, { contentFolder, limit }, (done, { slug }) => {
    if (done.row) rows.set(slug, done.row)
    problems.set(slug, done.problems)
    progress.step()
  })
  // Read the state while the threads start.
  const readBefore = async () => state.readSkills()
  const [before] = await Promise.all([readBefore(), reading])
  // Threads finish in any order; problems are reported in slug order.
  const ordered = toRead.flatMap((slug) => problems.get(slug) ?? [])
  return new SkillSet(inputs, before, changes, { rows, problems: ordered })
}
