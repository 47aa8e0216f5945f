import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { makeScratch } from '../../site/folders.ts'
import { CommandError } from '../cli/errors.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const STOPPED = 'Stopped. What was done is whole and stays; run the command again to go on.'

/**
 * Runs an action that Ctrl-C aborts at its next step, so that it cleans up; a second Ctrl-C ends the process at once,
 * which is also safe.
 */
export const withInterrupt = async <Result>(
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  const stop = (): void => {
    for (const name of SIGNALS) process.off(name, stop)
    controller.abort(new CommandError(STOPPED))
  }
  for (const name of SIGNALS) process.on(name, stop)
  try {
    return await action(controller.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, stop)
  }
}

/** Yields to signal handlers between steps of long work. Throws the abort reason. */
export const yieldToSignals = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  signal.throwIfAborted()
}

/** Creates a temporary folder for an action. The next run removes folders of killed ones. */
export const withTemporaryFolder = async <Result>(
  action: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = makeScratch(tmpdir(), 'skill-catalog-')
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
