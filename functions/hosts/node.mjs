// In JavaScript, because Node loads its TypeScript compiler (16 MiB) for any file that is not in the cache yet.
import './node-version.mjs'
// A namespace import: importing a name that an old Node lacks would fail before its version is checked.
import * as nodeModule from 'node:module'

// Half of the start-up time is spent on compiling. If the cache cannot be written, the next start only takes longer.
nodeModule.enableCompileCache()
await import('./node/main.ts')
// Node writes the cache when the process exits by itself, which servers seldom do.
nodeModule.flushCompileCache()
