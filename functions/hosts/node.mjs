// No TypeScript: for one file of it that is not compiled yet, Node would load its compiler, which takes 16 MiB.
import './node-version.mjs'
// As a namespace: an import of a name that an old Node lacks would end it before the check of its version.
import * as nodeModule from 'node:module'

// Half of a start is spent on compiling, so the code is kept compiled; where it cannot be, nothing is lost.
nodeModule.enableCompileCache()
await import('./node/main.ts')
// Node would save it when the process exits by itself, which servers seldom do.
nodeModule.flushCompileCache()
