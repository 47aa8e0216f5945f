import type { Progress } from '../../site/progress.ts'
import { MANIFEST } from './manifest.ts'
import { readCandidate } from './candidate.ts'
import type { Candidate } from './candidate.ts'
import { dropDuplicates } from './duplicates.ts'
import { findSkills } from './find-skills.ts'
import { openOrigin } from './origin.ts'
import type { Origin, OriginOptions, Provenance } from './origin.ts'
import type { Skip, Warning } from './report.ts'

/** A source folder as read: what can be imported, and what was noticed. */
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

/** Reads every skill of a folder, in the order of their paths. Throws UsageError. */
export const readSource = (
  root: string,
  options: OriginOptions,
  progress: Progress,
): ReadSource => {
  const origin = openOrigin(root, options)
  const { found, skips } = findSkills(root)
  const paths = new Set(found.map(({ path }) => path))
  const read: ReadSource = {
    origin,
    traced: new Map(),
    candidates: [],
    skips: [...origin.skips, ...skips, ...missingFolders(origin, paths)],
    warnings: [],
  }
  progress.stage('Reading skills', found.length)
  for (const skill of found) {
    const provenance = origin.trace(skill)
    if ('reason' in provenance) read.skips.push(provenance)
    else {
      read.traced.set(skill.path, provenance)
      const reading = readCandidate(skill, provenance)
      if ('skip' in reading) read.skips.push(reading.skip)
      else {
        read.candidates.push(reading.candidate)
        read.warnings.push(...reading.warnings)
      }
    }
    progress.step()
  }
  progress.end()
  const { kept, skips: duplicates } = dropDuplicates(read.candidates)
  return { ...read, candidates: kept, skips: [...read.skips, ...duplicates] }
}
