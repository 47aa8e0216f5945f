import { printVersions } from './version-files.ts'
import type { PrintedVersion, VersionTask } from './version-files.ts'
import { printRows, readRows } from './skill-files.ts'
import type { PrintSettings, PrintTask, ReadSettings, FolderTask } from './skill-files.ts'
import { Threads, serveJobs } from '../machine/threads.ts'
import type { Job } from '../machine/threads.ts'

type ReadJob = Job<FolderTask, ReadSettings, ReturnType<typeof readRows>[number]>
type PrintJob = Job<PrintTask, PrintSettings, Awaited<ReturnType<typeof printRows>>[number]>

export const READ: ReadJob = { name: 'read', work: readRows }
export const PRINT: PrintJob = { name: 'print', work: printRows }
export const PRINT_VERSIONS: Job<VersionTask, Parameters<typeof printVersions>[1], PrintedVersion> =
  { name: 'print versions', work: printVersions }

/** Opens at most `most` threads, which load this file. */
export const openThreads = (most: number): Threads =>
  new Threads(new URL('./skill-jobs.ts', import.meta.url), most)

export default serveJobs([READ, PRINT, PRINT_VERSIONS])
