import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Most commands take less time than compiling them does, so the code is kept compiled; not in the folder
// for temporary files, which is a command's own affair and would be made where it is not there.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
await import('./cli/run.ts')
