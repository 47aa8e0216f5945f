import type { Server } from 'node:http'
import { relative } from 'node:path'
import { ApiError } from '../../src/api/errors.ts'
import type { SiteSource } from '../serve.ts'
import { openGenerations } from './generations.ts'
import { openLineSink } from './line-sink.ts'
import { listen } from './listen.ts'
import { openSearch } from './open-search.ts'
import { openQuietLog, openRequestLog } from './request-log.ts'
import { createSiteServer } from './server.ts'
import { SettingsError, readSettings } from './settings.ts'
import { prepareShutdown } from './shutdown.ts'

/** Opens the build before the first reader does; without one, every answer is 503. */
const isReadable = async (source: SiteSource): Promise<boolean> => {
  try {
    await source.current()
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

const serveUntilSignal = async (): Promise<void> => {
  const settings = readSettings(process.env, process.argv.slice(2))
  const { host, port, outDir, isQuiet } = settings
  const lines = openLineSink(1)
  const errors = openLineSink(2)
  const log = isQuiet ? openQuietLog(errors) : openRequestLog(lines, errors)
  const search = await openSearch(settings.searchUrl)
  const source = openGenerations(outDir, search)
  const isBuilt = await isReadable(source)
  const closers: (() => Promise<void>)[] = []
  const create = (): Server => {
    const server = createSiteServer(source, log)
    closers.push(prepareShutdown(server))
    return server
  }
  const url = await listen(create, host, port)
  const stop = async (): Promise<void> => {
    await Promise.all(closers.map((close) => close()))
    await Promise.all([lines.flush(), errors.flush(), search?.close()])
    process.exit(0)
  }
  // Before the address is shown, for whoever reads it may signal at once. A second signal finds no
  // listener and ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
  const shown = relative('', outDir) || '.'
  process.stdout.write(`Serving ${shown.startsWith('..') ? outDir : shown} on ${url}\n`)
  if (!isBuilt) {
    process.stderr.write(`There is no finished build in ${shown} yet: run "npm run build".\n`)
  }
}

try {
  await serveUntilSignal()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
