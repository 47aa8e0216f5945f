import { write } from 'node:fs'

/** Takes lines of text and writes them in the background. */
export interface LineSink {
  add(line: string): void
  /** Resolves when everything taken so far is written or has failed. */
  flush(): Promise<void>
}

/** Lines that wait at most; a reader of the log that stands still costs lines, not memory. */
const WAITING = 10_000

/**
 * Writes lines to a file descriptor without ever waiting for it: a full pipe would stop a server
 * that writes through process.stdout, whose pipes are synchronous.
 */
export const openLineSink = (descriptor: number): LineSink => {
  let waiting: string[] = []
  let isWriting = false
  let idle: (() => void)[] = []
  const finish = (): void => {
    isWriting = false
    for (const resolve of idle) resolve()
    idle = []
  }
  const writeAll = (bytes: Buffer): void => {
    write(descriptor, bytes, (error, written) => {
      if (!error && written < bytes.length) writeAll(bytes.subarray(written))
      else writeWaiting()
    })
  }
  const writeWaiting = (): void => {
    if (waiting.length === 0) return finish()
    isWriting = true
    const lines = waiting
    waiting = []
    writeAll(Buffer.from(lines.join('')))
  }
  return {
    add: (line) => {
      if (waiting.length < WAITING) waiting.push(`${line}\n`)
      if (!isWriting) writeWaiting()
    },
    flush: () => (isWriting ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  }
}
