import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_ORIGIN } from '../../src/documents/paths.ts'

/** Folder of the project's own files, wherever a command is run from. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What the environment says about a build. */
export interface BuildSettings {
  contentFolder: string
  outputFolder: string
  /** Origin of absolute addresses; undefined leaves it to `site.json`. */
  siteUrl?: string
  /** Threads that print; as many as the machine has cores unless it is said. */
  workers?: number
  /** Makes everything anew, as if nothing had been built. */
  isClean?: boolean
}

/** Says which variable of the environment is wrong, and what it may be. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Checks an origin: http or https, no path, no query; gives it without a final slash. */
export const parseOrigin = (value: string, name: string): string => {
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new SettingsError(
      `${name}="${value}" is no http(s) address; write ${name}=https://skills.example`,
    )
  }
  const url = new URL(value)
  if (
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username + url.password !== ''
  ) {
    throw new SettingsError(`${name}="${value}" must be an origin alone, such as ${url.origin}`)
  }
  return url.origin
}

/** Reads CONTENT_DIR, OUT_DIR and SITE_URL. Throws SettingsError. */
export const readSettings = (environment: NodeJS.ProcessEnv): BuildSettings => ({
  contentFolder: resolve(environment['CONTENT_DIR'] || resolve(PROJECT_ROOT, 'content')),
  outputFolder: resolve(environment['OUT_DIR'] || resolve(PROJECT_ROOT, 'dist')),
  ...(environment['SITE_URL'] ? { siteUrl: parseOrigin(environment['SITE_URL'], 'SITE_URL') } : {}),
})

/** Chooses the origin: SITE_URL, else `site.json`'s, else localhost. */
export const chooseOrigin = (settings: BuildSettings, siteOrigin: string | undefined): string =>
  settings.siteUrl ?? (siteOrigin ? parseOrigin(siteOrigin, 'site.json origin') : DEFAULT_ORIGIN)
