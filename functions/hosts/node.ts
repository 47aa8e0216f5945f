import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openGenerations } from './generations.ts'
import { openLineSink } from './line-sink.ts'
import type { LineSink } from './line-sink.ts'
import { listen } from './listen.ts'
import { openRequestLog } from './request-log.ts'
import { createSiteServer } from './server.ts'
import { SettingsError, readSettings } from './settings.ts'
import { closeServers } from './shutdown.ts'

const SILENT: LineSink = { add: () => undefined, flush: () => Promise.resolve() }

const serveUntilSignal = async (): Promise<void> => {
  const { host, port, outDir, isQuiet } = readSettings(process.env, process.argv.slice(2))
  const lines = isQuiet ? SILENT : openLineSink(1)
  const errors = openLineSink(2)
  const log = openRequestLog(lines, errors)
  const source = openGenerations(outDir)
  const { servers, url } = await listen(() => createSiteServer(source, log), host, port)
  const shown = relative('', outDir) || '.'
  process.stdout.write(`Serving ${shown.startsWith('..') ? outDir : shown} on ${url}\n`)
  if (!existsSync(join(outDir, 'current'))) {
    process.stderr.write(`There is no finished build in ${shown} yet: run "npm run build".\n`)
  }
  const stop = async (): Promise<void> => {
    await closeServers(servers)
    await Promise.all([lines.flush(), errors.flush()])
    process.exit(0)
  }
  // A second signal finds no listener and ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
}

try {
  await serveUntilSignal()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
