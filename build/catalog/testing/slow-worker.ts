import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveJobs } from '../../site/serve-jobs.ts'
import { checkSkill } from '../check/check-skill.ts'
import type { Target } from '../check/check-skill.ts'
import { openSource, readCandidate } from '../import/candidate.ts'
import type { ReadTask } from '../import/candidate.ts'

const waitIfAsked = (folder: string): void => {
  const text = readFileSync(join(folder, 'SKILL.md'), 'utf8')
  if (text.includes('Wait for ever.')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

// Does what the workers of import and check do, except that it waits for ever at texts that ask for it.
serveJobs({
  prepare: () => undefined,
  read: ({ skill, provenance, source }: ReadTask) => {
    waitIfAsked(skill.folder)
    return readCandidate(skill, provenance, { ...source, ...openSource(source) })
  },
  check: (target: Target) => {
    waitIfAsked(target.folder)
    return checkSkill(target)
  },
})
