import { workerData } from 'node:worker_threads'

const { count, deadline, parent } = workerData as {
  count: Int32Array
  deadline: number
  parent: number
}

/** Milliseconds between two looks. */
const TICK = 100

// Counts its own ticks, so the time that a stopped process sleeps does not count.
let [seen, waited] = [0, 0]
setInterval(() => {
  const now = Atomics.load(count, 0)
  waited = now === seen && now % 2 === 1 ? waited + TICK : 0
  seen = now
  // Nothing else reaches a process that is stuck in native code.
  if (waited >= deadline || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, TICK)
