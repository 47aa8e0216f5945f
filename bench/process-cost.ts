import { spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { once } from 'node:events'

/** The cost of a command and of every process it started. */
export interface ProcessCost {
  wall: number
  /** CPU seconds of all processes, user and system. */
  cpu: number
  /** Peak resident memory in MiB. */
  memory: number
  output: string
}

/** Milliseconds between two measurements of memory. */
const INTERVAL = 100
const KIB_PER_MIB = 1_024

// The shell's `time` includes children and their children.
const TIMED = 'TIMEFORMAT="cost %U %S"; time "$@"'

const readNumber = (path: string, pattern: RegExp): number => {
  try {
    return Number(pattern.exec(readFileSync(path, 'utf8'))?.[1] ?? 0)
  } catch {
    // The process ended after it was listed.
    return 0
  }
}

/** Resident memory of a process and all its descendants, in MiB. */
const residentTree = (root: number): number => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    pids.map((pid) => [Number(pid), readNumber(`/proc/${pid}/status`, /^PPid:\s+(\d+)/m)]),
  )
  const isDescendant = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = parents.get(at)) if (at === root) return true
    return false
  }
  const sizes = [...parents.keys()]
    .filter(isDescendant)
    .map((pid) => readNumber(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m))
  return sizes.reduce((sum, size) => sum + size, 0) / KIB_PER_MIB
}

/** Runs a command and measures its cost. Throws if the command fails. */
export const measureProcess = async (
  command: readonly string[],
  { folder, environment = {} }: { folder: string; environment?: NodeJS.ProcessEnv },
): Promise<ProcessCost> => {
  const started = performance.now()
  const child = spawn('bash', ['-c', TIMED, 'bash', ...command], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let memory = 0
  const look = (): void => void (memory = Math.max(memory, residentTree(child.pid ?? 0)))
  const timer = setInterval(look, INTERVAL)
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  clearInterval(timer)
  const wall = (performance.now() - started) / 1_000
  if (code !== 0)
    throw new Error(`${command.join(' ')} ended with ${code}: ${errors.slice(-2_000)}`)
  const [, user = 0, system = 0] = /cost ([\d.]+) ([\d.]+)\s*$/.exec(errors) ?? []
  return { wall, cpu: Number(user) + Number(system), memory: Math.round(memory), output }
}
