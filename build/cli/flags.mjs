/**
 * Node options of a server, to save memory. By default V8 lets a heap of 30 MiB grow to four times its size before it
 * collects garbage. A fixed heap limit would also save memory, but 10,000 connections could exceed it. Concurrent
 * optimization would take 8 MB more and save no CPU time. These options have no effect if they are set while Node runs.
 */
export const SERVE_FLAGS = [
  '--max-semi-space-size=1',
  '--heap-growing-percent=20',
  '--no-concurrent-recompilation',
]
