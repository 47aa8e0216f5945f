import { parentPort, workerData } from 'node:worker_threads'
import { serveJobs } from './pool.ts'

// A thread of the pool.
if (parentPort) serveJobs(parentPort, workerData as string)
