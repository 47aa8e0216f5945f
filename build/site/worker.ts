import { parentPort, workerData } from 'node:worker_threads'
import { createJobs } from './pool.ts'
import type { Job, JobAnswer } from './pool.ts'

// A thread of the pool: it does one job after the other, in the order they come.

const doJob = createJobs(workerData as string)

parentPort?.on('message', (job: Job) => {
  let answer: JobAnswer
  try {
    answer = { results: doJob(job) }
  } catch (error) {
    // An error that crosses to another thread loses its code and path.
    const { message, stack, code, path } = error as NodeJS.ErrnoException
    answer = { results: [], failure: { message, stack, code, path } as JobAnswer['failure'] & {} }
  }
  parentPort?.postMessage(answer, [])
})
