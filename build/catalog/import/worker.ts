import { serveJobs } from '../../site/serve-jobs.ts'
import { readCandidate } from './candidate.ts'
import type { Candidate, ReadTask } from './candidate.ts'
import { judgeLinks } from './git/tracked.ts'
import { createLicenceFinder } from './licence/licence.ts'
import { describeSkip } from './skill-md.ts'
import type { SkipReason } from './skill-md.ts'

/** Opens what finds licences and judges links, which remember what they read of a source. */
const openSource = ({ bounds, links }: ReadTask['source']) => ({
  findLicence: createLicenceFinder(bounds),
  judgeTarget: judgeLinks(links, bounds),
})

/** By the bounds of a source. */
const opened = new Map<string, ReturnType<typeof openSource>>()

const jobs = {
  /** Reads a skill, or says why it is skipped. */
  read: ({ skill, provenance, source }: ReadTask): Omit<Candidate, 'findChange'> | SkipReason => {
    const known = opened.get(source.bounds) ?? openSource(source)
    opened.set(source.bounds, known)
    try {
      return readCandidate(skill, provenance, { ...source, ...known })
    } catch (error) {
      return describeSkip(error)
    }
  },
}

export type ImportJobs = typeof jobs

serveJobs(jobs)
