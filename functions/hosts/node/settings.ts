import { fileURLToPath } from 'node:url'
import { readSearchUrl } from '../../../extras/postgres/schema.ts'
import { parseRanges } from './clients.ts'
import { SENDING } from './send.ts'

/** A setting is wrong; the message names it and says what it may be. */
export class ServerSettingsError extends Error {
  override name = 'ServerSettingsError'
}

const DEFAULT_PORT = '4321'
const QUIET = '--quiet'

/** Where the build writes unless it is told otherwise, wherever a command is run from. */
const DEFAULT_OUT_DIR = fileURLToPath(new URL('../../../dist', import.meta.url))

const parsePort = (name: string, text: string): number => {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Infinity
  if (port <= 65_535) return port
  throw new ServerSettingsError(
    `${name}="${text}" is not a port; set ${name} to a whole number from 0 to 65535.`,
  )
}

const MIB = 1024 * 1024

/** Reads the limits that an operator may set; undefined means no limit. */
const readBounds = (environment: NodeJS.ProcessEnv) => {
  const readNumber = (name: string, least: number, most: number): number | undefined => {
    const text = environment[name]
    if (!text) return undefined
    const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : NaN
    if (number >= least && number <= most) return number
    throw new ServerSettingsError(
      `${name}="${text}" is not allowed; set ${name} to a whole number from ${least} to ${most}.`,
    )
  }
  const proxies = environment['TRUST_PROXY'] ? parseRanges(environment['TRUST_PROXY']) : undefined
  if (environment['TRUST_PROXY'] && !proxies) {
    throw new ServerSettingsError(
      `TRUST_PROXY="${environment['TRUST_PROXY']}" is no list of addresses; set it to addresses or ranges such as 10.0.0.0/8, "loopback" or "private", with commas between.`,
    )
  }
  const kept = readNumber('KEEP_COMPRESSED', 0, 65_536)
  const patience = readNumber('SEND_TIMEOUT', 1, 86_400)
  return {
    sending: {
      kept: kept === undefined ? SENDING.kept : kept * MIB,
      patience: patience === undefined ? SENDING.patience : patience * 1_000,
    },
    /** Connections of a client at a time. */
    connections: readNumber('CLIENT_CONNECTIONS', 1, 1_000_000),
    /** Requests of a client a second. */
    requests: readNumber('CLIENT_REQUESTS', 1, 1_000_000),
    /** Trusted proxies, whose X-Forwarded-For is used. */
    proxies,
  }
}

export const DEFAULT_BOUNDS = readBounds({})

/**
 * Reads the variables of docs/operators.md and `--quiet`; an empty variable counts as not set. Throws
 * ServerSettingsError or SearchUrlError.
 */
export const readServerSettings = (environment: NodeJS.ProcessEnv, options: readonly string[]) => {
  const unknown = options.find((option) => option !== QUIET)
  if (unknown !== undefined) {
    throw new ServerSettingsError(
      `There is no option "${unknown}"; there is ${QUIET}, and the variables of docs/operators.md, such as PORT, HOST and OUT_DIR.`,
    )
  }
  return {
    /** A name, an address or the path of a unix socket. Undefined is localhost in both families, 127.0.0.1 and ::1. */
    host: environment['HOST'] || undefined,
    port: parsePort('PORT', environment['PORT'] || DEFAULT_PORT),
    metricsPort: environment['METRICS_PORT']
      ? parsePort('METRICS_PORT', environment['METRICS_PORT'])
      : undefined,
    bounds: readBounds(environment),
    outDir: environment['OUT_DIR'] || DEFAULT_OUT_DIR,
    isQuiet: environment['LOG'] === 'off' || options.includes(QUIET),
    hasMcp: environment['MCP'] !== 'off',
    /** The database to search instead of the index file. */
    searchUrl: readSearchUrl(environment),
  }
}
