import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { relative } from 'node:path'
import { promisify } from 'node:util'
import { ApiError } from '../../../src/api/errors.ts'
import { SearchUrlError } from '../../../extras/postgres/schema.ts'
import type { SiteSource } from '../../respond.ts'
import { answerMcpOnDemand } from '../../mcp/on-demand.ts'
import { describeDenied } from './disk-store.ts'
import { openGenerations, openSearch } from './generations.ts'
import { createLog } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createSiteServer, drain } from './server.ts'
import { ServerSettingsError, readServerSettings } from './settings.ts'

const REMEDIES: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use; stop the server that uses it, or set PORT to another port.`,
  EACCES: (host, port) =>
    `You are not allowed to use port ${port} on ${host}; set PORT above 1023.`,
  EADDRNOTAVAIL: (host) =>
    `HOST="${host}" is not an address of this machine; set HOST to one of its addresses.`,
  ENOTFOUND: (host) =>
    `HOST="${host}" is not a known host; set HOST to an address of this machine.`,
}

/** Starts listening and returns the origin to show. Throws ServerSettingsError. */
const listen = async (server: Server, host: string, port: number): Promise<string> => {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const remedy = REMEDIES[(error as NodeJS.ErrnoException).code ?? '']?.(host, port)
    throw remedy === undefined ? error : new ServerSettingsError(remedy, { cause: error })
  }
  const { port: bound } = server.address() as AddressInfo
  const shown = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${bound}`
}

/** Milliseconds that pending answers have after a signal. */
const DRAIN_TIMEOUT = 1_000

/** Opens the build before the first request. Returns the error if there is none; every answer is then 503. */
const openBuild = async (source: SiteSource): Promise<ApiError | undefined> => {
  try {
    await source.current()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const createMetricsServer = (metrics: Metrics): Server =>
  createServer(async ({ url }, outgoing) => {
    const isThere = url === '/metrics'
    outgoing.writeHead(isThere ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4' })
    outgoing.end(isThere ? await metrics.render() : 'The metrics are at /metrics.\n')
  })

const writeLine = (line: string): void => void process.stdout.write(line)

/** Writes a message to standard output: as a line of the log, or as text if requests are not logged. */
const writeMessage = (message: string, isQuiet: boolean): void =>
  writeLine(`${isQuiet ? message : JSON.stringify({ time: new Date().toISOString(), message })}\n`)

const serveUntilSignal = async (): Promise<void> => {
  const { host, port, metricsPort, outDir, isQuiet, searchUrl, hasMcp } = readServerSettings(
    process.env,
  )
  // Keeps the server running if nothing reads its log.
  process.stdout.on('error', () => undefined)
  const search = searchUrl === undefined ? undefined : await openSearch(searchUrl)
  const source = openGenerations(outDir, search, hasMcp ? answerMcpOnDemand : undefined)
  const fault = await openBuild(source)
  const metrics =
    metricsPort === undefined
      ? undefined
      : (await import('./metrics.ts')).createMetrics({
          generation: source.generation,
          connections: () => promisify(site.getConnections.bind(site))(),
        })
  const site = createSiteServer(source, createLog(writeLine, isQuiet), metrics)
  const metricsServer = metrics && createMetricsServer(metrics)
  const url = await listen(site, host, port)
  const metricsUrl = metricsServer && (await listen(metricsServer, host, metricsPort!))
  const stop = async (): Promise<void> => {
    const servers = metricsServer ? [site, metricsServer] : [site]
    await Promise.all(servers.map((server) => drain(server, DRAIN_TIMEOUT)))
    await search?.close()
    process.exit(0)
  }
  // Registered before the address is printed, since a program that reads it can send a signal immediately. A second
  // signal has no listener, so it ends the process.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
  const path = relative('', outDir) || '.'
  const shown = path.startsWith('..') ? outDir : path
  writeMessage(`Serving ${shown} on ${url}`, isQuiet)
  if (metricsUrl !== undefined) writeMessage(`Metrics on ${metricsUrl}/metrics`, isQuiet)
  if (fault) {
    const absent = `There is no finished build in ${shown} yet: run "npm run build"`
    process.stderr.write(`${describeDenied(fault) ?? absent}.\n`)
  }
}

try {
  await serveUntilSignal()
} catch (error) {
  if (!(error instanceof ServerSettingsError || error instanceof SearchUrlError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
