import { parentPort, workerData } from 'node:worker_threads'
import { createPrinter } from './printer.ts'
import { runJob } from './jobs.ts'
import type { Job, Reply, WorkerData } from './jobs.ts'

// A thread of the crew: it does one job at a time, in the order they come.

const { content } = workerData as WorkerData
const printer = createPrinter(content)

// What an error says is kept when it crosses to another thread, its code and path are not.
const describe = (error: unknown): Reply['fault'] => {
  const { message, stack, code, path } = error as NodeJS.ErrnoException
  return { message, stack, code, path }
}

parentPort?.on('message', (job: Job) => {
  let reply: Reply
  try {
    reply = { results: runJob(printer, job) }
  } catch (error) {
    reply = { results: [], fault: describe(error) }
  }
  parentPort?.postMessage(reply, [])
})
