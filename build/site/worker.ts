import { parentPort, workerData } from 'node:worker_threads'
import { createJobs } from './pool.ts'
import type { Job, JobAnswer } from './pool.ts'

// A thread of the pool; runs its jobs in order.

const doJob = createJobs(workerData as string)

const answerJob = async (job: Job): Promise<JobAnswer> => {
  try {
    return { results: await doJob(job) }
  } catch (error) {
    // Errors lose `code` and `path` when posted to another thread.
    const { message, stack, code, path } = error as NodeJS.ErrnoException
    return { results: [], failure: { message, stack, code, path } as JobAnswer['failure'] & {} }
  }
}

let previous = Promise.resolve()
parentPort?.on('message', (job: Job) => {
  previous = previous.then(async () => parentPort?.postMessage(await answerJob(job), []))
})
