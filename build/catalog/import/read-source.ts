import { realpathSync } from 'node:fs'
import type { Progress } from '../../site/progress.ts'
import { takeStep } from '../store/interrupt.ts'
import { MANIFEST } from './manifest.ts'
import { readCandidate } from './candidate.ts'
import type { Candidate } from './candidate.ts'
import { findSkills } from './find-skills.ts'
import type { LastChange } from './git/history.ts'
import { createLicenceFinder } from './licence/find-files.ts'
import type { Origin, Provenance } from './origin.ts'
import type { Skip, Warning } from './report.ts'

/** A source that lies on this disk, ready to be read. */
export interface OpenSource {
  /** As the command line names it. */
  given: string
  /** Folder in which skills are looked for. */
  root: string
  /** Folder that no link may lead out of: the root, or the repository it lies in. */
  bounds: string
  /** Name of the root, for a skill that lies there. */
  rootName: string
  origin: Origin
  /** Tells when a folder below the bounds was last changed; left out, the file's own day counts. */
  findChange?: (folder: string) => Promise<LastChange>
}

/** A source as read: what can be imported, and what was noticed. */
export interface ReadSource {
  origin: Origin
  /** Where every skill that was found comes from, the skipped ones too, by path. */
  traced: Map<string, Provenance>
  candidates: Candidate[]
  skips: Skip[]
  warnings: Warning[]
}

const missingFolders = (origin: Origin, paths: ReadonlySet<string>): Skip[] =>
  origin.expected
    .filter((path) => !paths.has(path))
    .map((path) => ({
      path,
      kind: 'bad',
      reason: `${MANIFEST} names this folder, and no skill of its own lies there`,
      remedy: 'fetch it again, or take the row out',
    }))

/** Reads every skill of a source, in the order of their paths; `label` goes before paths in messages. */
export const readSource = async (
  source: OpenSource,
  label: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<ReadSource> => {
  const { origin, root, rootName } = source
  const { found, skips } = findSkills(root, source.bounds)
  const bounds = realpathSync(source.bounds)
  const paths = new Set(found.map(({ path }) => path))
  const read: ReadSource = { origin, traced: new Map(), candidates: [], skips: [], warnings: [] }
  const skip = (one: Skip): number => read.skips.push({ ...one, path: label + one.path })
  for (const one of [...origin.skips, ...skips, ...missingFolders(origin, paths)]) skip(one)
  const { findChange } = source
  const reader = { label, rootName, bounds, findLicences: createLicenceFinder(bounds), findChange }
  progress.stage('Reading skills', found.length)
  for (const skill of found) {
    await takeStep(signal)
    const provenance = origin.trace(skill)
    if ('reason' in provenance) skip(provenance)
    else {
      read.traced.set(skill.path, provenance)
      const reading = readCandidate(skill, provenance, reader)
      if ('skip' in reading) read.skips.push(reading.skip)
      else {
        read.candidates.push(reading.candidate)
        read.warnings.push(...reading.warnings)
      }
    }
    progress.step()
  }
  progress.end()
  return read
}
