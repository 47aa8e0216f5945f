import { readSearchUrl } from '../../../extras/postgres/schema.ts'

/** A setting is wrong. The message names it and its valid values. */
export class ServerSettingsError extends Error {}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = '4321'

const DEFAULT_OUT_DIR = 'dist'

const parsePort = (name: string, text: string): number => {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Infinity
  if (port <= 65_535) return port
  throw new ServerSettingsError(
    `${name}="${text}" is not a port; set ${name} to a whole number from 0 to 65535.`,
  )
}

const isOn = (name: string, text: string): boolean => {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new ServerSettingsError(`${name}="${text}" is not a switch; set ${name} to on or off.`)
}

/**
 * Reads the variables of docs/operators.md; an empty variable counts as not set. Throws ServerSettingsError or
 * SearchUrlError.
 */
export const readServerSettings = (environment: NodeJS.ProcessEnv) => {
  return {
    host: environment['HOST'] || DEFAULT_HOST,
    port: parsePort('PORT', environment['PORT'] || DEFAULT_PORT),
    metricsPort: environment['METRICS_PORT']
      ? parsePort('METRICS_PORT', environment['METRICS_PORT'])
      : undefined,
    outDir: environment['OUT_DIR'] || DEFAULT_OUT_DIR,
    isQuiet: !isOn('LOG', environment['LOG'] || 'on'),
    hasMcp: isOn('MCP', environment['MCP'] || 'on'),
    /** The database to search instead of the index file. */
    searchUrl: readSearchUrl(environment),
  }
}
