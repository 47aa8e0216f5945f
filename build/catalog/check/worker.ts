import { serveJobs } from '../../site/serve-jobs.ts'
import { checkSkill } from './check-skill.ts'

const jobs = { prepare: () => undefined, check: checkSkill }

export type CheckJobs = typeof jobs

serveJobs(jobs)
