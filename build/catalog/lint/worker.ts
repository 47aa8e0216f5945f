import { serveJobs } from '../../site/serve-jobs.ts'
import { checkRecord } from './lint-catalog.ts'
import type { RecordTask, Target } from './lint-catalog.ts'
import { lintOne } from './lint-one.ts'
import type { LintSettings } from './lint-one.ts'

let settings: LintSettings | undefined

const jobs = {
  prepare: (given: LintSettings) => void (settings = given),
  lint: (target: Target) => {
    if (!settings) throw new Error('prepare must be called before lint')
    return lintOne(target, settings)
  },
  record: (task: RecordTask) => checkRecord(task),
}

export type LintJobs = typeof jobs

serveJobs(jobs)
