import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveJobs } from '../../site/serve-jobs.ts'
import { openSource, readCandidate } from '../import/candidate.ts'
import type { ReadTask } from '../import/candidate.ts'
import { checkRecord } from '../lint/lint-catalog.ts'
import type { RecordTask, Target } from '../lint/lint-catalog.ts'
import { lintOne } from '../lint/lint-one.ts'
import { RULES } from '../lint/rules.ts'

const waitIfAsked = (folder: string): void => {
  const text = readFileSync(join(folder, 'SKILL.md'), 'utf8')
  if (text.includes('Wait for ever.')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const settings = { rules: new Set(Object.keys(RULES)), isFixing: false, isDryRun: false }

// Does what the workers of import and lint do, except that it waits for ever at texts that ask for it.
serveJobs({
  prepare: () => undefined,
  read: ({ skill, provenance, source }: ReadTask) => {
    waitIfAsked(skill.folder)
    return readCandidate(skill, provenance, { ...source, ...openSource(source) })
  },
  lint: (target: Target) => {
    waitIfAsked(target.folder)
    return lintOne(target, settings)
  },
  record: (task: RecordTask) => {
    waitIfAsked(join(task.content, 'skills', task.slug))
    return checkRecord(task)
  },
})
