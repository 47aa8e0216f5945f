import { readFileSync } from 'node:fs'

interface ProcessStatus {
  state: string
  /** When it began, counted since this machine did. */
  started: string
}

/** What Linux tells of a process; undefined on other systems, and where it is not told or no more. */
const readStatus = (pid: number): ProcessStatus | undefined => {
  let line
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // The signal, which every system knows, decides then.
    return undefined
  }
  // Fields 3 and 22 of proc_pid_stat(5), after the name, which may hold blanks and brackets itself.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', started: fields[19] ?? '' }
}

/** One that ended and that nobody asked after yet, as long as it may stay in a container. */
const hasEnded = (status: ProcessStatus | undefined): boolean =>
  status?.state === 'Z' || status?.state === 'X'

const canSignal = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Says whether a process of this id runs, ours apart. */
export const isAlive = (pid: number): boolean => {
  // A container gives its few process ids again, so our own in a lock is a dead run's.
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  return canSignal(pid) && !hasEnded(readStatus(pid))
}

/** Names a process: its id and, where the system tells, its start, since ids are given again. */
export const markProcess = (pid = process.pid): string => {
  const status = readStatus(pid)
  return status ? `${pid}-${status.started}` : String(pid)
}

const MARK = /^(\d+)(?:-(\d+))?$/

/** Says whether the process that was named so still runs. */
export const isRunning = (mark: string): boolean => {
  const [, id, started] = MARK.exec(mark) ?? []
  const pid = Number(id)
  const status = started === undefined ? undefined : readStatus(pid)
  return status ? status.started === started && !hasEnded(status) : isAlive(pid)
}

/** Gives the id in a process's name; no number where it is none. */
export const pidOf = (mark: string): number => Number(MARK.exec(mark)?.[1])
