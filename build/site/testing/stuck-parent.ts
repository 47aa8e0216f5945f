import { Pool } from '../pool.ts'
import type { OddJobs } from './odd-worker.ts'

// Prints the id of its worker, which then loops.
const pool = new Pool<OddJobs>({ file: new URL('./odd-worker.ts', import.meta.url) })
const onLost = (): void => undefined
await pool.run('pid', [''], { onDone: (pid) => console.log(pid), onLost })
await pool.run('read', ['loop'], { onDone: () => undefined, onLost })
