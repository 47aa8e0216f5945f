import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { writeFileSync, chmodSync } = fs

const writePlain = (...[path, data, options]: Parameters<typeof writeFileSync>): void => {
  writeFileSync(path, data, options)
  if (typeof path === 'string') chmodSync(path, 0o644)
}

/** Makes the disk ignore modes, as some mounts and Windows do. Git runs in another process and is not affected. */
export const dropModes = (): void => {
  fs.writeFileSync = writePlain
  syncBuiltinESMExports()
}

/** Undoes `dropModes`. */
export const keepModes = (): void => {
  fs.writeFileSync = writeFileSync
  syncBuiltinESMExports()
}
