/**
 * What a server starts Node with. By itself V8 lets a heap of 30 MiB grow to four times that before it collects. A bound
 * of the heap would do the same, but 10,000 connections may need more than any that does. Optimizing beside the main
 * thread would take 8 MB more and as much CPU time. Set while Node runs, these change nothing.
 */
export const SERVE_FLAGS = [
  '--max-semi-space-size=1',
  '--heap-growing-percent=20',
  '--no-concurrent-recompilation',
]
