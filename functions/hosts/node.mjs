// No TypeScript: for one file of it that is not compiled yet, Node would load its compiler, which takes 16 MiB.
import { closeSync, openSync } from 'node:fs'
import './node-version.mjs'
// Older versions of Node lack what is used of it; a name that is missing would end them before that is said.
import * as nodeModule from 'node:module'

/** Files and connections that a server needs open at once, at the least. */
const LEAST_OPEN = 64

const countOpenable = () => {
  const opened = []
  try {
    while (opened.length < LEAST_OPEN) opened.push(openSync(import.meta.filename, 'r'))
  } catch {
    // This many, then.
  }
  opened.forEach((descriptor) => closeSync(descriptor))
  return opened.length
}

// Below this, modules fail to load, or every connection is closed at once, without a word.
const openable = countOpenable()
if (openable < LEAST_OPEN) {
  process.stderr.write(
    `Only ${openable} more files can be opened; raise the limit, "ulimit -n", to 1024 or so.\n`,
  )
  process.exit(1)
}

// Half of a start is spent on compiling, so the code is kept compiled; where it cannot be, nothing is lost.
nodeModule.enableCompileCache()
await import('./node/main.ts')
// Node would save it when the process exits by itself, which servers seldom do.
nodeModule.flushCompileCache()
