import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'

/** Ends a run with one plain line that any log reader understands. */
const closingLine: Reporter = {
  onTestRunEnd: (modules) => {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') counts[state] += 1
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  },
}

export default defineConfig({
  test: {
    include: ['{src,build,functions,extras,testing,bench,e2e}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Many tests wait for a process or a clock, so every core may have one to run meanwhile.
    maxWorkers: '100%',
    // Nothing of ours keeps state between files, so what one has loaded serves the next.
    isolate: false,
    reporters: ['dot', closingLine],
  },
})
