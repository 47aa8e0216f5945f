import { fileURLToPath } from 'node:url'
import { readSearchUrl } from '../../../extras/postgres/schema.ts'

/** A setting is wrong; the message names it and says what it may be. */
export class ServerSettingsError extends Error {
  override name = 'ServerSettingsError'
}

const DEFAULT_PORT = '4321'
const QUIET = '--quiet'

/** Where the build writes unless it is told otherwise, wherever a command is run from. */
const DEFAULT_OUT_DIR = fileURLToPath(new URL('../../../dist', import.meta.url))

const parsePort = (text: string): number => {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Infinity
  if (port <= 65_535) return port
  throw new ServerSettingsError(
    `PORT="${text}" is not a port; set PORT to a whole number from 0 to 65535.`,
  )
}

/**
 * Reads HOST, PORT, OUT_DIR, LOG, MCP, SEARCH_URL and `--quiet`; an empty variable counts as not set. Throws
 * ServerSettingsError or SearchUrlError.
 */
export const readServerSettings = (environment: NodeJS.ProcessEnv, options: readonly string[]) => {
  const unknown = options.find((option) => option !== QUIET)
  if (unknown !== undefined) {
    throw new ServerSettingsError(
      `There is no option "${unknown}"; there is ${QUIET}, and the variables PORT, HOST, OUT_DIR, SEARCH_URL, LOG=off and MCP=off.`,
    )
  }
  return {
    /** Undefined is localhost in both families, 127.0.0.1 and ::1. */
    host: environment['HOST'] || undefined,
    port: parsePort(environment['PORT'] || DEFAULT_PORT),
    outDir: environment['OUT_DIR'] || DEFAULT_OUT_DIR,
    isQuiet: environment['LOG'] === 'off' || options.includes(QUIET),
    hasMcp: environment['MCP'] !== 'off',
    /** The database to search instead of the index file. */
    searchUrl: readSearchUrl(environment),
  }
}
