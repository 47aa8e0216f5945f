import type { PrintTask, Press, Printer } from './printer.ts'

/** What a thread is told to do. */
export type Job =
  | { kind: 'read'; slugs: readonly string[] }
  | { kind: 'prepare'; press: Press }
  | { kind: 'print'; tasks: readonly PrintTask[] }
  | { kind: 'link'; from: string; to: string; names: readonly string[] }

/** What a thread answers to a job. */
export interface Reply {
  results: unknown[]
  fault?:
    | {
        message: string
        stack?: string | undefined
        code?: string | undefined
        path?: string | undefined
      }
    | undefined
}

/** What a thread is started with. */
export interface WorkerData {
  content: string
}

/** Does a job with the printer of this thread. */
export const runJob = (printer: Printer, job: Job): unknown[] => {
  switch (job.kind) {
    case 'read':
      return printer.read(job.slugs)
    case 'prepare':
      printer.prepare(job.press)
      return []
    case 'print':
      return printer.print(job.tasks)
    case 'link':
      printer.link(job.from, job.to, job.names)
      return []
  }
}
