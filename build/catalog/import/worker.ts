import { serveJobs } from '../../site/serve-jobs.ts'
import { openSource, readCandidate } from './candidate.ts'
import type { Candidate, ReadTask } from './candidate.ts'
import { describeSkip } from './skill-md.ts'
import type { SkipReason } from './skill-md.ts'

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
