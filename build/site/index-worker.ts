import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { IndexWork } from './index-thread.ts'

// A thread that makes the search index and ends. A thread does not share what the main one keeps compiled.
enableCompileCache()
const { remakeIndex } = await import('./index-thread.ts')

const index = remakeIndex(workerData as IndexWork)
parentPort?.postMessage(index, index ? [index.buffer] : [])
