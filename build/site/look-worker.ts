import { parentPort, workerData } from 'node:worker_threads'
import { listOtherLooks } from './suspects.ts'
import type { Looks } from './suspects.ts'

// A thread that looks at its share of the skills and ends.

parentPort?.postMessage(listOtherLooks(workerData as Looks), [])
