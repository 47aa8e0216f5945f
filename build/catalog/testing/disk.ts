import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { writeFileSync, chmodSync } = fs

const writePlain = (...[path, data, options]: Parameters<typeof writeFileSync>): void => {
  writeFileSync(path, data, options)
  if (typeof path === 'string') chmodSync(path, 0o644)
}

/** Lets the disk keep no modes, as a mount or Windows does. Git of a test is another program, and keeps its own. */
export const dropModes = (): void => {
  fs.writeFileSync = writePlain
  syncBuiltinESMExports()
}

/** Ends what `dropModes` began. */
export const keepModes = (): void => {
  fs.writeFileSync = writeFileSync
  syncBuiltinESMExports()
}
