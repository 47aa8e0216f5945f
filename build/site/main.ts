import { enableCompileCache } from 'node:module'

// Compiling takes longer than finding the changes of a small catalog, so compiled code is cached.
enableCompileCache()
const { main } = await import('./command.ts')
await main()
