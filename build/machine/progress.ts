/** Reports the progress of a long command. */
export type Progress = ReturnType<typeof createProgress>

/** Wall time and CPU time of a stage, in seconds. */
interface StageCost {
  name: string
  wall: number
  cpu: number
}

/** CPU time of this process with its threads. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const PLAIN_EVERY = 1_000

/** Maximum number of plain lines per stage, to keep logs short. */
const PLAIN_LINES = 20

const BAR_WIDTH = 24

/** Draws a bar on terminals and plain lines elsewhere. */
export const createProgress = (stream: {
  write: (text: string) => unknown
  isTTY?: boolean | undefined
}) => {
  const isTerminal = stream.isTTY === true
  let name = ''
  let total = 0
  let done = 0
  let started = Date.now()
  let cpu = cpuSeconds()
  const costs: StageCost[] = []
  const drawBar = (): void => {
    const filled = total > 0 ? Math.floor((done / total) * BAR_WIDTH) : 0
    const bar = total > 0 ? ` [${'#'.repeat(filled).padEnd(BAR_WIDTH, '.')}] ${done}/${total}` : ''
    stream.write(`\r\u001B[K${name}${bar}`)
  }
  const finish = (): void => {
    if (name === '') return
    costs.push({ name, wall: (Date.now() - started) / 1_000, cpu: cpuSeconds() - cpu })
    const count = total > 0 ? ` ${done}` : ''
    const line = `${name}:${count} done in ${((Date.now() - started) / 1_000).toFixed(1)} s\n`
    stream.write(isTerminal ? `\r\u001B[K${line}` : line)
    name = ''
  }
  return {
    /** Starts a stage of this expected number of steps, if it is known. */
    stage: (next: string, steps = 0): void => {
      finish()
      name = next
      total = steps
      done = 0
      started = Date.now()
      cpu = cpuSeconds()
      if (isTerminal) drawBar()
    },
    step: (): void => {
      done += 1
      if (isTerminal && (done % 25 === 0 || done === total)) drawBar()
      else if (!isTerminal && done % Math.max(PLAIN_EVERY, Math.ceil(total / PLAIN_LINES)) === 0)
        stream.write(`${name}: ${done} of ${total}\n`)
    },
    end: finish,
    /** Ends the line of a failed stage. */
    abort: (): void => {
      if (isTerminal && name !== '') stream.write('\n')
      name = ''
    },
    /** The costs of the finished stages. */
    timings: (): readonly StageCost[] => costs,
  }
}
