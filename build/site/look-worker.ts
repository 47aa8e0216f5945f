import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Looks } from './suspects.ts'

// A thread that looks at its share of the skills and ends. It does not share what the main one keeps compiled.
enableCompileCache()
const { listOtherLooks } = await import('./suspects.ts')

parentPort?.postMessage(listOtherLooks(workerData as Looks), [])
