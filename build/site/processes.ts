/** Says whether a process of this id runs, ours apart. */
export const isAlive = (pid: number): boolean => {
  // A container gives its few process ids again, so our own in a lock is a dead run's.
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
