import { markdownToMdast } from 'satteri'
import { serveJobs } from '../serve-jobs.ts'

let prepared = ''

const jobs = {
  prepare: (text: string) => void (prepared = text),
  echo: (text: string) => `${prepared}${text}`,
  pid: (prefix: string) => prefix + process.pid,
  /** Native code, which takes minutes for some texts. */
  parse: (text: string) => (markdownToMdast(text) as { children: unknown[] }).children.length,
  read: (text: string) => {
    if (text === 'loop') for (;;) prepared = text
    if (text === 'crash') process.kill(process.pid, 'SIGSEGV')
    return text
  },
  fail: (path: string) => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT', path })
  },
}

export type OddJobs = typeof jobs

serveJobs(jobs)
