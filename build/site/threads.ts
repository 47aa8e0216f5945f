import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { ResourceLimits } from 'node:worker_threads'

/** Starts a thread of a module here; what the main thread keeps compiled is not compiled anew. */
export const startThread = (
  module: `./${string}.ts`,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker => {
  const cache = getCompileCacheDir()
  return new Worker(new URL(module, import.meta.url), {
    workerData,
    resourceLimits,
    env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
  })
}
