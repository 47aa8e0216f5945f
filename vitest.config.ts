import { existsSync, statfsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { reportLines } from './testing/count-lines.ts'

/** Ends a run with the size of the tree and one plain line that any log reader understands. */
const closingLine: Reporter = {
  onTestRunEnd: (modules) => {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') counts[state] += 1
      }
    }
    console.log(reportLines(fileURLToPath(new URL('.', import.meta.url))))
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  },
}

const PATIENCE = 900_000

const MEMORY = '/dev/shm'

const hasRoom = (folder: string): boolean => {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 ** 31
}

/** Builds of tests write 100,000 small files: on a disk that costs 35 CPU s more than in memory. */
const environment = process.env['TMPDIR'] || !hasRoom(MEMORY) ? {} : { TMPDIR: MEMORY }

// Tests start hundreds of processes, each of which compiles what the one before it did: 4 CPU s of 39 in build/catalog.
const compiled = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))
enableCompileCache(compiled)
process.env['NODE_COMPILE_CACHE'] ??= compiled

/**
 * Tests that start git thousands of times. To start a process costs 2 CPU ms in a small process and 46 in one of 800 MB,
 * so these have workers of their own, which do not hold what other tests have left.
 */
const PROCESSES = ['build/{catalog,cli,machine,versions}/**/*.test.ts']

export default defineConfig({
  test: {
    // One after the other: a worker of one project ends when the next file is of another.
    projects: [
      {
        extends: true,
        test: {
          name: 'processes',
          include: PROCESSES,
          env: environment,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'code',
          include: ['{src,build,functions,extras,testing,bench}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PROCESSES],
          env: environment,
          sequence: { groupOrder: 2 },
        },
      },
      // The browser unpacks 200 MB, once for a machine, into the usual folder.
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'e2e/setup.ts',
          sequence: { groupOrder: 3 },
        },
      },
    ],
    // Tests wait for a state, not for a time, so that a busy machine fails none. This only ends a test that hangs.
    testTimeout: PATIENCE,
    hookTimeout: PATIENCE,
    expect: { poll: { timeout: PATIENCE } },
    // Many tests wait for a process, so every core may have one to run meanwhile.
    maxWorkers: '100%',
    // Nothing of ours keeps state between files, so what one has loaded serves the next.
    isolate: false,
    reporters: ['dot', closingLine],
  },
})
