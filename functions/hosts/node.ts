import { enableCompileCache, flushCompileCache } from 'node:module'

// Half of a start is spent on compiling, so the code is kept compiled; where it cannot be, nothing is lost.
enableCompileCache()
await import('./node/main.ts')
// Node would save it when the process exits by itself, which servers seldom do.
flushCompileCache()
