import { serveJobs } from './serve-jobs.ts'
import { SkillPrinter } from './skill-files.ts'
import type { PrintSettings, PrintTask } from './skill-files.ts'

const printer = new SkillPrinter(process.argv[3] ?? '')

const jobs = {
  read: (slug: string) => printer.read(slug),
  prepare: (settings: PrintSettings) => printer.prepare(settings),
  print: (task: PrintTask) => printer.print(task),
}

export type SkillJobs = typeof jobs

serveJobs(jobs)
