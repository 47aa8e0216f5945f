import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Says that a build cannot write its output, and how to mend it. */
export class OutputError extends Error {
  override name = 'OutputError'
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Makes this process the only one that builds. Throws OutputError while another does. */
export const takeLock = (path: string): void => {
  try {
    const file = openSync(path, 'wx')
    writeSync(file, `${process.pid}\n`)
    closeSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = Number(readFileSync(path, 'utf8'))
    // In a container process numbers repeat: a lock with our own is a dead build's.
    if (holder > 0 && holder !== process.pid && isAlive(holder)) {
      throw new OutputError(
        `another build (process ${holder}) is writing ${dirname(path)}; wait for it to end`,
      )
    }
    // Its build was killed: what it left is not served and goes with the next sweep.
    rmSync(path, { force: true })
    takeLock(path)
  }
}
