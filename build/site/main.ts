import { enableCompileCache } from 'node:module'

// For a small catalog, compiling takes longer than finding the changes.
enableCompileCache()
const { main } = await import('./command.ts')
await main()
