import { enableCompileCache } from 'node:module'

// Compiling takes longer than looking for changes in a small catalog, so the code is kept compiled.
enableCompileCache()
const { main } = await import('./command.ts')
await main()
