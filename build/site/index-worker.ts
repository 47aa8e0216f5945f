import { parentPort, workerData } from 'node:worker_threads'
import { remakeIndex } from './index-thread.ts'
import type { IndexWork } from './index-thread.ts'

// A thread that makes the search index and ends.

const index = remakeIndex(workerData as IndexWork)
parentPort?.postMessage(index, index ? [index.buffer] : [])
