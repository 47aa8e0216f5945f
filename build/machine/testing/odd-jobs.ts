import { threadId } from 'node:worker_threads'
import { serveJobs } from '../threads.ts'

interface OddResult {
  text: string
  thread: number
}

/** Joins a prefix and each text. Each group takes 5 ms in a thread, so that a single thread cannot do all of them. */
export const JOIN = {
  name: 'join',
  work: (texts: readonly string[], prefix: string): OddResult[] => {
    if (threadId > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    return texts.map((text) => ({ text: prefix + text, thread: threadId }))
  },
}

export const FAIL = {
  name: 'fail',
  work: ([path]: readonly string[]): never[] => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT', path })
  },
}

export default serveJobs([JOIN, FAIL])
