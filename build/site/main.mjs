import { enableCompileCache, getCompileCacheDir } from 'node:module'

// In JavaScript, because Node loads its TypeScript compiler for any file that is not in the cache yet.
// For a small catalog, compiling takes longer than finding the changes.
enableCompileCache()
const cache = getCompileCacheDir()
// Threads get the cache only through this variable.
if (cache !== undefined) process.env['NODE_COMPILE_CACHE'] ??= cache
const { main } = await import('./command.ts')
await main()
