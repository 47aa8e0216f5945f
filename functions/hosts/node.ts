import { enableCompileCache, flushCompileCache } from 'node:module'

// Half of a start is spent on compiling, so the code is kept compiled; where it cannot be, nothing is lost.
enableCompileCache()
await import('./node/main.ts')
// A server is seldom left to end by itself, which is when Node would keep it.
flushCompileCache()
