import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmodSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { relative } from 'node:path'
import { ApiError } from '../../../src/api/errors.ts'
import { SearchUrlError } from '../../../extras/postgres/schema.ts'
import type { SiteSource } from '../../respond.ts'
import { answerMcpOnDemand } from '../../mcp/on-demand.ts'
import { openGenerations, openSearch } from './generations.ts'
import { RateLimit } from './clients.ts'
import { Connections } from './connections.ts'
import { LineSink, RequestLog } from './log.ts'
import { Metrics } from './monitoring.ts'
import { createSiteServer } from './server.ts'
import { ServerSettingsError, readServerSettings } from './settings.ts'

const IPV4 = '127.0.0.1'
const IPV6 = '::1'

/** Error codes on a machine without IPv6. */
const NO_FAMILY = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

const REMEDIES: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use; stop the server that has it, or set PORT to another.`,
  EACCES: (host, port) => `Port ${port} on ${host} is not allowed to you; set PORT above 1023.`,
  EADDRNOTAVAIL: (host) =>
    `HOST="${host}" is not an address of this machine; set HOST to one that is.`,
  ENOTFOUND: (host) =>
    `HOST="${host}" is not a known host; set HOST to an address of this machine.`,
}

/** Whether HOST is the path of a unix socket. */
const isSocketPath = (host: string): boolean => host.includes('/')

/** Owner and group may connect. */
const SOCKET_MODE = 0o660

/** Removes a socket that a killed server left; one that answers stays. */
const removeStale = async (path: string): Promise<void> => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isSocket()) return
  const probe = connect(path)
  try {
    await once(probe, 'connect')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') rmSync(path, { force: true })
  }
  probe.destroy()
}

const listenAt = async (server: Server, path: string): Promise<string> => {
  try {
    await removeStale(path)
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, SOCKET_MODE)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const remedy =
      code === 'EADDRINUSE'
        ? `HOST="${path}" is in use; stop the server that has it, or set HOST to another path.`
        : `HOST="${path}" cannot be listened at (${message}); set HOST to a path in a folder that you may write to.`
    throw new ServerSettingsError(remedy, { cause: error })
  }
  return `unix:${path}`
}

const listenOn = async (server: Server, host: string, port: number): Promise<number> => {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const remedy = REMEDIES[code]?.(host, port)
    throw remedy === undefined ? error : new ServerSettingsError(remedy, { cause: error })
  }
  return (server.address() as AddressInfo).port
}

const isFamilyMissing = (error: unknown): boolean =>
  error instanceof ServerSettingsError &&
  NO_FAMILY.has((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '')

/**
 * Listens on a host, or on all of localhost where none is named, and returns the address for readers.
 * Throws ServerSettingsError.
 */
const listen = async (
  makeServer: () => Server,
  host: string | undefined,
  port: number,
): Promise<string> => {
  if (host !== undefined && isSocketPath(host)) return listenAt(makeServer(), host)
  if (host !== undefined && host !== 'localhost') {
    const bound = await listenOn(makeServer(), host, port)
    return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
  }
  const first = makeServer()
  const bound = await listenOn(first, IPV4, port)
  try {
    await listenOn(makeServer(), IPV6, bound)
  } catch (error) {
    if (!isFamilyMissing(error)) {
      first.close()
      throw error
    }
  }
  return `http://localhost:${bound}`
}

/** How long answers in flight may take to be sent, in milliseconds. */
const GRACE = 30_000

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

const createMetricsServer = (metrics: Metrics, closers: (() => Promise<void>)[]): Server => {
  const server = createServer(({ url }, outgoing) => {
    const isThere = url === '/metrics'
    outgoing.writeHead(isThere ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4' })
    outgoing.end(isThere ? metrics.render() : 'There is /metrics.\n')
  })
  const connections = new Connections(server)
  closers.push(() => connections.close(GRACE))
  return server
}

const serveUntilSignal = async (): Promise<void> => {
  const { host, port, metricsPort, bounds, outDir, isQuiet, searchUrl, hasMcp } =
    readServerSettings(process.env, process.argv.slice(2))
  const lines = new LineSink(1)
  const errors = new LineSink(2)
  const log = new RequestLog(errors, isQuiet ? undefined : lines)
  const search = searchUrl === undefined ? undefined : await openSearch(searchUrl)
  const source = openGenerations(outDir, search, hasMcp ? answerMcpOnDemand : undefined)
  const isBuilt = await isReadable(source)
  const closers: (() => Promise<void>)[] = []
  const open: Connections[] = []
  const metrics =
    metricsPort === undefined
      ? undefined
      : new Metrics({
          connections: () => open.reduce((sum, { size }) => sum + size, 0),
          generation: source.generation,
        })
  const rate = bounds.requests === undefined ? undefined : new RateLimit(bounds.requests)
  const create = (): Server => {
    const { server, connections } = createSiteServer(source, log, { bounds, metrics, rate })
    open.push(connections)
    closers.push(() => connections.close(GRACE))
    return server
  }
  const url = await listen(create, host, port)
  let metricsUrl: string | undefined
  if (metrics && metricsPort !== undefined) {
    const at = host !== undefined && isSocketPath(host) ? undefined : host
    metricsUrl = await listen(() => createMetricsServer(metrics, closers), at, metricsPort)
  }
  const stop = async (): Promise<void> => {
    await Promise.all(closers.map((close) => close()))
    await Promise.all([lines.close(), errors.close(), search?.close()])
    process.exit(0)
  }
  // Before the address is shown, since a program that reads it may send a signal at once. A second signal finds
  // no listener and ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
  const shown = relative('', outDir) || '.'
  process.stdout.write(`Serving ${shown.startsWith('..') ? outDir : shown} on ${url}\n`)
  if (metricsUrl !== undefined) process.stdout.write(`Metrics on ${metricsUrl}/metrics\n`)
  if (!isBuilt) {
    process.stderr.write(`There is no finished build in ${shown} yet: run "npm run build".\n`)
  }
}

try {
  await serveUntilSignal()
} catch (error) {
  if (!(error instanceof ServerSettingsError || error instanceof SearchUrlError)) throw error
  process.stderr.write(`${error.message}\n`)
  // One of several servers may listen already.
  process.exit(1)
}
